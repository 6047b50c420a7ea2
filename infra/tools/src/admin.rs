//! Appoints the first administrator, who can then change other users' roles over the API. Removes lost second factors.

use anyhow::{Context, Result, anyhow};
use domain::{
    accounts,
    people::users::{Email, Role},
};
use platform::{App, Error};

/// Makes the user with this email address a SUPER_ADMIN. `confirm` also confirms the address.
pub(crate) async fn appoint(app: &App, email: String, confirm: bool) -> Result<()> {
    match accounts::appoint(app, &address(&email)?, Role::SuperAdmin, confirm).await {
        Ok(()) => println!("{email} is a SUPER_ADMIN now. The role applies after the next sign-in."),
        Err(Error::NotFound(_)) => return Err(unknown(&email)),
        Err(Error::Forbidden(reason)) => {
            return Err(anyhow!(
                "{email}: {reason}. If you know that the address belongs to the user, use --confirm (with make: CONFIRM=1)."
            ));
        }
        Err(error) => return Err(error).context("failed to change the roles"),
    }
    Ok(())
}

/// Removes the second factor of the user with this email address.
pub(crate) async fn remove_second_factor(app: &App, email: String) -> Result<()> {
    match accounts::remove_second_factor(app, &address(&email)?).await {
        Ok(true) => println!("The second factor of {email} is off. All sessions have ended."),
        Ok(false) => println!("{email} has no second factor."),
        Err(Error::NotFound(_)) => return Err(unknown(&email)),
        Err(error) => return Err(error).context("failed to remove the second factor"),
    }
    Ok(())
}

fn address(email: &str) -> Result<Email> {
    email.to_owned().try_into().map_err(|error| anyhow!("{email}: {error}"))
}

fn unknown(email: &str) -> anyhow::Error {
    anyhow!("no account has the email address {email}")
}

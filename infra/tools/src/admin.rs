//! Appoints the first administrator, who can then change other users' roles over the API.

use anyhow::{Context, Result, anyhow};
use domain::{accounts, people::users::Role};
use platform::{App, Error};

/// Makes the user with this email address a SUPER_ADMIN.
pub(crate) async fn appoint(app: &App, email: String) -> Result<()> {
    let address = email.clone().try_into().map_err(|error| anyhow!("{email}: {error}"))?;
    match accounts::appoint(app, &address, Role::SuperAdmin).await {
        Ok(()) => println!("{email} is a SUPER_ADMIN now. The role applies after the next sign-in."),
        Err(Error::NotFound(_)) => return Err(anyhow!("no account has the email address {email}")),
        Err(Error::Forbidden(reason)) => return Err(anyhow!("{email}: {reason}")),
        Err(error) => return Err(error).context("failed to change the roles"),
    }
    Ok(())
}

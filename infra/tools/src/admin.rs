//! The first administrator: roles of others are changed over the API, by one who is there.

use anyhow::{Context, Result, anyhow};
use domain::{accounts, people::users::Role};
use platform::{App, Error};

/// Gives the account of this e-mail every role.
pub(crate) async fn appoint(app: &App, email: String) -> Result<()> {
    let address = email.clone().try_into().map_err(|error| anyhow!("{email}: {error}"))?;
    match accounts::appoint(app, &address, Role::SuperAdmin).await {
        Ok(()) => println!("{email} is a SUPER_ADMIN, and signs in again to be one"),
        Err(Error::NotFound(_)) => return Err(anyhow!("nobody has signed up as {email}")),
        Err(Error::Forbidden(why)) => return Err(anyhow!("{email}: {why}")),
        Err(error) => return Err(error).context("the roles were not changed"),
    }
    Ok(())
}

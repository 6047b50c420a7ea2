//! Using a code: each opens once.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{
    App,
    error::{Error, Result},
    rate_limit::RateLimit,
    table::Write,
    time::HOUR_SECONDS,
};
use secrecy::ExposeSecret;

use super::{
    code::{self, Code, Kind, TotpCode},
    row::{SecondFactor, key},
};

/// The wrong codes of an account. Whoever tries knows the password, and of a million codes three are right at a time.
const WRONG: RateLimit = RateLimit { what: "code", most: 10, seconds: HOUR_SECONDS };

/// A code that is right, and counted as a wrong one until it is taken back.
pub(crate) struct UsedCode {
    user: UserId,
    write: Write,
}

impl UsedCode {
    /// Splits into the write that uses the code up, for the transaction of what it permits, and what is to be taken back
    /// afterwards.
    pub(crate) fn into_write(self) -> (Write, CountedCode) {
        (self.write, CountedCode(self.user))
    }

    /// Uses the code up by itself.
    ///
    /// # Errors
    /// The refusal, when another request was faster.
    pub(crate) async fn commit(self, app: &App) -> Result<()> {
        let (write, counted) = self.into_write();
        app.table.write(write).await?;
        counted.take_back(app).await
    }
}

/// A code that is counted as a wrong one.
pub(crate) struct CountedCode(UserId);

impl CountedCode {
    /// Takes back what was counted, once the code was used.
    pub(crate) async fn take_back(&self, app: &App) -> Result<()> {
        WRONG.count_by(app, &self.0.to_string(), -1).await.map(drop)
    }
}

/// Checks a code of somebody who has a second factor.
///
/// # Errors
/// The refusal for a code that is wrong or was used, here or when it is written; [`Error::LimitReached`] after 10 wrong
/// codes within an hour.
pub(crate) async fn use_code(
    app: &App,
    user: UserId,
    code: &Code,
    refusal: fn() -> Error,
) -> Result<UsedCode> {
    // Counted before it is known what it is: codes at the same moment count too.
    WRONG.count(app, &user.to_string()).await?.enforce()?;
    let row = app.table.get::<SecondFactor>(&key(user)).await?.filter(|it| it.confirmed_at.is_some());
    let write = match (row, &code.0) {
        (Some(row), Kind::Totp(code)) => row.step_write(app, code).await?,
        (Some(row), Kind::Recovery(code)) => row.recovery_write(&code::hash(code.expose_secret())),
        (None, _) => None,
    };
    let write = write.ok_or_else(refusal).inspect_err(|_| {
        security::log(SecurityEvent::SignInRefused, user, "a wrong code");
    })?;
    Ok(UsedCode { user, write: write.or(refusal()) })
}

impl SecondFactor {
    /// Returns the write that uses up a code of the authenticator; none for one that is not of now or was used.
    async fn step_write(&self, app: &App, code: &TotpCode) -> Result<Option<Write>> {
        let seed = self.open(app).await?;
        let Some(step) = seed.step_of(code, app.now()).filter(|it| *it > self.last_step) else {
            return Ok(None);
        };
        let write = Write::update(key(self.user)).set("lastStep", step).below_or_lacks("lastStep", step);
        let write = seed.sealed_anew.iter().fold(write, |write, seed| write.set("seed", seed));
        Ok(Some(write.equals("seed", &self.seed)))
    }

    /// Returns the write that uses up a recovery code; none for one that is unknown or was used.
    fn recovery_write(&self, hash: &str) -> Option<Write> {
        let left: Vec<_> = self.recovery.iter().filter(|it| *it != hash).collect();
        let write =
            || Write::update(key(self.user)).set("recovery", &left).equals("recovery", &self.recovery);
        (left.len() < self.recovery.len()).then(write)
    }
}

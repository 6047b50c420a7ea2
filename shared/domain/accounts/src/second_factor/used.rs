//! Checks and consumes second-factor codes. Each code is valid once.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{
    App, Error, HOUR_SECONDS, RateLimit, Result, Time, Write, rate_limit::RateLimitStatus, retry_on_conflict,
};
use secrecy::ExposeSecret;

use super::{
    code::{self, Code, Kind, TotpCode},
    row::{SecondFactor, key},
};
use crate::notices::{Notice, NoticeKind};

/// Limit on wrong codes per account. At any time, 3 of 1,000,000 codes are valid.
const WRONG_CODES_LIMIT: RateLimit = RateLimit { what: "code", most: 10, seconds: HOUR_SECONDS };

/// Number of consecutive wrong codes after which an account accepts no codes from its authenticator.
const WRONG_CODES_MAX: i64 = 50;
/// Number of wrong codes after which the user gets an email.
const WRONG_CODES_BEFORE_NOTICE: i64 = 5;
const LOCKED: &str = "there were too many wrong codes. Use a recovery code, or reset your password by email and remove the second factor.";

/// A valid code. The code counts as a failed attempt until [`CountedCode::take_back`] removes it from the count.
pub(crate) struct UsedCode {
    user: UserId,
    write: Write,
    /// The time of the last use of a code before this one.
    used_at: Option<Time>,
    refusal: fn() -> Error,
}

impl UsedCode {
    /// Returns the write that consumes the code, and the counted attempt. The caller removes the attempt from the count
    /// after the transaction.
    pub(crate) fn into_write(self) -> (Write, CountedCode) {
        (self.write, CountedCode(self.user))
    }

    /// Returns the write that consumes the code. Removes the attempt from the count.
    pub(crate) async fn take_back(self, app: &App) -> Result<Write> {
        let (write, counted) = self.into_write();
        counted.take_back(app).await.map(|()| write)
    }

    /// Returns the write that deletes the second factor. The write fails with the `refusal` of [`use_code`] if a
    /// concurrent request used a code. Removes the attempt from the count.
    pub(crate) async fn take_back_and_delete(self, app: &App) -> Result<Write> {
        CountedCode(self.user).take_back(app).await?;
        let write = Write::delete(key(self.user)).exists().is_still("usedAt", self.used_at);
        Ok(write.or((self.refusal)()).into())
    }
}

/// A valid code that still counts as a failed attempt. [`Self::take_back`] removes it from the count.
pub(crate) struct CountedCode(pub(super) UserId);

impl CountedCode {
    /// Removes the attempt from the count after the code was used.
    pub(crate) async fn take_back(&self, app: &App) -> Result<()> {
        WRONG_CODES_LIMIT.count_by(app, &self.0.to_string(), -1).await.map(drop)
    }
}

/// Checks a second-factor code of a user. The returned [`UsedCode`] contains the write that consumes the code.
///
/// # Errors
/// Fails with `refusal` if the code is wrong or was already used. The returned write also fails with `refusal` if a
/// concurrent request used the code.
///
/// A code from an authenticator fails with [`Error::LimitReached`] after 10 wrong codes within an hour. It fails with
/// [`Error::Forbidden`] after 50 consecutive wrong codes. A recovery code always works, so that a thief of the password
/// cannot lock the user out. A recovery code has too many bits to be guessed.
pub(crate) async fn use_code(
    app: &App,
    user: UserId,
    code: &Code,
    refusal: fn() -> Error,
) -> Result<UsedCode> {
    let counted = count_attempt(app, user).await?;
    let row = app.table.get::<SecondFactor>(&key(user)).await?.filter(|row| row.confirmed_at.is_some());
    if let Kind::Totp(_) = code.0 {
        counted.enforce()?;
        if row.as_ref().is_some_and(|row| row.wrong_codes >= WRONG_CODES_MAX) {
            return Err(Error::Forbidden(LOCKED.into()));
        }
    }
    let (has_factor, used_at) = (row.is_some(), row.as_ref().and_then(|row| row.used_at));
    let write = match (row, &code.0) {
        (Some(row), Kind::Totp(code)) => row.step_write(app, code).await?,
        (Some(row), Kind::Recovery(code)) => row.recovery_write(&code::hash(code.expose_secret())),
        (None, _) => None,
    };
    let Some(write) = write else {
        security::log(SecurityEvent::SignInRefused, user, "wrong code");
        if has_factor {
            count_wrong(app, user).await?;
        }
        return Err(refusal());
    };
    let write = write.set("wrongCodes", 0).set("usedAt", app.now());
    Ok(UsedCode { user, write: write.or(refusal()), used_at, refusal })
}

/// Counts an attempt as wrong before its code is checked, so that concurrent requests count too.
pub(super) async fn count_attempt(app: &App, user: UserId) -> Result<RateLimitStatus> {
    WRONG_CODES_LIMIT.count(app, &user.to_string()).await
}

/// Counts a wrong code. The fifth consecutive wrong code sends an email.
async fn count_wrong(app: &App, user: UserId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(row) = app.table.get::<SecondFactor>(&key(user)).await? else { return Ok(()) };
        let wrong = row.wrong_codes + 1;
        let count = Write::update(key(user)).set("wrongCodes", wrong);
        let count = count.equals("wrongCodes", row.wrong_codes);
        let is_due = wrong == WRONG_CODES_BEFORE_NOTICE;
        let notice = is_due.then(|| Notice::new(app, NoticeKind::WrongCodes, user).create_write());
        app.table.write_all([count].into_iter().chain(notice).collect()).await
    })
    .await
}

impl SecondFactor {
    /// Returns the write that consumes a code from the authenticator, or `None` if the code is invalid or was used.
    async fn step_write(&self, app: &App, code: &TotpCode) -> Result<Option<Write>> {
        let seed = self.open(app).await?;
        let Some(step) = seed.step_of(code, app.now()).filter(|step| *step > self.last_step) else {
            return Ok(None);
        };
        let write = Write::update(key(self.user)).set("lastStep", step).below_or_lacks("lastStep", step);
        let write = seed.resealed.iter().fold(write, |write, seed| write.set("seed", seed));
        Ok(Some(write.equals("seed", &self.seed)))
    }

    /// Returns the write that consumes a recovery code, or `None` if the code is unknown or was used.
    fn recovery_write(&self, hash: &str) -> Option<Write> {
        let left: Vec<_> = self.recovery.iter().filter(|unused| *unused != hash).collect();
        let write =
            || Write::update(key(self.user)).set("recovery", &left).equals("recovery", &self.recovery);
        (left.len() < self.recovery.len()).then(write)
    }
}

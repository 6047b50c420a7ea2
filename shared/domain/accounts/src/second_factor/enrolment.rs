//! Sets up a second factor. The setup returns a seed for the authenticator, and then checks a code from the
//! authenticator.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Error, Once, Result, Row, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CountedCode, RecoveryCodes, SecondFactor, TotpCode, key, used::count_attempt};
use crate::{Notice, NoticeKind, me};

/// The seed for an authenticator. The seed is shown only once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SecondFactorEnrollment)]
#[serde(rename_all = "camelCase")]
pub struct Enrolment {
    /// The seed in Base32, for manual entry.
    #[schema(example = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")]
    pub secret: String,
    /// The same seed as a URL, for a QR code.
    #[schema(
        example = "otpauth://totp/Social%20network:ann?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Social%20network"
    )]
    pub otpauth_url: String,
}

/// Returns a new seed for a user, and the write that stores it. The write fails with [`Error::Invalid`] if the second
/// factor is already on.
pub(crate) async fn begin_writes(app: &App, user: &User) -> Result<(Vec<Write>, Enrolment)> {
    let (row, seed) = SecondFactor::begin(app, user).await?;
    let write = Write::put(&row).lacks("confirmedAt").or(already_on());
    Ok((vec![write], Enrolment { secret: seed.text(), otpauth_url: seed.url()? }))
}

/// Turns the second factor on, and returns its recovery codes. From then on, a sign-in needs a code. Existing sessions
/// stay valid.
///
/// # Errors
/// Fails with [`Error::Invalid`] if there is no unconfirmed seed, or if the code is not valid now. Fails with
/// [`Error::LimitReached`] after 10 wrong codes within an hour.
pub async fn confirm(app: &App, user: UserId, code: &TotpCode, once: &Once) -> Result<RecoveryCodes> {
    let codes = once.run_sealed(app, user, async || {
        count_attempt(app, user).await?.enforce()?;
        let codes = RecoveryCodes::of(app.random());
        Ok((confirmation_writes(app, user, code, &codes).await?, codes))
    });
    let codes = codes.await?;
    CountedCode(user).take_back(app).await?;
    me::invalidate(app, user);
    security::log(SecurityEvent::SecondFactorChanged, user, "on");
    Ok(codes)
}

async fn confirmation_writes(
    app: &App,
    user: UserId,
    code: &TotpCode,
    codes: &RecoveryCodes,
) -> Result<Vec<Write>> {
    let now = app.now();
    let row = app.table.get::<SecondFactor>(&key(user)).await?.ok_or_else(not_started)?;
    match row.expires() {
        None => return Err(already_on()),
        Some(end) if end <= now => return Err(not_started()),
        Some(_) => {}
    }
    let step = row.open(app).await?.step_of(code, now);
    let step = step.ok_or_else(|| Error::invalid("code", "is not the current code of this authenticator"))?;
    let factor_write = Write::update(key(user)).set("confirmedAt", now).set("lastStep", step).remove("ttl");
    let factor_write = factor_write.set("recovery", codes.hashes()).equals("seed", &row.seed);
    let user_write = Write::update(users::key(user)).exists().set("secondFactorAt", now);
    let notice_write = Notice::new(app, NoticeKind::SecondFactorOn, user).create_write();
    Ok(vec![factor_write.lacks("confirmedAt").or(already_on()), user_write, notice_write])
}

fn already_on() -> Error {
    Error::invalid("code", "a second factor is already on. Turn it off first.")
}

fn not_started() -> Error {
    Error::invalid("code", "no second factor is being set up. Start with POST /auth/totp.")
}

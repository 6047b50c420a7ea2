//! Setting a second factor up: a seed for the authenticator, then a code that shows that it has the seed.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use people::users;
use platform::{
    App,
    error::{Error, Result},
    table::{Row, Write},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    code::{RecoveryCodes, TotpCode},
    row::{SecondFactor, key},
};
use crate::{
    me,
    notices::{Notice, NoticeKind},
};

/// What an authenticator needs. It is shown once.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enrolment {
    /// The seed in base 32, to type in.
    #[schema(example = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")]
    pub secret: String,
    /// The same as an address, to show as a QR code.
    #[schema(
        example = "otpauth://totp/Social%20network:ann?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Social%20network"
    )]
    pub otpauth_url: String,
}

/// Returns a new seed, which counts once it is confirmed within an hour; it replaces one that is not confirmed.
///
/// # Errors
/// [`Error::Invalid`] when a second factor is on.
pub async fn begin(app: &App, user: UserId) -> Result<Enrolment> {
    let user = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
    let (row, seed) = SecondFactor::begin(app, &user).await?;
    app.table.write(Write::put(&row).lacks("confirmedAt").or(is_on())).await?;
    Ok(Enrolment { secret: seed.text(), otpauth_url: seed.address()? })
}

/// Turns the second factor on, and returns its recovery codes. Sign-ins need a code from now on; sessions of before
/// live on as they are.
///
/// # Errors
/// [`Error::Invalid`] for a code that is not of the seed and of now, or when no seed waits for one.
pub async fn confirm(app: &App, user: UserId, code: &TotpCode) -> Result<RecoveryCodes> {
    let now = app.now();
    let row = app.table.get::<SecondFactor>(&key(user)).await?.ok_or_else(not_begun)?;
    match row.expires() {
        None => return Err(is_on()),
        Some(end) if end <= now => return Err(not_begun()),
        Some(_) => {}
    }
    let step = row.open(app).await?.step_of(code, now);
    let step = step.ok_or_else(|| Error::invalid("code", "is not of this authenticator and of now"))?;
    let codes = RecoveryCodes::of(app.random());
    let factor_write = Write::update(key(user)).set("confirmedAt", now).set("lastStep", step).remove("ttl");
    let factor_write = factor_write.set("recovery", codes.hashes()).equals("seed", &row.seed);
    let user_write = Write::update(users::key(user)).exists().set("secondFactorAt", now);
    let notice_write = Notice::new(app, NoticeKind::SecondFactorOn, user).create_write();
    let writes = vec![factor_write.lacks("confirmedAt").or(is_on()), user_write, notice_write];
    app.table.transact(writes).await?;
    me::invalidate(app, user);
    security::log(SecurityEvent::SecondFactorChanged, user, "on");
    Ok(codes)
}

fn is_on() -> Error {
    Error::invalid("code", "a second factor is on already: turn it off first")
}

fn not_begun() -> Error {
    Error::invalid("code", "no second factor waits for it: begin with POST /auth/totp")
}

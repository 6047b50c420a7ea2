//! `/auth/totp`: the second factor.

use axum::extract::State;
use domain::accounts::{
    self, SecondFactorRemoval,
    second_factor::{self, Enrolment, RecoveryCodes, TotpCode},
};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::Caller,
    http::{Body, Envelope, Reply, Respond},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Begin to set up a second factor
///
/// Answers with a seed for an authenticator (TOTP, RFC 6238: SHA-1, six digits, 30 seconds), which is shown once. It
/// counts when a code of it is confirmed within an hour; a repetition gives another one. Answers 400 when a second factor
/// is on.
#[utoipa::path(post, path = "/auth/totp", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    responses((status = 200, body = Envelope<Enrolment>),
        (status = 400, description = "`VALIDATION_FAILED`: a second factor is on")))]
pub(crate) async fn begin_second_factor(State(app): State<App>, caller: Caller) -> Respond<Enrolment> {
    Ok(Reply::ok(second_factor::begin(&app, caller.id).await?))
}

/// Turn the second factor on with a code
///
/// From now on signing in takes `code`: one of the authenticator, or one of the ten recovery codes, which are shown once,
/// here. Each code signs in once. Sessions of before live on, and count as without a second factor. A mail tells of it.
#[utoipa::path(post, path = "/auth/totp/confirm", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = EnrolmentCode, example = json!({ "code": "492039" })),
    responses((status = 200, body = Envelope<RecoveryCodes>)))]
pub(crate) async fn confirm_second_factor(
    State(app): State<App>,
    caller: Caller,
    Body(EnrolmentCode { code }): Body<EnrolmentCode>,
) -> Respond<RecoveryCodes> {
    Ok(Reply::ok(second_factor::confirm(&app, caller.id, &code).await?))
}

/// Turn the second factor off
///
/// Takes the password and a code of the authenticator or a recovery code: 400 where one is wrong, which counts as a
/// failed try to sign in. Ends all other sessions and all application tokens; a mail tells of it.
#[utoipa::path(delete, path = "/auth/totp", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = SecondFactorRemoval, example = json!({
        "password": "correct horse battery", "code": "492039"
    })), responses((status = 200, body = Envelope<SecondFactorIsOff>)))]
pub(crate) async fn remove_second_factor(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Body(removal): Body<SecondFactorRemoval>,
) -> Respond<SecondFactorIsOff> {
    accounts::turn_second_factor_off(&app, caller.id, caller.session, removal, &device).await?;
    Ok(Reply::ok(SecondFactorIsOff { off: true }))
}

/// A code of the authenticator that is set up.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EnrolmentCode {
    /// Six digits.
    code: TotpCode,
}

/// The answer to a second factor that was turned off.
#[derive(Serialize, ToSchema)]
pub(crate) struct SecondFactorIsOff {
    /// Always true.
    #[schema(example = true)]
    off: bool,
}

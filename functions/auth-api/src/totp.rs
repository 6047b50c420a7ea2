//! `/auth/totp`: the second factor.

use axum::extract::State;
use domain::accounts::{
    self, EnrolmentRequest, SecondFactorRemoval,
    second_factor::{self, Enrolment, RecoveryCodes, TotpCode},
};
use platform::App;
use runtime::{AnonymousClient, Caller, Envelope, Input, Reply, Respond};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Start setting up a second factor
///
/// Returns the secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). The secret is returned
/// only once. Within an hour, confirm the secret with a code that the app computes from it. Repeating the request
/// returns a new secret. Returns 400 if the account already has a second factor.
///
/// Requires a confirmed email address. Requires the password if the sign-in was more than 5 minutes ago.
#[utoipa::path(post, path = "/auth/totp", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = Option<EnrolmentRequest>, example = json!({ "password": "correct horse battery" })),
    responses((status = 200, body = Envelope<Enrolment>),
        (status = 400, description = "`VALIDATION_FAILED`: the account already has a second factor")))]
pub(crate) async fn begin_second_factor(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body: request, once }: Input<EnrolmentRequest>,
) -> Respond<Enrolment> {
    let Caller { id, session, .. } = caller;
    Ok(Reply::ok(accounts::begin_second_factor(&app, id, session, request, &device, &once).await?))
}

/// Turn the second factor on with a code
///
/// From then on, signing in requires `code`: a code from the authenticator, or one of the ten recovery codes. The
/// recovery codes are returned only once. Each code works once. Existing sessions stay valid but count as signed in
/// without a second factor. The user gets an email.
#[utoipa::path(post, path = "/auth/totp/confirm", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = EnrolmentCode, example = json!({ "code": "492039" })),
    responses((status = 200, body = Envelope<RecoveryCodes>)))]
pub(crate) async fn confirm_second_factor(
    State(app): State<App>,
    caller: Caller,
    Input { body: EnrolmentCode { code }, once }: Input<EnrolmentCode>,
) -> Respond<RecoveryCodes> {
    Ok(Reply::ok(second_factor::confirm(&app, caller.id, &code, &once).await?))
}

/// Turn the second factor off
///
/// Requires the password, and a code from the authenticator or a recovery code. If the password or the code is wrong,
/// returns 400 and counts a failed sign-in attempt. Returns 404 if the second factor is off. Ends all other sessions and
/// revokes all application tokens. The user gets an email.
#[utoipa::path(delete, path = "/auth/totp", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = SecondFactorRemoval, example = json!({
        "password": "correct horse battery", "code": "492039"
    })), responses((status = 200, body = Envelope<SecondFactorIsOff>),
        (status = 404, description = "`NOT_FOUND`: the second factor is off")))]
pub(crate) async fn remove_second_factor(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body: removal, once }: Input<SecondFactorRemoval>,
) -> Respond<SecondFactorIsOff> {
    accounts::disable_second_factor(&app, caller.id, caller.session, removal, &device, &once).await?;
    Ok(Reply::ok(SecondFactorIsOff { off: true }))
}

/// Code from the authenticator that is being set up.
#[derive(Deserialize, ToSchema)]
#[schema(as = SecondFactorEnrollmentCode)]
pub(crate) struct EnrolmentCode {
    /// Six digits.
    code: TotpCode,
}

/// The second factor was turned off.
#[derive(Serialize, ToSchema)]
#[schema(as = SecondFactorState)]
pub(crate) struct SecondFactorIsOff {
    /// Always true.
    #[schema(example = true)]
    off: bool,
}

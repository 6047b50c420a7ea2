//! `/auth/passkeys`: passkeys.

use axum::extract::State;
use domain::{
    PasskeyId,
    accounts::{
        passkeys::{
            self, CreationOptions, Passkey, PasskeyOptionsRequest, PasskeyRegistration, PasskeySignIn,
            RequestOptions,
        },
        tokens::TokenPair,
    },
};
use platform::{App, Page};
use runtime::{
    AnonymousClient, Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Get the options for a new passkey
///
/// Pass `publicKey` to `PublicKeyCredential.parseCreationOptionsFromJSON`, and the result to
/// `navigator.credentials.create`. The challenge is valid for 5 minutes.
///
/// Requires a confirmed email address. Requires the password if the sign-in was more than 5 minutes ago.
#[utoipa::path(post, path = "/auth/passkeys/options", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = Option<PasskeyOptionsRequest>, example = json!({ "password": "correct horse battery" })),
    responses((status = 200, body = Envelope<CreationOptions>)))]
pub(crate) async fn request_passkey_options(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body, once }: Input<PasskeyOptionsRequest>,
) -> Respond<CreationOptions> {
    let Caller { id, session, .. } = caller;
    Ok(Reply::ok(passkeys::creation_options(&app, id, session, body, &device, &once).await?))
}

/// Add a passkey
///
/// The user can then sign in with the passkey, without the password and without a code of the second factor. The device
/// must check a PIN, a fingerprint or a face. ES256, EdDSA and RS256 are supported, and attestations are ignored. A
/// user can have at most 20 passkeys. The user gets an email.
#[utoipa::path(post, path = "/auth/passkeys", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = PasskeyRegistration, example = json!({
        "name": "Ann's phone",
        "credential": { "id": "AbCdEfGhIjKlMnOpQrStUv", "response": { "clientDataJSON": "e30", "attestationObject": "oA" } }
    })), responses((status = 201, body = Envelope<Passkey>)))]
pub(crate) async fn add_passkey(
    State(app): State<App>,
    caller: Caller,
    Input { body, once }: Input<PasskeyRegistration>,
) -> Respond<Passkey> {
    Ok(Reply::created(passkeys::register(&app, caller.id, body, &once).await?))
}

/// List the caller's passkeys
///
/// Returns the newest passkey first.
#[utoipa::path(get, path = "/auth/passkeys", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = ListEnvelope<Passkey>)))]
pub(crate) async fn list_passkeys(State(app): State<App>, caller: Caller) -> RespondList<Passkey> {
    Ok(List(Page { rows: passkeys::list(&app, caller.id).await?, after: None }))
}

/// Remove a passkey
///
/// Returns 404 if the passkey does not exist or belongs to another user. A reset of the password by email removes all
/// passkeys. The user gets an email.
#[utoipa::path(delete, path = "/auth/passkeys/{id}", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("id" = PasskeyId, Path, description = "ID of the passkey")),
    responses((status = 200, body = Envelope<PasskeyEnded>)))]
pub(crate) async fn remove_passkey(
    State(app): State<App>,
    caller: Caller,
    Path(passkey): Path<PasskeyId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<PasskeyEnded> {
    passkeys::end(&app, caller.id, passkey, &once).await?;
    Ok(Reply::ok(PasskeyEnded { ended: true }))
}

/// Get the options for a sign-in with a passkey
///
/// Pass `publicKey` to `PublicKeyCredential.parseRequestOptionsFromJSON`, and the result to `navigator.credentials.get`.
/// The challenge is valid for 5 minutes, and for one sign-in.
#[utoipa::path(post, path = "/auth/passkeys/login/options", tag = "auth",
    extensions(("x-status" = json!("extension"))),
    responses((status = 200, body = Envelope<RequestOptions>)))]
pub(crate) async fn request_passkey_sign_in(
    State(app): State<App>,
    client: AnonymousClient,
    Input { .. }: Input<Empty>,
) -> Respond<RequestOptions> {
    client.rate_limit(&app, "passkey-options", "").await?;
    Ok(Reply::ok(passkeys::request_options(&app).await?))
}

/// Sign in with a passkey
///
/// Needs no username and no password. The session counts as signed in with a second factor. Returns 401 if the passkey is
/// unknown or its signature is wrong. Returns 403 if the account is banned or locked.
#[utoipa::path(post, path = "/auth/passkeys/login", tag = "auth", extensions(("x-status" = json!("extension"))),
    request_body(content = PasskeySignIn, example = json!({
        "credential": { "id": "AbCdEfGhIjKlMnOpQrStUv", "response": {
            "clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA", "userHandle": "AZzbXKFkT2qf0m0dC2s1qw"
        } }
    })), responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the passkey is unknown or its signature is wrong"),
        (status = 403, description = "`FORBIDDEN`: the account is banned or locked")))]
pub(crate) async fn sign_in_with_passkey(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    Input { body, .. }: Input<PasskeySignIn>,
) -> Respond<TokenPair> {
    let grant = passkeys::sign_in(&app, body, &device).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}

/// The passkey was removed.
#[derive(Serialize, ToSchema)]
#[schema(as = PasskeyRemoval)]
pub(crate) struct PasskeyEnded {
    /// Always true.
    #[schema(example = true)]
    ended: bool,
}

//! Signs users in with passkeys.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use people::users;
use platform::{App, Error, Result, Row, Write};
use serde::Deserialize;
use ulid::Ulid;
use utoipa::ToSchema;

use super::{
    RelyingParty,
    authenticator_data::AuthenticatorData,
    challenge::{self, Purpose},
    client_data::ClientData,
    json::{Ignored, decode},
    refused,
    row::{self, PasskeyRow},
};
use crate::{Device, Grant, Session, appeal_token, opening::open_session, sessions, tries};

const UNKNOWN: Error = Error::Unauthenticated("the passkey is unknown or its signature is wrong");
const COPIED: Error = Error::Unauthenticated("the passkey was copied. Remove it, and add a new one.");

/// A request to sign in with a passkey.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PasskeySignIn {
    /// The authenticator's answer: `credential.toJSON()`.
    pub credential: Assertion,
}

/// `AuthenticationResponseJSON` of WebAuthn. Further fields are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = PasskeyAssertion)]
pub struct Assertion {
    /// The passkey's ID in base64url.
    pub id: String,
    /// The authenticator's answer.
    pub response: AssertionResponse,
    #[serde(flatten)]
    #[schema(ignore)]
    _more: Ignored,
}

/// `AuthenticatorAssertionResponseJSON` of WebAuthn. Further fields are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PasskeyAssertionResponse)]
pub struct AssertionResponse {
    /// The client data in base64url.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// The authenticator data in base64url.
    pub authenticator_data: String,
    /// The signature in base64url.
    pub signature: String,
    /// The user handle in base64url. Required for a sign-in without a username.
    pub user_handle: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    _more: Ignored,
}

/// Signs in the user of a passkey. The session counts as opened with a second factor.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the credential is malformed, or if its challenge is unknown, used or expired. Fails
/// with [`Error::Unauthenticated`] if the passkey is unknown or its signature is wrong. Fails with [`Error::Forbidden`]
/// if the account is banned or locked. Fails with [`Error::LimitReached`] after too many attempts.
pub async fn sign_in(app: &App, request: PasskeySignIn, device: &Device) -> Result<Grant> {
    let assertion = request.credential;
    tries::count_request(app, device, "passkey", &assertion.id).await?;
    let handle = assertion.response.user_handle.as_deref().ok_or_else(|| refused("has no userHandle"))?;
    let handle: [u8; 16] =
        decode(handle)?.try_into().map_err(|_| refused("has a userHandle from another service"))?;
    let id = UserId::from(Ulid::from_bytes(handle));
    let writes = used_writes(app, id, &assertion).await.inspect_err(|_| {
        security::log(SecurityEvent::SignInRefused, id, "wrong passkey");
    })?;
    let user = users::find(app, id).await?.ok_or(UNKNOWN)?;
    if !user.is_active() {
        app.table.write_all(writes).await?;
        return Err(appeal_token::refusal(app, &user).await?);
    }
    let session = Session::open(app, &user, device.user_agent.as_deref());
    let session = open_session(app, &user, Session { second_factor: true, ..session }, writes).await?;
    sessions::revoke_oldest(app, id).await?;
    security::log(SecurityEvent::SignedIn, id, "with a passkey");
    Ok(session.grant(&user))
}

/// Checks that a passkey of the user signed a current challenge. Returns the writes that record this use of the
/// passkey. The writes fail if the challenge was used before.
pub(crate) async fn used_writes(app: &App, user: UserId, assertion: &Assertion) -> Result<Vec<Write>> {
    let (site, response) = (RelyingParty::of(app)?, &assertion.response);
    let client = ClientData::parse(&decode(&response.client_data)?, "webauthn.get", &site)?;
    let challenge_write = challenge::check(app, Purpose::SignIn, &client.challenge).await?;
    let bytes = decode(&response.authenticator_data)?;
    let data = AuthenticatorData::parse(&bytes, &site)?;
    if !data.user_verified {
        return Err(refused("was made without a PIN or fingerprint"));
    }
    let row = row::find(app, user, assertion.id.trim_end_matches('=')).await?.ok_or(UNKNOWN)?;
    let signed = [bytes.as_slice(), &client.hash].concat();
    row.key.verify(&signed, &decode(&response.signature)?).ok_or(UNKNOWN)?;
    Ok(vec![challenge_write, use_write(app, &row, data.signatures.into())?])
}

/// Returns the write that records a use of the passkey. Fails if the number of signatures did not grow, because then
/// the passkey was copied. Passkeys that are synced between devices always send 0.
fn use_write(app: &App, row: &PasskeyRow, signatures: i64) -> Result<Write> {
    if (signatures, row.signatures) != (0, 0) && signatures <= row.signatures {
        return Err(COPIED);
    }
    let write = Write::update(row.key()).set("signatures", signatures).set("usedAt", app.now()).exists();
    Ok(write.equals("signatures", row.signatures).or(UNKNOWN))
}

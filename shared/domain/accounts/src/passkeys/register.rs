//! Registers passkeys.

use base::UserId;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ciborium::Value;
use ledger::security::{self, SecurityEvent};
use people::users;
use platform::{App, Once, Result, Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Passkey, PasskeyName, RelyingParty,
    authenticator_data::AuthenticatorData,
    challenge::{self, Purpose},
    client_data::ClientData,
    json::{Ignored, decode},
    key::PublicKey,
    refused,
    row::{self, Credential, PasskeyRow},
};
use crate::{Notice, NoticeKind, TypedPassword, check_confirmed};

/// A request for the options of a new passkey.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct PasskeyOptionsRequest {
    /// The password. Required if the session was opened more than 5 minutes ago.
    #[serde(default)]
    pub password: Option<TypedPassword>,
}

/// A request to register a passkey.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PasskeyRegistration {
    /// The name that the user gives the passkey.
    pub name: PasskeyName,
    /// The authenticator's answer: `credential.toJSON()`.
    pub credential: NewPasskey,
}

/// `RegistrationResponseJSON` of WebAuthn. Further fields are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewPasskey {
    /// The passkey's ID in base64url.
    pub id: String,
    /// The authenticator's answer.
    pub response: AttestationResponse,
    #[serde(flatten)]
    #[schema(ignore)]
    _more: Ignored,
}

/// `AuthenticatorAttestationResponseJSON` of WebAuthn. Further fields are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttestationResponse {
    /// The client data in base64url.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// The attestation object in base64url.
    pub attestation_object: String,
    #[serde(flatten)]
    #[schema(ignore)]
    _more: Ignored,
}

/// Registers a passkey, and sends the user an email.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the credential is malformed or does not answer options that this user
/// requested. Also fails if the credential was already registered, or if the user has 20 passkeys. Fails with
/// [`platform::Error::Forbidden`] if the email address is not confirmed.
pub async fn register(app: &App, user: UserId, request: PasskeyRegistration, once: &Once) -> Result<Passkey> {
    let (passkey, registered) = once
        .run_with(app, user, async || {
            let (row, used) = check_registration(app, user, &request).await?;
            let owner = users::get(app, user).await?;
            check_confirmed(&owner)?;
            let notice = Notice::new(app, NoticeKind::PasskeyAdded, user).create_write();
            let claim = Write::create(&Credential::of(&row)).or(refused("is already registered"));
            let writes = vec![Write::create(&row), claim, used, row::count_write(user), notice];
            Ok((writes, Passkey::from(row), ()))
        })
        .await?;
    if registered.is_some() {
        security::log(SecurityEvent::PasskeyChanged, user, "added");
    }
    Ok(passkey)
}

/// Checks a registration. Returns the row of the new passkey, and the write that marks its challenge as used.
async fn check_registration(
    app: &App,
    user: UserId,
    request: &PasskeyRegistration,
) -> Result<(PasskeyRow, Write)> {
    let (site, response) = (RelyingParty::of(app)?, &request.credential.response);
    let client = ClientData::parse(&decode(&response.client_data)?, "webauthn.create", &site)?;
    let used = challenge::check(app, Purpose::Register(user), &client.challenge).await?;
    let data = authenticator_data(&decode(&response.attestation_object)?)?;
    let data = AuthenticatorData::parse(&data, &site)?;
    let (id, key) = data.credential.ok_or_else(|| refused("has no public key"))?;
    if !data.user_verified {
        return Err(refused("was made without a PIN or fingerprint"));
    }
    let credential = BASE64_URL_SAFE_NO_PAD.encode(id);
    if credential != request.credential.id.trim_end_matches('=') {
        return Err(refused("has a different ID than its authenticator data"));
    }
    let (key, signatures) = (PublicKey::parse(key)?, i64::from(data.signatures));
    let (id, created_at) = (app.ids.next(app.now()), app.now());
    let name = request.name.clone();
    Ok((PasskeyRow { user, id, credential, key, name, signatures, created_at, used_at: None }, used))
}

/// Returns the authenticator data in an attestation object. Does not check the attestation, because the options request
/// none.
pub(super) fn authenticator_data(object: &[u8]) -> Result<Vec<u8>> {
    let malformed = || refused("has a malformed attestation object");
    let object: Value = ciborium::from_reader(object).map_err(|_| malformed())?;
    let fields = object.as_map().ok_or_else(malformed)?;
    let data = fields.iter().find(|(name, _)| name.as_text() == Some("authData"));
    data.and_then(|(_, data)| data.as_bytes().cloned()).ok_or_else(malformed)
}

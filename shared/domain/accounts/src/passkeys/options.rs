//! Options that a page passes to `navigator.credentials`, in the JSON form of WebAuthn Level 3.

use base::{SessionId, UserId};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use platform::{App, Once, Result};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

use super::{
    RelyingParty,
    challenge::{self, Purpose},
    key::ALGORITHMS,
    register::PasskeyOptionsRequest,
    row,
};
use crate::{factor_setup, tries::Device};

/// Time that the browser gives the user to answer.
const TIMEOUT_MILLIS: u32 = 300_000;
const PUBLIC_KEY: &str = "public-key";

/// Options for a new passkey. Pass `publicKey` to `PublicKeyCredential.parseCreationOptionsFromJSON`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyCreationOptions)]
#[serde(rename_all = "camelCase")]
pub struct CreationOptions {
    /// The options in the JSON form of WebAuthn.
    pub public_key: Creation,
}

/// `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyCreation)]
#[serde(rename_all = "camelCase")]
pub struct Creation {
    /// The site that the passkey belongs to.
    rp: Site,
    /// The user who gets the passkey.
    user: User,
    /// The challenge in base64url. It is valid for 5 minutes.
    challenge: String,
    /// The supported algorithms, the preferred one first.
    pub_key_cred_params: Vec<Algorithm>,
    /// The time in which the device must answer, in milliseconds.
    timeout: u32,
    /// The user's passkeys, so that no device registers twice.
    exclude_credentials: Vec<Descriptor>,
    /// The kind of device that is required.
    authenticator_selection: Selection,
    /// Always `none`.
    attestation: String,
}

/// Options for a sign-in. Pass `publicKey` to `PublicKeyCredential.parseRequestOptionsFromJSON`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyRequestOptions)]
#[serde(rename_all = "camelCase")]
pub struct RequestOptions {
    /// The options in the JSON form of WebAuthn.
    pub public_key: Requested,
}

/// `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyRequest)]
#[serde(rename_all = "camelCase")]
pub struct Requested {
    /// The challenge in base64url. It is valid for 5 minutes.
    challenge: String,
    /// The time in which the device must answer, in milliseconds.
    timeout: u32,
    /// The site that the passkey belongs to.
    rp_id: String,
    /// Always empty, because the device offers the user's passkeys.
    allow_credentials: Vec<Descriptor>,
    /// Always `required`.
    user_verification: String,
}

/// The site that the passkey belongs to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeySite)]
struct Site {
    /// The host at which the passkey is valid.
    id: String,
    /// The name that the browser shows.
    name: String,
}

/// The user of a new passkey.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyUser)]
#[serde(rename_all = "camelCase")]
struct User {
    /// The user handle in base64url.
    id: String,
    /// The username.
    name: String,
    /// The display name.
    display_name: String,
}

/// A supported algorithm.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyAlgorithm)]
struct Algorithm {
    /// Always `public-key`.
    #[serde(rename = "type")]
    kind: String,
    /// The COSE identifier: -7, -8 or -257.
    alg: i64,
}

/// An existing passkey.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeyDescriptor)]
struct Descriptor {
    /// Always `public-key`.
    #[serde(rename = "type")]
    kind: String,
    /// The passkey's ID in base64url.
    id: String,
}

/// The kind of authenticator that is required.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PasskeySelection)]
#[serde(rename_all = "camelCase")]
struct Selection {
    /// Always `required`: the device stores the passkey, so a sign-in needs no username.
    resident_key: String,
    /// Always true.
    require_resident_key: bool,
    /// Always `required`: the device checks a PIN, a fingerprint or a face.
    user_verification: String,
}

/// Returns options for a new passkey of a user.
///
/// # Errors
/// Fails like [`crate::factor_setup::begin_second_factor`], but may be called while a second factor is on.
pub async fn creation_options(
    app: &App,
    user: UserId,
    session: SessionId,
    request: PasskeyOptionsRequest,
    device: &Device,
    once: &Once,
) -> Result<CreationOptions> {
    once.run(app, user, async || {
        let owner = factor_setup::check_owner(app, user, session, request.password.clone(), device).await?;
        Ok((Vec::new(), options_for(app, &owner).await?))
    })
    .await
}

async fn options_for(app: &App, owner: &people::users::User) -> Result<CreationOptions> {
    let user = owner.id;
    let (site, passkeys) = (RelyingParty::of(app)?, row::all(app, user).await?);
    let public_key = Creation {
        rp: Site { name: site.id.clone(), id: site.id },
        user: User {
            id: BASE64_URL_SAFE_NO_PAD.encode(Ulid::from(user).to_bytes()),
            name: owner.username.to_string(),
            display_name: owner.name.to_string(),
        },
        challenge: BASE64_URL_SAFE_NO_PAD.encode(challenge::issue(app, Purpose::Register(user)).await?),
        pub_key_cred_params: ALGORITHMS.map(|alg| Algorithm { kind: PUBLIC_KEY.to_owned(), alg }).to_vec(),
        timeout: TIMEOUT_MILLIS,
        exclude_credentials: passkeys
            .into_iter()
            .map(|passkey| Descriptor { kind: PUBLIC_KEY.to_owned(), id: passkey.credential })
            .collect(),
        authenticator_selection: Selection {
            resident_key: "required".to_owned(),
            require_resident_key: true,
            user_verification: "required".to_owned(),
        },
        attestation: "none".to_owned(),
    };
    Ok(CreationOptions { public_key })
}

/// Returns options for a sign-in of any user.
///
/// # Errors
/// Fails with an internal error if `APP_URL` or the signing secret is missing.
pub async fn request_options(app: &App) -> Result<RequestOptions> {
    let public_key = Requested {
        challenge: BASE64_URL_SAFE_NO_PAD.encode(challenge::issue(app, Purpose::SignIn).await?),
        timeout: TIMEOUT_MILLIS,
        rp_id: RelyingParty::of(app)?.id,
        allow_credentials: Vec::new(),
        user_verification: "required".to_owned(),
    };
    Ok(RequestOptions { public_key })
}

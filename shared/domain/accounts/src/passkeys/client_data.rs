//! The client data: what the browser reports about a registration or sign-in.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use platform::Result;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{RelyingParty, refused};

/// Checked client data.
pub(super) struct ClientData {
    /// The challenge that was answered.
    pub(super) challenge: Vec<u8>,
    /// The hash of the data, which the authenticator signs.
    pub(super) hash: [u8; 32],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Collected {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
}

impl ClientData {
    /// Parses client data. Checks its kind, `webauthn.create` or `webauthn.get`, and that its origin belongs to the site.
    pub(super) fn parse(json: &[u8], kind: &str, site: &RelyingParty) -> Result<Self> {
        let collected: Collected =
            serde_json::from_slice(json).map_err(|_| refused("has client data that is not JSON"))?;
        match &collected {
            collected if collected.kind != kind => Err(refused("was made for a different operation")),
            Collected { cross_origin: true, .. } => Err(refused("comes from a cross-origin frame")),
            collected if !site.origins.contains(&collected.origin) => Err(refused("comes from another site")),
            _ => Ok(()),
        }?;
        let challenge = BASE64_URL_SAFE_NO_PAD.decode(collected.challenge.trim_end_matches('='));
        let challenge = challenge.map_err(|_| refused("has a challenge that is not base64url"))?;
        Ok(Self { challenge, hash: Sha256::digest(json).into() })
    }
}

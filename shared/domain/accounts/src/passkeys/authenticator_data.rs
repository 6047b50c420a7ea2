//! The authenticator data: what the authenticator reports about a registration or sign-in.
//!
//! Layout: <https://www.w3.org/TR/webauthn-3/#authenticator-data>.

use platform::Result;
use sha2::{Digest, Sha256};

use super::{RelyingParty, refused};

const HASH_BYTES: usize = 32;
const AAGUID_BYTES: usize = 16;
/// The specification's maximum length of an ID.
const ID_MAX_BYTES: usize = 1023;
const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const HAS_CREDENTIAL: u8 = 1 << 6;

/// Checked authenticator data.
#[derive(Debug)]
pub(super) struct AuthenticatorData<'a> {
    /// Whether the authenticator checked a PIN or a fingerprint.
    pub(super) user_verified: bool,
    /// The number of signatures, or 0 if the authenticator does not count signatures.
    pub(super) signatures: u32,
    /// The ID of a new passkey, and its public key in COSE format, possibly followed by extensions.
    pub(super) credential: Option<(&'a [u8], &'a [u8])>,
}

impl<'a> AuthenticatorData<'a> {
    /// Parses authenticator data. Checks that the data is for this site, and that a user was present.
    pub(super) fn parse(bytes: &'a [u8], site: &RelyingParty) -> Result<Self> {
        let too_short = || refused("has authenticator data that is too short");
        let (site_hash, rest) = bytes.split_at_checked(HASH_BYTES).ok_or_else(too_short)?;
        let (flags, rest) = rest.split_first().ok_or_else(too_short)?;
        let (signatures, rest) = rest.split_first_chunk::<4>().ok_or_else(too_short)?;
        if site_hash != Sha256::digest(&site.id).as_slice() {
            return Err(refused("belongs to another site"));
        }
        if flags & USER_PRESENT == 0 {
            return Err(refused("was made without a user at the device"));
        }
        let credential = match flags & HAS_CREDENTIAL {
            0 => None,
            _ => Some(credential(rest).ok_or_else(too_short)?),
        };
        let user_verified = flags & USER_VERIFIED != 0;
        Ok(Self { user_verified, signatures: u32::from_be_bytes(*signatures), credential })
    }
}

/// Returns the ID of a new passkey, and the bytes after it, which start with the public key.
fn credential(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_aaguid, rest) = bytes.split_at_checked(AAGUID_BYTES)?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length));
    (1..=ID_MAX_BYTES).contains(&length).then(|| rest.split_at_checked(length))?
}

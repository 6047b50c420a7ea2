//! Public keys of passkeys, in COSE format (RFC 9052 and RFC 9053).

use aws_lc_rs::signature::{
    self, ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use ciborium::Value;
use platform::Result;
use serde::{Deserialize, Serialize};

use super::refused;

/// COSE identifiers of the supported algorithms, in order of preference.
pub(super) const ALGORITHMS: [i64; 3] = [ES256, EDDSA, RS256];
const ES256: i64 = -7;
const EDDSA: i64 = -8;
const RS256: i64 = -257;

/// Labels of a key's parameters.
const KIND: i64 = 1;
const ALGORITHM: i64 = 3;
const CURVE: i64 = -1;
const X: i64 = -2;
const Y: i64 = -3;
const MODULUS: i64 = -1;
const EXPONENT: i64 = -2;

const OKP: i64 = 1;
const EC2: i64 = 2;
const RSA: i64 = 3;
const P256: i64 = 1;
const CURVE_25519: i64 = 6;
const COORDINATE_BYTES: usize = 32;
/// The first byte of an uncompressed point.
const UNCOMPRESSED: u8 = 4;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "algorithm")]
pub(super) enum PublicKey {
    /// ECDSA on P-256 with SHA-256. The point is uncompressed, in hexadecimal digits.
    #[serde(rename = "ES256")]
    Es256 { point: String },
    /// Ed25519, in hexadecimal digits.
    #[serde(rename = "EdDSA")]
    EdDsa { point: String },
    /// RSA PKCS#1 v1.5 with SHA-256, in hexadecimal digits.
    #[serde(rename = "RS256")]
    Rs256 { modulus: String, exponent: String },
}

impl PublicKey {
    /// Parses a COSE key. Ignores the extensions after the key.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let malformed = || refused("has a malformed public key");
        let parameters: Value = ciborium::from_reader(bytes).map_err(|_| malformed())?;
        let number =
            |label| find(&parameters, label)?.as_integer().and_then(|number| i64::try_from(number).ok());
        let text = |label| find(&parameters, label)?.as_bytes();
        let coordinate = |label| text(label).filter(|bytes| bytes.len() == COORDINATE_BYTES);
        let key = match (number(KIND), number(ALGORITHM)) {
            (Some(EC2), Some(ES256)) if number(CURVE) == Some(P256) => {
                coordinate(X).zip(coordinate(Y)).map(|(x, y)| {
                    let point = [&[UNCOMPRESSED], x.as_slice(), y.as_slice()].concat();
                    Self::Es256 { point: hex::encode(point) }
                })
            }
            (Some(OKP), Some(EDDSA)) if number(CURVE) == Some(CURVE_25519) => {
                coordinate(X).map(|x| Self::EdDsa { point: hex::encode(x) })
            }
            (Some(RSA), Some(RS256)) => text(MODULUS).zip(text(EXPONENT)).map(|(modulus, exponent)| {
                Self::Rs256 { modulus: hex::encode(modulus), exponent: hex::encode(exponent) }
            }),
            (Some(_), Some(_)) => return Err(refused("has a key of an unsupported algorithm")),
            _ => None,
        };
        key.ok_or_else(malformed)
    }

    /// Returns `Some` if `signature` is this key's signature of `signed`, and otherwise `None`.
    pub(super) fn verify(&self, signed: &[u8], signature: &[u8]) -> Option<()> {
        match self {
            Self::Es256 { point } => verify(&ECDSA_P256_SHA256_ASN1, point, signed, signature),
            Self::EdDsa { point } => verify(&ED25519, point, signed, signature),
            Self::Rs256 { modulus, exponent } => {
                let (n, e) = (hex::decode(modulus).ok()?, hex::decode(exponent).ok()?);
                let key = RsaPublicKeyComponents { n, e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature).ok()
            }
        }
    }
}

fn verify(
    algorithm: &'static dyn signature::VerificationAlgorithm,
    point: &str,
    signed: &[u8],
    signature: &[u8],
) -> Option<()> {
    UnparsedPublicKey::new(algorithm, hex::decode(point).ok()?).verify(signed, signature).ok()
}

fn find(parameters: &Value, label: i64) -> Option<&Value> {
    let entry = parameters.as_map()?.iter().find(|(key, _)| *key == Value::from(label))?;
    Some(&entry.1)
}

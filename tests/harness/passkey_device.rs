//! A simulated device that creates passkeys, as phones and security keys do.

use aws_lc_rs::{
    rand::{SecureRandom, SystemRandom},
    rsa::KeySize,
    signature::{
        ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
    },
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ciborium::{Value as Cbor, cbor};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const HASH_BYTES: usize = 32;
const ID_BYTES: usize = 20;
/// User present, user verified.
const FLAGS: u8 = 0b101;
const HAS_CREDENTIAL: u8 = 1 << 6;

/// A device with one passkey.
pub struct PasskeyDevice {
    key: Key,
    id: Vec<u8>,
    /// Signature counter of the next response.
    pub signatures: u32,
    /// Authenticator flags of the next response, as WebAuthn defines them.
    pub flags: u8,
    /// Origin of the page that uses the passkey.
    pub origin: String,
    /// Domain of the site to which the passkey belongs.
    pub site: String,
    handle: String,
}

enum Key {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(RsaKeyPair),
}

impl PasskeyDevice {
    /// Creates a device with this key and ID, whose signatures are the same each time. `url` is the page that uses the
    /// passkey.
    pub fn with_seed(seed: [u8; 32], url: &str) -> Self {
        let key = Key::EdDsa(Ed25519KeyPair::from_seed_unchecked(&seed).expect("a key"));
        Self { key, id: seed[..ID_BYTES].to_vec(), ..Self::new(-8, url) }
    }

    /// Creates a device with a key of this COSE algorithm: -7, -8 or -257. `url` is the page that uses the passkey.
    pub fn new(algorithm: i64, url: &str) -> Self {
        let key = match algorithm {
            -7 => Key::Es256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("a key")),
            -8 => Key::EdDsa(Ed25519KeyPair::generate().expect("a key")),
            -257 => Key::Rs256(RsaKeyPair::generate(KeySize::Rsa2048).expect("a key")),
            other => panic!("unsupported algorithm {other}"),
        };
        let mut id = vec![0; ID_BYTES];
        SystemRandom::new().fill(&mut id).expect("random bytes");
        let (origin, site) = (url.replace("127.0.0.1", "localhost"), "localhost".to_owned());
        Self { key, id, signatures: 0, flags: FLAGS, origin, site, handle: String::new() }
    }

    /// Creates a passkey for the registration options, and returns the response.
    pub fn creates(&mut self, options: &Value) -> Value {
        let options = &options["publicKey"];
        self.handle = options["user"]["id"].as_str().expect("a user handle").to_owned();
        let client_data = self.client_data("webauthn.create", options);
        let mut data = self.data(self.flags | HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend((self.id.len() as u16).to_be_bytes());
        data.extend(&self.id);
        data.extend(encode(&self.cose_key()));
        let object = cbor!({ "fmt" => "none", "attStmt" => {}, "authData" => Cbor::Bytes(data) });
        json!({
            "id": text(&self.id), "rawId": text(&self.id), "type": "public-key",
            "clientExtensionResults": {}, "authenticatorAttachment": "platform",
            "response": {
                "clientDataJSON": text(&client_data), "transports": ["internal"],
                "attestationObject": text(&encode(&object.expect("CBOR"))),
            },
        })
    }

    /// Signs the challenge in the sign-in options, and returns the response.
    pub fn signs(&mut self, options: &Value) -> Value {
        let client_data = self.client_data("webauthn.get", &options["publicKey"]);
        let data = self.data(self.flags);
        let signed = [data.as_slice(), &Sha256::digest(&client_data)].concat();
        json!({
            "id": text(&self.id), "rawId": text(&self.id), "type": "public-key", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": text(&client_data), "authenticatorData": text(&data),
                "signature": text(&self.sign(&signed)), "userHandle": self.handle,
            },
        })
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let (challenge, origin) = (&options["challenge"], &self.origin);
        let data = json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false });
        data.to_string().into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let mut data = Vec::with_capacity(HASH_BYTES);
        data.extend(Sha256::digest(&self.site));
        data.push(flags);
        data.extend(self.signatures.to_be_bytes());
        data
    }

    fn cose_key(&self) -> Cbor {
        let bytes = |bytes: &[u8]| Cbor::Bytes(bytes.to_vec());
        let key = match &self.key {
            Key::Es256(key) => {
                let point = key.public_key().as_ref();
                cbor!({ 1 => 2, 3 => -7, -1 => 1, -2 => bytes(&point[1..33]), -3 => bytes(&point[33..]) })
            }
            Key::EdDsa(key) => {
                cbor!({ 1 => 1, 3 => -8, -1 => 6, -2 => bytes(key.public_key().as_ref()) })
            }
            Key::Rs256(key) => {
                let modulus = key.public_key().modulus().big_endian_without_leading_zero();
                let exponent = key.public_key().exponent().big_endian_without_leading_zero();
                cbor!({ 1 => 3, 3 => -257, -1 => bytes(modulus), -2 => bytes(exponent) })
            }
        };
        key.expect("CBOR")
    }

    fn sign(&self, signed: &[u8]) -> Vec<u8> {
        match &self.key {
            Key::Es256(key) => key.sign(&SystemRandom::new(), signed).expect("a signature").as_ref().to_vec(),
            Key::EdDsa(key) => key.sign(signed).as_ref().to_vec(),
            Key::Rs256(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                let random = SystemRandom::new();
                key.sign(&RSA_PKCS1_SHA256, &random, signed, &mut signature).expect("a signature");
                signature
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn encode(value: &Cbor) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).expect("CBOR");
    bytes
}

//! The test vectors of WebAuthn Level 3, <https://www.w3.org/TR/webauthn-3/#sctn-test-vectors>.

use serde::Deserialize;

use super::{
    RelyingParty, authenticator_data::AuthenticatorData, client_data::ClientData, key::PublicKey,
    register::authenticator_data,
};

const VECTORS: &str = include_str!("../../data/webauthn.json");

/// The answers of an authenticator when it creates a passkey, and when it signs a challenge. All bytes are in
/// hexadecimal digits.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    name: String,
    attestation_object: String,
    created_client_data: String,
    created_challenge: String,
    credential_id: String,
    authenticator_data: String,
    signed_client_data: String,
    signed_challenge: String,
    signature: String,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(VECTORS).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    hex::decode(hex).unwrap()
}

fn site(host: &str) -> RelyingParty {
    RelyingParty { id: host.to_owned(), origins: vec![format!("https://{host}")] }
}

/// Returns the ID and the public key of a new passkey.
fn created(vector: &Vector) -> (Vec<u8>, PublicKey) {
    let data = authenticator_data(&bytes(&vector.attestation_object)).unwrap();
    let data = AuthenticatorData::parse(&data, &site("example.org")).unwrap();
    let (id, key) = data.credential.unwrap();
    (id.to_owned(), PublicKey::parse(key).unwrap())
}

#[test]
fn signatures_of_recorded_authenticators_are_valid() {
    let site = site("example.org");
    for vector in vectors() {
        let client =
            ClientData::parse(&bytes(&vector.created_client_data), "webauthn.create", &site).unwrap();
        assert_eq!(client.challenge, bytes(&vector.created_challenge), "{}", vector.name);
        let (id, key) = created(&vector);
        assert_eq!(id, bytes(&vector.credential_id), "{}", vector.name);
        let client = ClientData::parse(&bytes(&vector.signed_client_data), "webauthn.get", &site).unwrap();
        assert_eq!(client.challenge, bytes(&vector.signed_challenge), "{}", vector.name);
        let data = bytes(&vector.authenticator_data);
        AuthenticatorData::parse(&data, &site).unwrap();
        let (signed, signature) = ([&data[..], &client.hash].concat(), bytes(&vector.signature));
        assert!(key.verify(&signed, &signature).is_some(), "{}", vector.name);
        for at in [0, data.len(), signed.len() - 1] {
            let mut changed = signed.clone();
            changed[at] ^= 1;
            assert!(key.verify(&changed, &signature).is_none(), "{} at {at}", vector.name);
        }
        let mut changed = signature.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(key.verify(&signed, &changed).is_none(), "{}", vector.name);
    }
}

#[test]
fn recorded_answers_are_refused_by_other_sites_and_operations() {
    for vector in vectors() {
        let (created, data) = (bytes(&vector.created_client_data), bytes(&vector.authenticator_data));
        assert!(
            ClientData::parse(&created, "webauthn.get", &site("example.org")).is_err(),
            "{}",
            vector.name
        );
        for other in ["example.com", "login.example.org", "org"] {
            assert!(ClientData::parse(&created, "webauthn.create", &site(other)).is_err(), "{}", vector.name);
            assert!(AuthenticatorData::parse(&data, &site(other)).is_err(), "{}", vector.name);
        }
    }
}

#[test]
fn the_vectors_have_each_algorithm() {
    let keys: Vec<_> = vectors().iter().map(|vector| created(vector).1).collect();
    assert!(keys.iter().any(|key| matches!(key, PublicKey::Es256 { .. })));
    assert!(keys.iter().any(|key| matches!(key, PublicKey::EdDsa { .. })));
    assert!(keys.iter().any(|key| matches!(key, PublicKey::Rs256 { .. })));
}

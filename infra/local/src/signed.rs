//! Parts of signed requests: headers, queries, access keys and message authentication codes.

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use lambda_http::http::HeaderMap;
use sha2::Sha256;

/// The query parameters of a signed request, sorted by name. The values stay percent-encoded.
pub(crate) struct SignedQuery<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> SignedQuery<'a> {
    pub(crate) fn parse(query: &'a str) -> Self {
        Self(query.split('&').filter_map(|pair| pair.split_once('=')).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    /// Returns the query without the parameter that contains the signature.
    pub(crate) fn without(&self, signature: &str) -> String {
        let signed = self.0.iter().filter(|(name, _)| **name != signature);
        signed.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }
}

/// Returns the value of a header, or `None` if it is missing or not text.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Returns the access key ID at the start of a credential of AWS Signature Version 4.
pub(crate) fn access_key(credential: &str) -> &str {
    credential.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default()
}

pub(crate) fn mac(key: &[u8], text: &str) -> Vec<u8> {
    // HMAC accepts keys of any length, so this cannot fail.
    let mac = Hmac::<Sha256>::new_from_slice(key);
    mac.map(|mac| mac.chain_update(text).finalize().into_bytes().to_vec()).unwrap_or_default()
}

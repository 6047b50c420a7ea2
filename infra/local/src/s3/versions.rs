//! Lists versions of objects, in the format of S3.

use axum::response::{IntoResponse, Response};
use lambda_http::http::request::Parts;
use percent_encoding::percent_decode_str;

use crate::{
    object_store::{Listed, ObjectStore},
    signed::SignedQuery,
};

const MAX_KEYS: usize = 1000;

/// Returns whether a request lists the versions of a bucket.
pub(super) fn is_list(parts: &Parts) -> bool {
    query(parts).get("versions").is_some()
}

/// Returns the ID of the version that a request names, or `None` if it names none.
pub(super) fn version_of(parts: &Parts) -> Option<&str> {
    query(parts).get("versionId")
}

pub(super) fn answer(store: &ObjectStore, bucket: &str, parts: &Parts) -> Response {
    let parameter = |name| decoded(query(parts).get(name).unwrap_or_default());
    let max = parameter("max-keys").parse().unwrap_or(MAX_KEYS).min(MAX_KEYS);
    let path = |key: String| format!("/{bucket}/{key}");
    let (prefix, after) = (path(parameter("prefix")), path(parameter("key-marker")));
    let mut versions = store.list(&prefix, &after, max + 1);
    let is_truncated = versions.len() > max;
    versions.truncate(max);
    let entries: String = versions.iter().map(|version| entry(bucket, version)).collect();
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListVersionsResult>\
         <IsTruncated>{is_truncated}</IsTruncated>{entries}</ListVersionsResult>"
    );
    ([("content-type", "application/xml")], body).into_response()
}

fn entry(bucket: &str, Listed { path, id, is_deletion }: &Listed) -> String {
    let key = path.trim_start_matches('/').strip_prefix(bucket).unwrap_or_default().trim_start_matches('/');
    let element = if *is_deletion { "DeleteMarker" } else { "Version" };
    format!("<{element}><Key>{key}</Key><VersionId>{id}</VersionId></{element}>")
}

fn query(parts: &Parts) -> SignedQuery<'_> {
    SignedQuery::parse(parts.uri.query().unwrap_or_default())
}

fn decoded(value: &str) -> String {
    percent_decode_str(value).decode_utf8_lossy().into_owned()
}

//! Lists objects with their versions, and deletes all versions of an object. A versioned bucket otherwise keeps deleted
//! objects.

use anyhow::{Result as Anyhow, ensure};
use bytes::Bytes;
use futures::future::try_join_all;
use http::Method;

use super::{Bucket, body};
use crate::{Error, Result};

/// Maximum number of versions in a page.
const PAGE_MAX: usize = 100;
/// Maximum size of a page in bytes. A version takes about 500 bytes.
const PAGE_MAX_BYTES: usize = 256 * 1024;

/// A page of versions, ordered by key.
struct Page {
    versions: Vec<Version>,
    /// Whether more versions follow.
    is_truncated: bool,
}

/// A version of an object, or a marker that the object was deleted.
#[derive(Debug, PartialEq, Eq)]
struct Version {
    key: String,
    id: String,
}

impl Bucket<'_> {
    /// Deletes all versions of an object at once. Does nothing if the object has no versions.
    pub async fn delete(&self, key: &str) -> Result<()> {
        self.delete_versions(key).await.map_err(Error::Internal)
    }

    /// Returns the next keys that start with `prefix`, in ascending order: at most 100 keys after the key `after`. An
    /// empty list means that no keys are left. A key with several versions occurs several times.
    pub async fn next_keys(&self, prefix: &str, after: &str) -> Result<Vec<String>> {
        let page = self.list(prefix, Some(after)).await.map_err(Error::Internal)?;
        Ok(page.versions.into_iter().map(|version| version.key).collect())
    }

    async fn delete_versions(&self, key: &str) -> Anyhow<()> {
        loop {
            let Page { versions, is_truncated } = self.list(key, None).await?;
            let own: Vec<_> = versions.iter().filter(|version| version.key == key).collect();
            try_join_all(own.iter().map(|version| self.delete_version(version))).await?;
            // The keys are ordered, so the object's own key comes before longer keys.
            if !is_truncated || own.len() < versions.len() {
                return Ok(());
            }
        }
    }

    async fn delete_version(&self, Version { key, id }: &Version) -> Anyhow<()> {
        let version = format!("{key}?{}", query(&[("versionId", id)]));
        self.send(Method::DELETE, &version, &[], Bytes::new()).await
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Anyhow<Page> {
        let max = PAGE_MAX.to_string();
        let mut parameters = vec![("versions", ""), ("max-keys", max.as_str()), ("prefix", prefix)];
        parameters.extend(after.map(|after| ("key-marker", after)));
        let list = format!("?{}", query(&parameters));
        let response = self.send_request(Method::GET, &list, &[], Bytes::new()).await?;
        ensure!(response.status().is_success(), "S3 returned {} for a list", response.status());
        Ok(page(&String::from_utf8_lossy(&body(response, PAGE_MAX_BYTES).await?)))
    }
}

fn query(parameters: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish()
}

/// Reads the XML of a page. Keys of this service have no characters that XML escapes.
fn page(xml: &str) -> Page {
    let entries = xml.split("</Version>").flat_map(|part| part.split("</DeleteMarker>"));
    let version =
        |entry: &str| Some(Version { key: element(entry, "Key")?, id: element(entry, "VersionId")? });
    let is_truncated = element(xml, "IsTruncated").is_some_and(|value| value == "true");
    Page { versions: entries.filter_map(version).collect(), is_truncated }
}

fn element(xml: &str, name: &str) -> Option<String> {
    let (_, start) = xml.split_once(&format!("<{name}>"))?;
    start.split_once(&format!("</{name}>")).map(|(value, _)| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_contains_versions_and_delete_markers() {
        let xml = "<ListVersionsResult><Prefix>a</Prefix><KeyMarker></KeyMarker><IsTruncated>true</IsTruncated>\
                   <NextKeyMarker>a/c</NextKeyMarker>\
                   <Version><ETag>\"e\"</ETag><VersionId>1</VersionId><Key>a/b</Key></Version>\
                   <DeleteMarker><Key>a/c</Key><VersionId>null</VersionId></DeleteMarker></ListVersionsResult>";
        let Page { versions, is_truncated } = page(xml);
        let read: Vec<_> =
            versions.iter().map(|version| (version.key.as_str(), version.id.as_str())).collect();
        assert_eq!((read.as_slice(), is_truncated), ([("a/b", "1"), ("a/c", "null")].as_slice(), true));
    }

    #[test]
    fn a_page_without_versions_is_empty() {
        let Page { versions, is_truncated } = page(
            "<ListVersionsResult><Prefix>a</Prefix><IsTruncated>false</IsTruncated></ListVersionsResult>",
        );
        assert_eq!((versions, is_truncated), (vec![], false));
    }
}

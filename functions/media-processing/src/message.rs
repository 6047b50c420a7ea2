//! Messages in the worker's queue: notifications from the bucket, and jobs.

use domain::MediaJob;
use serde::Deserialize;

/// A message in the queue.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Message {
    /// A job from this service.
    Job(MediaJob),
    /// Notification of files that were uploaded to the bucket.
    Files {
        /// One record per file.
        #[serde(rename = "Records")]
        records: Vec<FileRecord>,
    },
    /// Test message from the bucket.
    Test(BucketTest),
}

/// An uploaded file.
#[derive(Debug, Deserialize)]
pub(crate) struct FileRecord {
    s3: FileInBucket,
}

#[derive(Debug, Deserialize)]
struct FileInBucket {
    object: Object,
}

#[derive(Debug, Deserialize)]
struct Object {
    key: String,
}

/// Test message that S3 sends when a bucket's notifications are configured.
#[derive(Debug, Deserialize)]
#[serde(tag = "Event")]
pub(crate) enum BucketTest {
    /// Event name of the test message.
    #[serde(rename = "s3:TestEvent")]
    Test,
}

impl FileRecord {
    /// Returns the key of the file. It needs no decoding, because it has no characters that S3 escapes.
    pub(crate) fn key(&self) -> &str {
        &self.s3.object.key
    }
}

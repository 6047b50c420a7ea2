//! What the worker's queue has: messages of the bucket, and jobs.

use domain::jobs::MediaJob;
use serde::Deserialize;

/// A message of the queue.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Message {
    /// A job of our own.
    Job(MediaJob),
    /// Files were put into the bucket.
    Files {
        /// One for each file.
        #[serde(rename = "Records")]
        records: Vec<FileRecord>,
    },
    /// The bucket was told of the queue, and tries it.
    Test(BucketTest),
}

/// A file that was put.
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

/// The bucket's own test. It comes once, when a stack is made or its notifications change.
#[derive(Debug, Deserialize)]
#[serde(tag = "Event")]
pub(crate) enum BucketTest {
    /// Its name.
    #[serde(rename = "s3:TestEvent")]
    Test,
}

impl FileRecord {
    /// Returns the file's key. Keys of uploads have no character that S3 would escape.
    pub(crate) fn key(&self) -> &str {
        &self.s3.object.key
    }
}

//! Private copies of an upload's public files. They remain after the public files are deleted. Only signed URLs reach
//! them.

use futures::future::try_join_all;
use platform::{App, Bucket, Result};

use super::{Upload, animation_of, row::keys_of};

/// Returns the key of the private copy of a public file. `folder` is the name of a folder of private copies.
pub fn private_key(folder: &str, public: &str) -> String {
    format!("evidence/{folder}/{}", public.trim_start_matches("uploads/"))
}

/// Deletes the private copies in `folder` of the upload whose main file has this key.
///
/// # Errors
/// Fails if the bucket fails.
pub async fn delete_private(app: &App, folder: &str, key: &str) -> Result<()> {
    let (bucket, keys) = (Bucket::of_uploads(app)?, keys_of(key));
    try_join_all(keys.iter().map(async |key| bucket.delete(&private_key(folder, key)).await)).await.map(drop)
}

impl Upload {
    /// Copies the public files to `folder`. Returns false if no public file exists.
    ///
    /// # Errors
    /// Fails if the bucket fails.
    pub async fn copy_to_private(&self, app: &App, folder: &str) -> Result<bool> {
        let mut is_copied = false;
        for key in self.public_keys() {
            let copy = private_key(folder, &key);
            is_copied |= Bucket::of_uploads(app)?.copy_private(&key, &copy, self.type_of(&key)).await?;
        }
        Ok(is_copied)
    }

    /// Copies the private copies in `folder` back to the public keys. Keeps existing public files.
    ///
    /// # Errors
    /// Fails if the bucket fails.
    pub async fn copy_to_public(&self, app: &App, folder: &str) -> Result<()> {
        let bucket = Bucket::of_uploads(app)?;
        for key in self.public_keys() {
            if bucket.length(&key).await?.is_none() {
                bucket.copy_public(&private_key(folder, &key), &key, self.type_of(&key)).await?;
            }
        }
        Ok(())
    }

    /// Deletes the public files.
    ///
    /// # Errors
    /// Fails if the bucket fails.
    pub async fn delete_public(&self, app: &App) -> Result<()> {
        let (bucket, keys) = (Bucket::of_uploads(app)?, self.public_keys());
        try_join_all(keys.iter().map(|key| bucket.delete(key))).await.map(drop)
    }

    /// Returns the content type of a public file.
    fn type_of(&self, key: &str) -> &str {
        let animation = self.animation().filter(|_| key == animation_of(&self.key));
        let still = self.picture.as_ref().map(|picture| picture.content_type.as_str());
        animation.or(still).unwrap_or(self.content_type.name())
    }
}

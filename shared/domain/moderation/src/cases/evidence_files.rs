//! The files of evidence. Before a reported post's public file is deleted, the worker copies it to a private key.

use base::{CaseId, PostId, UploadId, UserId};
use platform::{App, Error, Result, Write, outcomes};
use ulid::Ulid;
use uploads::Upload;

use super::{
    evidence::{Evidence, find, key},
    row::Case,
};
use crate::any_post::AnyPost;

/// Maximum number of attempts of [`place_file`] while moderators delete and restore the post.
const PLACE_ATTEMPTS: usize = 3;

/// Copies a file to a private key if it is evidence in the case of one of `posts`, or in the case of its owner. Call
/// this function before the upload is released from these posts. Repeating the call has no effect.
///
/// # Errors
/// Fails if the bucket or the table fails.
pub async fn keep_file(app: &App, upload: &Upload, posts: &[PostId]) -> Result<()> {
    let of_owner = upload.owner.map(|owner: UserId| CaseId::from(Ulid::from(owner.public())));
    for case in posts.iter().map(|post| Case::id_for(*post)).chain(of_owner) {
        keep_in(app, case, upload).await?;
    }
    Ok(())
}

/// Hides the public file of a post that moderators deleted, or shows it again after they restored the post. The file of
/// a deleted post stays public if it has no private copy, or if anything else uses the upload.
///
/// # Errors
/// Fails with [`Error::WriteConflict`] if moderators deleted or restored the post during each attempt, or if the uses of
/// the upload changed meanwhile. Fails if the bucket or the table fails.
pub async fn place_file(app: &App, upload: UploadId, post: PostId) -> Result<()> {
    for _ in 0..PLACE_ATTEMPTS {
        let Some(upload) = uploads::find(app, upload).await? else {
            return outcomes::end("the upload is gone");
        };
        let was_deleted = is_deleted(app, post).await?;
        match was_deleted {
            true => hide(app, &upload, post).await?,
            false => show(app, &upload, post).await?,
        }
        if is_deleted(app, post).await? == was_deleted {
            return Ok(());
        }
    }
    Err(Error::WriteConflict)
}

/// Deletes the private copies of a file, unless new evidence of the case has the file. `file` is the key of its main
/// size.
///
/// # Errors
/// Fails if the bucket or the table fails.
pub async fn erase_files(app: &App, case: CaseId, file: &str) -> Result<()> {
    let is_kept = find(app, case).await?.is_some_and(|evidence| {
        evidence.media.keys().any(|(upload, key)| key == file && evidence.kept.contains(&upload))
    });
    match is_kept {
        true => outcomes::end("the file is evidence again"),
        false => uploads::delete_private(app, &case.to_string(), file).await,
    }
}

async fn hide(app: &App, upload: &Upload, post: PostId) -> Result<()> {
    let is_only_use = upload.posts == [post] && upload.picture_of.is_empty();
    match is_only_use && keep_in(app, Case::id_for(post), upload).await? {
        true => {
            app.table.write(uploads::hidden_write(upload, true)).await?;
            upload.delete_public(app).await
        }
        false => outcomes::end("the file stays public"),
    }
}

async fn show(app: &App, upload: &Upload, post: PostId) -> Result<()> {
    upload.copy_to_public(app, &Case::id_for(post).to_string()).await?;
    match upload.is_hidden {
        true => app.table.write(uploads::hidden_write(upload, false)).await,
        false => Ok(()),
    }
}

/// Copies a file to a private key if the evidence of a case has the file. Returns whether the copy exists.
async fn keep_in(app: &App, case: CaseId, upload: &Upload) -> Result<bool> {
    let has_file = |evidence: &Evidence| evidence.media.uploads().any(|file| file == upload.id);
    let Some(evidence) = find(app, case).await?.filter(has_file) else { return Ok(false) };
    if evidence.kept.contains(&upload.id) {
        return Ok(true);
    }
    let folder = case.to_string();
    if !upload.copy_to_private(app, &folder).await? {
        return Ok(false);
    }
    let write = Write::update(key(case)).append("kept", upload.id).lacks_value("kept", upload.id);
    let is_kept = app.table.try_write(write.equals("at", evidence.at)).await?
        || find(app, case).await?.is_some_and(|evidence| evidence.kept.contains(&upload.id));
    if !is_kept {
        // The evidence was erased or replaced meanwhile.
        uploads::delete_private(app, &folder, &upload.key).await?;
    }
    Ok(is_kept)
}

async fn is_deleted(app: &App, post: PostId) -> Result<bool> {
    Ok(AnyPost::find(app, post).await?.is_none_or(|post| post.is_deleted()))
}

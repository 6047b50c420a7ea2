//! Users' pictures. Other users see an upload, or a copy of a picture from another server.

use base::{ids::UploadId, jobs::OutboundJob};
use people::users::{self, AvatarSource, AvatarUrl, User};
use platform::{
    App, Result, error::Error, outbox::outbox_record_write, outcomes, retry_on_conflict, table::Write,
};
use serde::Deserialize;
use uploads::{Upload, UploadStatus};

/// A new picture of a user.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum NewAvatar {
    /// An uploaded picture of the user.
    Upload(UploadId),
    /// A picture at any URL.
    Url(AvatarUrl),
}

/// The fields of a user's row that contain the picture.
struct Avatars {
    avatar: Option<AvatarUrl>,
    source: Option<AvatarSource>,
}

impl TryFrom<String> for NewAvatar {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.parse() {
            Ok(upload) => Ok(Self::Upload(upload)),
            Err(_) => AvatarUrl::try_from(text).map(Self::Url),
        }
    }
}

/// Returns `write`, an update of the user's row, with the changed picture. Also returns the writes that change the
/// uploads.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the upload is not a processed picture of the user.
pub(crate) async fn change_writes(
    app: &App,
    write: Write,
    before: &User,
    new: Option<NewAvatar>,
) -> Result<(Write, Vec<Write>)> {
    let (after, copy_writes) = match new {
        None => (Avatars { avatar: None, source: None }, Vec::new()),
        Some(NewAvatar::Upload(id)) => {
            let url = url(uploads::own_picture(app, before.id, id).await?)?;
            (Avatars { avatar: Some(url), source: None }, Vec::new())
        }
        Some(NewAvatar::Url(url)) => from_url(app, before, url)?,
    };
    let owner = (before.id, before.id.into());
    let mut writes =
        uploads::picture_writes(app, owner, &Avatars::of(before).uploads(), &after.uploads()).await?;
    writes.extend(copy_writes);
    Ok((after.write(write, before), writes))
}

/// Makes a finished copy the picture of its owner, unless the owner chose another picture since.
///
/// # Errors
/// Fails if the table fails.
pub async fn show_copy(app: &App, upload: &Upload) -> Result<()> {
    if upload.copied_from.is_none() || upload.status != UploadStatus::Ready {
        return Ok(());
    }
    retry_on_conflict(async || {
        let found = users::find(app, upload.owner).await?;
        let is_chosen =
            |user: &User| user.avatar_source.as_ref().is_some_and(|source| source.copy == upload.id);
        let Some(before) = found.filter(is_chosen) else {
            return outcomes::end("the user chose another picture");
        };
        let avatar = upload.small(app)?.map(url).transpose()?;
        let after = Avatars { avatar, source: before.avatar_source.clone() };
        let owner = (before.id, before.id.into());
        let mut writes =
            uploads::picture_writes(app, owner, &Avatars::of(&before).uploads(), &after.uploads()).await?;
        writes.push(after.write(Write::update(users::key(before.id)), &before));
        app.table.transact(writes).await
    })
    .await
}

/// Returns the pictures of a user who chose the picture at `url`, and the writes that create a copy of the picture.
/// Creates no copy if the picture is in the bucket, or if its copy is already shown.
fn from_url(app: &App, before: &User, url: AvatarUrl) -> Result<(Avatars, Vec<Write>)> {
    if url.to_string().starts_with(&uploads::address(app, "")?) {
        return Ok((Avatars { avatar: Some(url), source: None }, Vec::new()));
    }
    let is_shown = before.avatar_source.as_ref().is_some_and(|source| {
        source.url == url && before.avatar.as_ref().and_then(uploads::of_url) == Some(source.copy)
    });
    if is_shown {
        return Ok((Avatars::of(before), Vec::new()));
    }
    let copy = uploads::new_avatar_copy(app, before.id, &url.to_string());
    let source = Some(AvatarSource { url, copy: copy.id });
    let job = OutboundJob::CopyPicture { upload: copy.id };
    let writes = vec![Write::create(&copy), outbox_record_write(app).then(&job)];
    Ok((Avatars { avatar: before.avatar.clone(), source }, writes))
}

impl Avatars {
    fn of(user: &User) -> Self {
        Self { avatar: user.avatar.clone(), source: user.avatar_source.clone() }
    }

    /// Returns the uploads that the pictures use.
    fn uploads(&self) -> Vec<UploadId> {
        let shown = self.avatar.as_ref().and_then(uploads::of_url);
        let copy = self.source.as_ref().map(|source| source.copy).filter(|copy| Some(*copy) != shown);
        shown.into_iter().chain(copy).collect()
    }

    /// Returns `write`, an update of the user's row, with these pictures. The write fails with a conflict if the user's
    /// pictures changed after `before` was read.
    fn write(&self, write: Write, before: &User) -> Write {
        write
            .set_or_remove("avatar", self.avatar.as_ref())
            .set_or_remove("avatarSource", self.source.as_ref())
            .is_still("avatar", before.avatar.as_ref())
            .is_still("avatarSource", before.avatar_source.as_ref())
    }
}

fn url(text: String) -> Result<AvatarUrl> {
    AvatarUrl::try_from(text).map_err(|why| Error::internal(anyhow::anyhow!(why)))
}

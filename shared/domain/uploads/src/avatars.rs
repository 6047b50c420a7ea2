//! Pictures of users and message groups. Other users see an upload, or a copy of a picture from another server.

use base::{OutboundJob, UploadId, UserId};
use people::{AvatarUrl, users::AvatarSource};
use platform::{App, Error, Result, Write, outbox_record_write};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

use super::{
    address,
    copies::new_avatar_copy,
    row::Upload,
    status::UploadStatus,
    uses::{of_url, picture_writes},
    view::{own_picture, own_picture_url},
};

const NEITHER: &str = "must be the ID of a picture that you uploaded, or an http or https URL of at most 2048 bytes, \
    without spaces and without a user";

/// A new picture of a user or message group.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum NewAvatar {
    /// An uploaded picture of the user who sets it.
    Upload(UploadId),
    /// A picture at any URL.
    Url(AvatarUrl),
}

/// The state of the copy of a picture from another server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CopyState {
    /// The picture has not been copied yet. Other users see the previous picture.
    Pending,
    /// Other users see the copy.
    Ready,
    /// The picture could not be copied. Other users see the previous picture. Set the picture again to retry.
    Failed,
}

/// A picture as the row of its user or message group contains it.
#[derive(Clone, Debug, Default)]
pub struct Avatar {
    /// The URL in the bucket, or `None` if there is no picture.
    pub shown: Option<AvatarUrl>,
    /// The chosen picture if it is on another server.
    pub source: Option<AvatarSource>,
}

impl TryFrom<String> for NewAvatar {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.trim().parse() {
            Ok(upload) => Ok(Self::Upload(upload)),
            Err(_) => AvatarUrl::try_from(text).map(Self::Url).map_err(|_| NEITHER),
        }
    }
}

impl NewAvatar {
    /// Returns whether `avatar` already is this picture.
    pub fn is_same(&self, avatar: &Avatar) -> bool {
        match self {
            Self::Upload(id) => {
                avatar.source.is_none() && avatar.shown.as_ref().and_then(of_url) == Some(*id)
            }
            // The same picture can be copied again after a failure.
            Self::Url(url) if avatar.has_failed() => avatar.shows(url),
            Self::Url(url) => avatar.chosen() == Some(url) || avatar.shows(url),
        }
    }
}

impl Avatar {
    /// Returns the URL as the user chose it.
    pub fn chosen(&self) -> Option<&AvatarUrl> {
        self.source.as_ref().map(|source| &source.url).or(self.shown.as_ref())
    }

    /// Returns whether `url` or its copy is shown. Returns false if a copy of another picture is still to be shown.
    fn shows(&self, url: &AvatarUrl) -> bool {
        let shown = self.shown.as_ref().and_then(of_url);
        let is_final = self.source.as_ref().is_none_or(|source| shown == Some(source.copy));
        is_final && (self.shown.as_ref() == Some(url) || self.chosen() == Some(url))
    }

    /// Returns the uploads that the picture uses.
    pub fn uploads(&self) -> Vec<UploadId> {
        let shown = self.shown.as_ref().and_then(of_url);
        let copy = self.source.as_ref().map(|source| source.copy).filter(|copy| Some(*copy) != shown);
        shown.into_iter().chain(copy).collect()
    }

    /// Returns the writes that change the picture, including `write`, which updates the row with the picture. `by` sets
    /// the picture of the user or message group `of`.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the upload is not a processed picture of the user.
    pub async fn change_writes(
        &self,
        app: &App,
        write: Write,
        (by, of): (UserId, Ulid),
        new: Option<NewAvatar>,
    ) -> Result<Vec<Write>> {
        let (after, copy_writes, read) = match new {
            None => (Self::default(), Vec::new(), None),
            Some(NewAvatar::Upload(id)) => Self::of_own(own_picture(app, by, id).await?)?,
            Some(NewAvatar::Url(url)) => self.at_url(app, (by, of), url).await?,
        };
        let mut writes = self.replace_writes(app, write, (by, of), &after, read).await?;
        writes.extend(copy_writes);
        Ok(writes)
    }

    /// Returns the state of the copy, or `None` if the picture is not on another server.
    pub fn copy_state(&self) -> Option<CopyState> {
        let source = self.source.as_ref()?;
        let shown = self.shown.as_ref().and_then(of_url);
        Some(match shown == Some(source.copy) {
            true => CopyState::Ready,
            false if source.has_failed => CopyState::Failed,
            false => CopyState::Pending,
        })
    }

    fn has_failed(&self) -> bool {
        self.copy_state() == Some(CopyState::Failed)
    }

    /// Returns the writes that show a finished copy, or that record the failure of a refused copy. The writes include
    /// `write`, which updates the row with the picture. Returns `None` if the copy is not finished, or if the row has
    /// another picture.
    ///
    /// # Errors
    /// Fails if the table fails.
    pub async fn copy_writes(
        &self,
        app: &App,
        write: Write,
        of: Ulid,
        copy: &Upload,
    ) -> Result<Option<Vec<Write>>> {
        let source = self.source.clone().filter(|source| source.copy == copy.id);
        let (Some(owner), Some(source)) = (copy.owner, source) else { return Ok(None) };
        let after = match copy.status {
            UploadStatus::Ready => {
                Self { shown: copy.small(app)?.map(parse_url).transpose()?, source: Some(source) }
            }
            UploadStatus::Refused => {
                let source = AvatarSource { has_failed: true, ..source };
                Self { shown: self.shown.clone(), source: Some(source) }
            }
            _ => return Ok(None),
        };
        self.replace_writes(app, write, (owner, of), &after, None).await.map(Some)
    }

    /// Returns the picture at `url`, the writes that create a copy of it, and the upload in the bucket to which `url`
    /// belongs. Creates no copy if the picture is in the bucket, or if it is already shown.
    async fn at_url(
        &self,
        app: &App,
        (by, of): (UserId, Ulid),
        url: AvatarUrl,
    ) -> Result<(Self, Vec<Write>, Option<Upload>)> {
        if self.shows(&url) {
            return Ok((self.clone(), Vec::new(), None));
        }
        if self.shown.as_ref() == Some(&url) {
            return Ok((Self { shown: Some(url), source: None }, Vec::new(), None));
        }
        if url.to_string().starts_with(&address(app, "")?) {
            return Self::of_own(own_picture_url(app, by, url.to_string()).await?);
        }
        let copy = new_avatar_copy(app, by, of, &url.to_string());
        let source = Some(AvatarSource { url, copy: copy.id, has_failed: false });
        let job = OutboundJob::CopyPicture { upload: copy.id };
        let writes = vec![Write::create(&copy), outbox_record_write(app).then(&job)];
        Ok((Self { shown: self.shown.clone(), source }, writes, None))
    }

    /// Returns the writes that replace the picture with `after`. An earlier picture of a user stays in the bucket, because
    /// the user's posts show it.
    async fn replace_writes(
        &self,
        app: &App,
        write: Write,
        (by, of): (UserId, Ulid),
        after: &Self,
        read: Option<Upload>,
    ) -> Result<Vec<Write>> {
        let mut used = after.uploads();
        if of == by.into() {
            used.extend(self.shown.as_ref().and_then(of_url));
        }
        let write = write
            .set_or_remove("avatar", after.shown.as_ref())
            .set_or_remove("avatarSource", after.source.as_ref())
            .is_still("avatar", self.shown.as_ref())
            .is_still("avatarSource", self.source.as_ref());
        let mut writes = picture_writes(app, (by, of), &self.uploads(), &used, read).await?;
        writes.push(write);
        Ok(writes)
    }

    fn of_own((upload, url): (Upload, String)) -> Result<(Self, Vec<Write>, Option<Upload>)> {
        Ok((Self { shown: Some(parse_url(url)?), source: None }, Vec::new(), Some(upload)))
    }
}

fn parse_url(text: String) -> Result<AvatarUrl> {
    AvatarUrl::try_from(text).map_err(|why| Error::internal(anyhow::anyhow!(why)))
}

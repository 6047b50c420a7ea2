//! Edits a post.

use base::{PostId, UserId};
use platform::{App, Error, Result, Write, decode::present, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    Content, Post, PostType, Spoiler, Version, Visibility, check_author, find, invalidate_local_feed,
    previews::then_preview, then_republish,
};

/// The changes to a post. At least one field is required.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = PostEdit)]
pub struct Edit {
    /// The new text.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub content: Option<Content>,
    /// The new visibility.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// Whether clients show a warning before the text and files. After moderators labeled the post, only true is
    /// allowed.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub sensitive: Option<bool>,
    /// Text of the warning that hides the post until the reader opens the post. Null or an empty text removes the
    /// warning.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Spoiler>)]
    pub spoiler: Option<Option<Spoiler>>,
}

impl Edit {
    /// Checks that the request has at least one field.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the request has no field.
    pub fn check_not_empty(&self) -> Result<()> {
        let Self { content, visibility, sensitive, spoiler } = self;
        let is_empty = content.is_none() && visibility.is_none() && sensitive.is_none() && spoiler.is_none();
        let refusal = || Error::invalid_body("must have content, visibility, sensitive or spoiler");
        (!is_empty).then_some(()).ok_or_else(refusal)
    }
}

/// Edits a post of the caller and stores its previous version. Has no effect if all fields already have the given
/// values.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist. Fails with [`Error::Forbidden`] if the caller is not the
/// author. Fails with [`Error::Invalid`] if the post is a repost, or if the edit removes a label by moderators.
pub async fn edit(app: &App, caller: UserId, id: PostId, edit: Edit) -> Result<Post> {
    let post = retry_on_conflict(async || {
        let before = find(app, id).await?;
        check_author(&before, caller)?;
        if before.kind == PostType::Repost {
            return Err(Error::invalid("publicId", "must not be a repost"));
        }
        if before.is_labeled && edit.sensitive == Some(false) {
            return Err(Error::invalid("sensitive", "must be true, because moderators labeled the post"));
        }
        let after = edited(app, &before, &edit);
        if has_same_fields(&before, &after) {
            return Ok(before);
        }
        let version = Version::of(app, &before);
        let version_write = then_republish(Write::create(&version), &after);
        let version_write = match has_same_link(&before, &after) {
            true => version_write,
            false => then_preview(version_write, &after),
        };
        app.table.transact(vec![edit_write(&before, &after), version_write]).await?;
        Ok(after)
    })
    .await?;
    invalidate_local_feed(app, post.kind);
    Ok(post)
}

/// Returns the edited post. If the topic came from the old text, the topic of the new text replaces it.
fn edited(app: &App, before: &Post, edit: &Edit) -> Post {
    let mut after = before.clone();
    if let Some(content) = &edit.content {
        if before.topic == before.content.as_ref().and_then(Content::first_topic) {
            after.topic = content.first_topic();
        }
        after.content = Some(content.clone());
    }
    if !has_same_link(before, &after) {
        after.preview = None;
    }
    after.visibility = edit.visibility.unwrap_or(before.visibility);
    after.sensitive = edit.sensitive.unwrap_or(before.sensitive);
    if let Some(spoiler) = &edit.spoiler {
        after.spoiler = spoiler.clone().and_then(Spoiler::non_empty);
    }
    after.updated_at = app.now();
    // Moderation decided on the earlier text, not on the new text. But a hidden post stays hidden.
    let is_same_text = after.content == before.content && after.spoiler == before.spoiler;
    if !is_same_text && !before.is_hidden {
        after.moderated_at = None;
    }
    after
}

fn has_same_fields(before: &Post, after: &Post) -> bool {
    let is_same_text = before.content == after.content && before.spoiler == after.spoiler;
    is_same_text && before.visibility == after.visibility && before.sensitive == after.sensitive
}

fn has_same_link(before: &Post, after: &Post) -> bool {
    before.first_link() == after.first_link()
}

fn edit_write(before: &Post, after: &Post) -> Write {
    let write = after.update_write(before).set("content", &after.content).set("visibility", after.visibility);
    let write = write.set_or_remove("moderatedAt", after.moderated_at);
    let write = write.set_or_remove("sensitive", after.sensitive.then_some(true));
    let write = write.set_or_remove("spoiler", after.spoiler.as_ref());
    // Does not overwrite a preview of the same link, which a worker may have added after the read.
    let write = if has_same_link(before, after) { write } else { write.remove("preview") };
    write.set("updatedAt", after.updated_at).set_or_remove("topic", after.topic.as_ref()).add("edits", 1)
}

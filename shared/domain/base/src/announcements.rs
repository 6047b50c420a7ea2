//! What administrators' services are told of, by their webhooks.

use platform::{App, time::Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::AnnouncementId;

/// Something that a webhook can be told of. The message names it, and the id of what it happened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub enum AnnouncedEvent {
    /// Somebody reported something: the report's id.
    #[serde(rename = "report.created")]
    ReportCreated,
    /// An administrator or a moderator decided about a report: the report's id.
    #[serde(rename = "report.decided")]
    ReportDecided,
    /// The judge hid a post: the post's id.
    #[serde(rename = "post.hidden")]
    PostHidden,
    /// An account was banned or locked: the user's public id.
    #[serde(rename = "user.suspended")]
    UserSuspended,
    /// A circle died: the circle's id, which its stone in the museum has too.
    #[serde(rename = "circle.died")]
    CircleDied,
}

/// Something that happened at a time, to something with an id. Whoever asks for that id by the API sees what it is now.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
    /// Its own id: whoever hears of it twice knows it again.
    pub id: AnnouncementId,
    /// What happened; none for a test of a webhook.
    pub event: Option<AnnouncedEvent>,
    /// The id of what it happened to.
    pub subject: String,
    /// The time at which it happened.
    pub at: Time,
}

impl Announcement {
    /// Returns that something happens now: an event, or none for a test of a webhook.
    pub fn now(app: &App, event: Option<AnnouncedEvent>, subject: impl ToString) -> Self {
        let at = app.now();
        Self { id: app.ids.next(at), event, subject: subject.to_string(), at }
    }
}

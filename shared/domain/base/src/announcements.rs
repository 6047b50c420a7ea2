//! Events that are delivered to administrators' webhooks.

use platform::{App, time::Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::AnnouncementId;

/// A kind of event that webhooks can receive. The message contains the kind and the subject's ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub enum AnnouncedEvent {
    /// A user reported a post, user or circle. The subject is the report.
    #[serde(rename = "report.created")]
    ReportCreated,
    /// An administrator or a moderator decided on a report. The subject is the report.
    #[serde(rename = "report.decided")]
    ReportDecided,
    /// The judge hid a post. The subject is the post.
    #[serde(rename = "post.hidden")]
    PostHidden,
    /// An account was banned or locked. The subject is the user's public ID.
    #[serde(rename = "user.suspended")]
    UserSuspended,
    /// A circle died. The subject is the circle's ID, which is also the ID of its stone in the museum.
    #[serde(rename = "circle.died")]
    CircleDied,
}

/// An event for webhooks. Receivers can use the API to read the current state of the event's subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
    /// The ID by which receivers detect duplicates.
    pub id: AnnouncementId,
    /// The kind of event, or `None` for a test of a webhook.
    pub event: Option<AnnouncedEvent>,
    /// The ID of the event's subject.
    pub subject: String,
    /// The time of the event.
    pub at: Time,
}

impl Announcement {
    /// Returns an announcement with the current time. `event` is `None` for a test of a webhook.
    pub fn now(app: &App, event: Option<AnnouncedEvent>, subject: impl ToString) -> Self {
        let at = app.now();
        Self { id: app.ids.next(at), event, subject: subject.to_string(), at }
    }
}

//! Events that are delivered to administrators' webhooks.

use platform::{App, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::AnnouncementId;

/// A kind of event that webhooks can receive. The webhook's message contains the kind and the subject's ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = WebhookEvent)]
pub enum AnnouncedEvent {
    /// A user reported a post, user or circle. The message contains the report's ID.
    #[serde(rename = "report.created")]
    ReportCreated,
    /// An administrator or a moderator decided on a report. The message contains the report's ID.
    #[serde(rename = "report.decided")]
    ReportDecided,
    /// The automatic moderation, an administrator or a moderator hid a post. The message contains the post's ID.
    #[serde(rename = "post.hidden")]
    PostHidden,
    /// An account was banned or locked. The message contains the user's public ID.
    #[serde(rename = "user.suspended")]
    UserSuspended,
    /// A circle died. The message contains the circle's ID, which is also the ID of the circle's stone in the museum.
    #[serde(rename = "circle.died")]
    CircleDied,
    /// A post or comment in a circle was written or edited, and waits for the verdict of an external judge. The message
    /// contains the post's ID. Sent only if the setting `JUDGE` is `external`.
    #[serde(rename = "circle-post.created")]
    CirclePostCreated,
}

/// An event that is delivered to webhooks. Receivers can read the current state of the subject through the API.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
    /// The ID by which receivers detect duplicates.
    pub id: AnnouncementId,
    /// The kind of event, or `None` for a test of a webhook.
    pub event: Option<AnnouncedEvent>,
    /// The ID of the subject: a report, post, user, circle or circle post, or the tested webhook.
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

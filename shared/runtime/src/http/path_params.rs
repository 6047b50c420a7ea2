//! The types of path parameters.

use domain::{
    AppealId, ApplicationTokenId, CaseId, CircleId, DeviceId, DraftId, GroupId, MessageId, NotificationId,
    PasskeyId, PostId, ReportId, SessionId, StoneId, Topic, UploadId, UserId, WebhookId,
    deletion::ExportLink,
    people::{UserRef, unique},
    quests::Code,
};

use platform::{App, Result};

use super::{PathParam, extract::parse_param as parse};

macro_rules! path_params {
    ($($name:ident: $noun:literal,)+) => {$(
        impl PathParam for $name {
            const NOUN: &'static str = $noun;
        }
    )+};
}

path_params! {
    PostId: "post",
    DraftId: "draft",
    GroupId: "message group",
    MessageId: "message",
    NotificationId: "notification",
    StoneId: "museum item",
    CircleId: "circle",
    ReportId: "report",
    AppealId: "appeal",
    CaseId: "case",
    SessionId: "session",
    ApplicationTokenId: "application token",
    PasskeyId: "passkey",
    UploadId: "upload",
    DeviceId: "device",
    WebhookId: "webhook",
    ExportLink: "file",
    Code: "quest",
    UserRef: "user",
}

/// Accepts a username, a public ID or an internal ID. Reads the user only if the parameter is a username.
impl PathParam for UserId {
    const NOUN: &'static str = "user";

    async fn find(app: &App, text: &str) -> Result<Self> {
        let user: UserRef = parse(text)?;
        unique::user_id(app, &user).await
    }
}

/// An invalid hashtag results in 400, and the error states the rule. A valid hashtag never results in 404.
impl PathParam for Topic {
    const NOUN: &'static str = "hashtag";

    fn refusal() -> platform::Error {
        platform::Error::invalid("tag", Self::RULE)
    }
}

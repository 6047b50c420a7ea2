//! The types that a path can name.

use domain::{
    ids::{CircleId, GroupId, MessageId, NotificationId, PostId, ReportId, SessionId, StoneId, UserId},
    people::users::Username,
    quests::Code,
};

use super::PathParam;

impl PathParam for PostId {
    const NOUN: &'static str = "post";
}

impl PathParam for GroupId {
    const NOUN: &'static str = "message group";
}

impl PathParam for MessageId {
    const NOUN: &'static str = "message";
}

impl PathParam for NotificationId {
    const NOUN: &'static str = "notification";
}

impl PathParam for StoneId {
    const NOUN: &'static str = "museum item";
}

impl PathParam for CircleId {
    const NOUN: &'static str = "circle";
}

impl PathParam for ReportId {
    const NOUN: &'static str = "report";
}

impl PathParam for UserId {
    const NOUN: &'static str = "user";
}

impl PathParam for SessionId {
    const NOUN: &'static str = "session";
}

impl PathParam for Code {
    const NOUN: &'static str = "quest";
}

impl PathParam for Username {
    const NOUN: &'static str = "user";
}

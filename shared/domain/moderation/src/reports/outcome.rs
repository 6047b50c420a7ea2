//! Notifies the reporter of the outcome of a report.

use base::UserId;
use notifications::{NotificationEvent, NotificationType, TargetType};
use people::relationships;
use platform::{App, Result, Write};
use ulid::Ulid;

use super::Report;

/// Returns the writes that notify the reporter of a decision. Returns no writes if the reporter was deleted, or if a
/// block exists between the reporter and the reported user.
pub async fn outcome_writes(app: &App, report: &Report) -> Result<Vec<Write>> {
    let (reporter, kinds) = (report.reporter_id, (NotificationType::Moderation, TargetType::Report));
    if reporter == UserId::NONE || relationships::is_blocked(app, reporter, report.reported_user_id).await? {
        return Ok(Vec::new());
    }
    let (id, now) = (app.ids.next(app.now()), app.now());
    Ok(NotificationEvent::without_actor(reporter, kinds, Ulid::from(report.id), (id, now)).writes(app))
}

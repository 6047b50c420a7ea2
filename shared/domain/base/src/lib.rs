//! Types that all modules of the domain share: IDs, jobs, webhook events, scheduled work, reasons and topics.

pub mod announcements;
mod chores;
pub mod due;
mod id_time;
pub mod ids;
pub mod jobs;
pub mod packed;
pub mod reasons;
pub mod topic;

pub use announcements::{AnnouncedEvent, Announcement};
pub use due::{Due, DuePage};
pub use id_time::{first_id, time_of};
pub use ids::{
    AnnouncementId, AppealId, ApplicationTokenId, AuditId, CaseEventId, CaseId, ChangeId, CircleId, CprId,
    DeviceId, DraftId, EventId, ExportId, GroupId, MessageId, NoticeId, NotificationId, PasskeyId, Position,
    PostId, PublicUserId, ReportId, SessionId, StoneId, TargetId, UploadId, UserId, VersionId, WebhookId,
};
pub use jobs::{AuthorList, AuthorPosition, Chore, IndexJob, MediaJob, OutboundJob, TimelineJob};
pub use reasons::ReasonText;
pub use topic::Topic;

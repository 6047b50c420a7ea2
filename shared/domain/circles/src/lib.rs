//! Circles are groups of users. A circle loses health points (HP) every hour, and gains HP from good posts. It dies at
//! 0 HP. Good posts also give experience points (EXP), which determine the circle's level.
//!
//! A circle has a [`Circle`] row, an [`Energy`] row, and a [`Member`] row for each member. Every change to HP or EXP is
//! a [`Change`]. [`Change::apply`] computes the [`Transition`] that a transaction writes.
//!
//! May use `people`, `posts`, `quests`, `ledger`, `judge` and `notifications`.

mod bans;
mod change;
mod circle;
pub mod cpr;
mod create;
mod death;
mod decline;
mod delete;
mod discover;
mod discover_sort;
mod drain;
mod edit;
mod energy;
mod entry;
mod erase;
mod events;
mod exp_log;
mod history;
mod invitation;
mod invite;
mod join_context;
mod join_request;
mod leave;
mod levels;
mod list;
mod member;
mod members;
pub mod museum;
mod names;
mod notices;
mod permissions;
pub mod posts;
pub mod purge;
mod remove;
mod request_join;
mod respond;
mod sacrifice;
mod succession;
mod top_posts;
mod view;

pub use bans::{Ban, Lifted, ban, bans, lift_ban};
pub use change::{Change, Transition};
pub use create::{CircleDraft, create, create_within_limit};
pub use death::transition_writes;
pub use decline::{decline, revoke};
pub use delete::{DeletedCircle, delete};
pub use discover::{DiscoverQuery, discover};
pub use discover_sort::{DiscoverPosition, DiscoverSort};
pub use drain::{DrainJob, drain};
pub use edit::{CircleEdit, edit};
pub use energy::{Energy, EnergyView, energy, energy_key};
pub use entry::{EnergyEntry, EnergyReason};
pub use erase::{
    INVITING_PAGE_CIRCLES, circle_of, erase_hero, erase_page, next_inviting_circles, remove_deleted_user,
};
pub use events::{
    CircleCommented, CircleInherited, CircleInvited, CircleJoined, CircleLeft, CircleUpdated, CprResolved,
    CprStarted, EnergyChanged, StageReached,
};
pub use exp_log::{Log, LogLine, LogQuery, exp_log};
pub use history::{EnergyHistory, EnergyPoint, HistoryQuery, energy_history};
pub use invitation::InvitationView;
pub use invite::{InvitationDraft, accept, invitations, invite};
pub use join_request::key as join_request_key;
pub use join_request::{JoinRequestView, JoinStatus};
pub use leave::{Left, leave};
pub use levels::{Level, Stage};
pub use list::list;
pub use member::{Member, Role, member_key, next_circle};
pub use members::{Appointment, HandOver, MemberView, appoint, hand_over, members};
pub use names::{CircleDescription, CircleName, NewCircleName};
pub use notices::{record, withdraw_comment, withdraw_comment_write};
pub use remove::remove;
pub use request_join::{PendingJoinRequest, pending_requests, request_join, withdraw_request};
pub use respond::{JoinDecision, JoinResponse, respond};
pub use sacrifice::{KarmaAmount, SacrificeDraft, Sacrificed, sacrifice};
pub use succession::replace_banned_owner_page;
pub use top_posts::update_author_page;
pub use view::{CircleView, view};

use circle::{Circle, find, key};
use invitation::Invitation;
use join_request::JoinRequest;
use member::{Permission, Source};
use platform::Error;

/// The error for a circle that does not exist or is dead.
const NO_CIRCLE: Error = Error::NotFound("circle");

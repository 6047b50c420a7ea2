//! Circles: groups that live of what their members write, and die when nobody does.
//!
//! A circle has three kinds of rows that are read with every request: itself, its energy, and the
//! membership of who asks. Every change of HP or EXP, whatever caused it, is a [`Change`] that
//! [`Energy::changed`] makes into the steps of one transaction.

mod change;
mod circle;
pub mod cpr;
mod create;
mod death;
mod drain;
mod due;
mod energy;
mod entry;
mod events;
mod exp_log;
mod invitation;
mod join_request;
mod leave;
mod levels;
mod list;
mod member;
mod members;
pub mod museum;
mod names;
pub mod permissions;
pub mod posts;
pub(crate) mod purge;
mod respond;
mod sacrifice;
mod standing;

pub use change::{Change, Changed};
pub use circle::{Circle, CircleView, find, key, view};
pub use create::{CircleDraft, create};
pub use drain::{DrainJob, drain};
pub use energy::{Condition, DUE_SHARDS, Due, Energy, EnergyView, due_shards, energy, energy_key, life};
pub use entry::{EnergyEntry, EnergyReason};
pub use events::{CprResolved, CprStarted, EnergyChanged};
pub use exp_log::{Log, LogLine, LogQuery, exp_log};
pub use invitation::{Invitation, InvitationDraft, InvitationView, accept, invitations, invite};
pub use join_request::{Asking, JoinRequest, JoinRequestView, JoinStatus, ask, asking};
pub use leave::{Left, leave};
pub use levels::{LEVELS, Level, Stage};
pub use list::list;
pub use member::{Member, Permission, Role, Source, member_key};
pub use members::{Appointment, MemberView, appoint, members};
pub use names::{CircleDescription, CircleName};
pub use respond::{InvitationAnswer, Response, respond};
pub use sacrifice::{KarmaAmount, SacrificeDraft, Sacrificed, sacrifice};

use platform::error::Error;

/// What a request for a circle that is not there, or that died, is answered with.
pub const NO_CIRCLE: Error = Error::NotFound("circle");

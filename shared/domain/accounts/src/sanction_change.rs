//! The writes that change the sanction of an account.

use base::{AnnouncedEvent, Chore, OutboundJob, ReasonText, UserId};
use ledger::{
    audit::{self, AuditAction},
    statistics::{self, Count},
};
use people::{Administrator, Status, User};
use platform::{App, Paged, Write};

use super::{
    events::SignedOut,
    sanction::{self, Sanction},
};

/// A change of an account's sanction that is not stored yet.
pub struct SanctionChange {
    /// The account after the change.
    pub user: User,
    /// The writes of the account and of the audit log. They fail with a conflict if the status, the end of the ban or
    /// the roles changed after the account was read. Empty if the sanction does not change.
    pub writes: Vec<Write>,
    /// The changes of the totals of banned and locked accounts. A transaction can change each row of the totals once,
    /// so the caller adds these changes to its own.
    pub counts: Vec<(Count, i64)>,
}

/// A new sanction of an account.
pub(crate) struct NewSanction {
    pub(crate) sanction: Sanction,
    pub(crate) reason: Option<ReasonText>,
    /// The administrator, or `None` if a ban has ended.
    pub(crate) by: Option<UserId>,
}

impl NewSanction {
    /// Returns the end of any sanction.
    pub(crate) fn lifted(by: Option<UserId>) -> Self {
        Self { sanction: Sanction::None, reason: None, by }
    }
}

impl SanctionChange {
    /// Returns the change for an account that already has the sanction. The change has no writes.
    pub(crate) fn none(user: User) -> Self {
        Self { user, writes: Vec::new(), counts: Vec::new() }
    }

    /// Returns the change that suspends an account.
    pub(crate) fn suspension(
        app: &App,
        admin: &Administrator,
        action: AuditAction,
        before: &User,
        new: &NewSanction,
    ) -> Self {
        let announcement = OutboundJob::announce(app, AnnouncedEvent::UserSuspended, before.id.public());
        let record = record_write(app, admin, action, before, new.reason.as_ref());
        let record = record.then_publish(&SignedOut { user_id: before.id }).then(&announcement);
        let record = match new.sanction == Sanction::Banned {
            true => record
                .then(&Chore::ReplaceOwner { user: before.id, page: Paged::FIRST })
                .then(&Chore::CloseCases { user: before.id, page: Paged::FIRST }),
            false => record,
        };
        Self::new(app, before, new, [record].into_iter().chain(admin.check_write(before)))
    }

    /// Returns the change that lifts the sanction of an account.
    pub(crate) fn lifting(
        app: &App,
        admin: &Administrator,
        before: &User,
        reason: Option<&ReasonText>,
    ) -> Self {
        let record = record_write(app, admin, AuditAction::UnlockUser, before, reason);
        Self::new(app, before, &NewSanction::lifted(Some(admin.id)), [record])
    }

    /// Returns the change to the sanction `new`. Its writes include `other_writes`.
    pub(crate) fn new(
        app: &App,
        before: &User,
        new: &NewSanction,
        other_writes: impl IntoIterator<Item = Write>,
    ) -> Self {
        let is_suspended = new.sanction != Sanction::None;
        let user = User {
            status: new.sanction.status(),
            banned_until: new.sanction.until(),
            standing_reason: new.reason.clone(),
            suspended_at: is_suspended.then(|| app.now()),
            suspended_by: new.by.filter(|_| is_suspended),
            ..before.clone()
        };
        let writes = [status_write(before, &user)].into_iter().chain(other_writes).collect();
        Self { counts: count_changes(before.status, user.status), user, writes }
    }

    /// Returns all writes, for a transaction that changes no other totals.
    pub fn into_writes(self) -> Vec<Write> {
        let counts = statistics::counts_write(self.user.id.random(), self.counts);
        self.writes.into_iter().chain(counts).collect()
    }
}

/// Returns the write of the audit log entry, which contains the reason and the sanction before the change.
fn record_write(
    app: &App,
    admin: &Administrator,
    action: AuditAction,
    before: &User,
    reason: Option<&ReasonText>,
) -> Write {
    let reason = reason.map(ToString::to_string);
    audit::sanction_record_write(app, admin.id, action, before.id, reason, sanction::note_of(before))
}

fn status_write(before: &User, after: &User) -> Write {
    let write = Write::reindex(after).set("status", after.status);
    let write = write.set_or_remove("bannedUntil", after.banned_until);
    let write = write.set_or_remove("standingReason", after.standing_reason.as_ref());
    let write = write.set_or_remove("suspendedAt", after.suspended_at);
    let write = write.set_or_remove("suspendedBy", after.suspended_by);
    let write = write.equals("status", before.status).equals("roles", &before.roles);
    match before.banned_until {
        Some(until) => write.equals("bannedUntil", until),
        None => write.lacks("bannedUntil"),
    }
}

/// Returns the changes of the totals of banned and locked accounts. Empty if the status did not change.
fn count_changes(before: Status, after: Status) -> Vec<(Count, i64)> {
    let changes = [(counted_as(before), -1), (counted_as(after), 1)];
    let changes = changes.into_iter().filter_map(|(count, by)| Some((count?, by)));
    if before == after { Vec::new() } else { changes.collect() }
}

/// Returns the total that counts accounts with a status, or `None` for active accounts.
fn counted_as(status: Status) -> Option<Count> {
    match status {
        Status::Active => None,
        Status::Banned => Some(Count::Banned),
        Status::Locked => Some(Count::Locked),
    }
}

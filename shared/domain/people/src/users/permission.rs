//! The permissions that the roles of a user grant.

use serde::Serialize;
use utoipa::ToSchema;

use super::Role;

/// A permission for the administration routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = AdminPermission)]
pub enum Permission {
    /// Read reports and cases, and decide on them.
    DecideReports,
    /// Read appeals and decide on them.
    DecideAppeals,
    /// Read accounts, and ban, lock and unlock them.
    ManageUsers,
    /// Change the daily quests.
    ManageQuests,
    /// Change the outgoing webhooks.
    ManageWebhooks,
    /// Read the audit log.
    ReadAudit,
    /// Read the statistics.
    ReadStatistics,
    /// Change the roles of users.
    ChangeRoles,
}

impl Permission {
    const OF_MODERATORS: [Self; 2] = [Self::DecideReports, Self::DecideAppeals];
    const OF_ADMINS: [Self; 5] =
        [Self::ManageUsers, Self::ManageQuests, Self::ManageWebhooks, Self::ReadAudit, Self::ReadStatistics];

    /// Returns the permissions of a user with these roles.
    pub fn of(roles: &[Role]) -> Vec<Self> {
        let is_admin = roles.iter().any(|role| role.is_admin());
        let may_moderate = is_admin || roles.contains(&Role::Moderator);
        let moderators = Self::OF_MODERATORS.into_iter().filter(|_| may_moderate);
        let admins = Self::OF_ADMINS.into_iter().filter(|_| is_admin);
        let super_admins = roles.contains(&Role::SuperAdmin).then_some(Self::ChangeRoles);
        moderators.chain(admins).chain(super_admins).collect()
    }
}

//! Quests for administrators: define, disable and list.

use base::ids::UserId;
use platform::{
    App, Result,
    error::Error,
    idempotency::Once,
    page::{Cursor, Page},
    table::{Row, Write},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    quest::{self, Goal, Quest},
    values::{Code, Description, Requirement, Reward},
};
use ledger::{
    action_log::ActionType,
    audit::{self, AuditAction},
};

/// Maximum number of quests in use. All quests in use are read together.
const QUESTS_MAX: usize = 100;

/// A request to define a quest.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestDraft {
    /// The quest's name. The default name consists of the action and the requirement.
    pub code: Option<Code>,
    /// The counted action.
    pub action: ActionType,
    /// The number of different targets that a user must reach.
    pub requirement: Requirement,
    /// A description for users. The default description consists of the action's label and the requirement.
    pub description: Option<Description>,
    /// The karma for completing the quest.
    #[serde(default)]
    #[schema(required = false)]
    pub karma_reward: Reward,
}

/// Defines a quest. The new quest does not replace a quest that was already chosen for today.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the code is taken, or if 100 quests are in use.
pub async fn create(app: &App, admin: UserId, draft: QuestDraft, once: &Once) -> Result<Quest> {
    once.run(app, admin, async || creation_writes(app, admin, draft.clone()).await).await
}

async fn creation_writes(app: &App, admin: UserId, draft: QuestDraft) -> Result<(Vec<Write>, Quest)> {
    let quest = quest_of(app, draft)?;
    let quests = quest::current(app).await?;
    if quests.iter().filter(|quest| !quest.disabled && !quest.seeded).count() >= QUESTS_MAX {
        return Err(Error::invalid("body", "the limit of 100 quests is reached. Disable a quest first."));
    }
    let taken = Error::invalid("code", "is already taken");
    if quests.iter().any(|existing| existing.code == quest.code) {
        return Err(taken);
    }
    let record = audit::record_write(app, admin, AuditAction::CreateQuest, quest.code.as_str(), None);
    let unused = quest::check_not_retired(&quest.code).or(Error::invalid("code", "is already taken"));
    Ok((vec![Write::create(&quest).or(taken), unused, record], quest))
}

/// Disables a quest immediately. Repeating this has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the quest does not exist.
pub async fn disable(app: &App, admin: UserId, code: Code) -> Result<Quest> {
    let Some(before) = quest::current(app).await?.into_iter().find(|quest| quest.code == code) else {
        return quest::find_retired(app, &code).await?.ok_or(Error::NotFound("quest"));
    };
    let quest = Quest { disabled: true, ..before.clone() };
    let record = audit::record_write(app, admin, AuditAction::DisableQuest, quest.code.as_str(), None);
    let removal = (before.key() != quest.key()).then(|| Write::delete(before.key()).into());
    app.table.transact([Write::put(&quest), record].into_iter().chain(removal).collect()).await?;
    Ok(quest)
}

/// Returns a page of all quests, sorted by code. Includes disabled quests.
pub async fn list(app: &App, cursor: Cursor<Code>) -> Result<Page<Quest>> {
    let retired = quest::retired(app, cursor.after.as_ref(), cursor.take.rows() + 1);
    let (mut quests, retired) = futures::try_join!(quest::current(app), retired)?;
    quests.extend(retired);
    quests.sort_by(|one, two| one.code.cmp(&two.code));
    quests.retain(|quest| cursor.after.as_ref().is_none_or(|after| quest.code > *after));
    Ok(Page::cut(quests, cursor.take, |quest| quest.code.as_str().to_owned()))
}

fn quest_of(app: &App, draft: QuestDraft) -> Result<Quest> {
    let QuestDraft { code, action, requirement, description, karma_reward } = draft;
    let name = action.as_ref();
    let (_, label, unit) =
        ActionType::ALL.iter().find(|(kind, ..)| *kind == action).copied().unwrap_or((action, name, ""));
    Ok(Quest {
        code: code.unwrap_or_else(|| Code::default_of(name, requirement)),
        action: Goal::Action(action),
        requirement,
        description: description.unwrap_or_else(|| Description::default_of(label, requirement, unit)),
        karma_reward,
        disabled: false,
        seeded: false,
        created_at: app.now(),
    })
}

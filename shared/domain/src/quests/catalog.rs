//! The quests that administrators define, disable and list.

use platform::{
    App, Result,
    error::Error,
    idempotency::Once,
    page::{Cursor, Page},
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    quest::{self, Goal, Quest},
    todays,
    values::{Code, Description, Requirement, Reward},
};
use crate::{
    ids::UserId,
    ledger::{
        action_log::ActionType,
        audit::{self, AuditAction},
    },
};

/// How many quests there can be: all of them are read at once.
const QUESTS_MAX: usize = 100;

/// A quest to be defined.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuestDraft {
    /// The quest's name; by default the action and the requirement.
    pub code: Option<Code>,
    /// The action that the quest counts.
    pub action: ActionType,
    /// The number of different targets that the quest requires.
    pub requirement: Requirement,
    /// The quest in words; by default the action's label and the requirement.
    pub description: Option<Description>,
    /// The karma that the quest earns.
    #[serde(default)]
    #[schema(required = false)]
    pub karma_reward: Reward,
}

/// Defines a quest. It joins the day's quests while fewer than three of them are administrators'.
/// Costs 5 calls, 2 RRU and 7 WRU.
///
/// # Errors
/// [`Error::Invalid`] when the code is taken, or there are 100 quests.
pub async fn create(app: &App, admin: UserId, draft: QuestDraft, once: &Once) -> Result<Quest> {
    let quest = once.run(app, admin, creation_writes(app, admin, draft)).await?;
    todays::choose_today(app).await?;
    Ok(quest)
}

async fn creation_writes(app: &App, admin: UserId, draft: QuestDraft) -> Result<(Vec<Write>, Quest)> {
    let quest = quest_of(app, draft)?;
    let all = quest::all(app).await?;
    if all.len() >= QUESTS_MAX {
        return Err(Error::invalid("body", "there are 100 quests already"));
    }
    let taken = Error::invalid("code", "is already taken");
    if all.iter().any(|it| it.code == quest.code) {
        return Err(taken);
    }
    let record = audit::record_write(app, admin, AuditAction::CreateQuest, quest.code.as_str(), None);
    Ok((vec![Write::create(&quest).or(taken), record], quest))
}

/// Takes a quest out of use, for today too. Repeating changes nothing. Costs 3 calls, 1 RRU and 5 WRU.
///
/// # Errors
/// [`Error::NotFound`] when there is no such quest.
pub async fn disable(app: &App, admin: UserId, code: Code) -> Result<Quest> {
    let found = quest::all(app).await?.into_iter().find(|it| it.code == code);
    let quest = Quest { disabled: true, ..found.ok_or(Error::NotFound("quest"))? };
    let record = audit::record_write(app, admin, AuditAction::DisableQuest, quest.code.as_str(), None);
    app.table.transact(vec![Write::put(&quest), record]).await?;
    Ok(quest)
}

/// Returns all quests, in the order of their codes. Costs 1 call and 1 RRU for each 4 KB.
pub async fn list(app: &App, cursor: Cursor<Code>) -> Result<Page<Quest>> {
    let mut quests = quest::all(app).await?;
    quests.retain(|it| cursor.after.as_ref().is_none_or(|after| it.code > *after));
    Ok(Page::cut(quests, cursor.take, |it| it.code.as_str().to_owned()))
}

fn quest_of(app: &App, draft: QuestDraft) -> Result<Quest> {
    let QuestDraft { code, action, requirement, description, karma_reward } = draft;
    let name = action.as_ref();
    let (_, label, unit) =
        ActionType::ALL.iter().find(|(it, ..)| *it == action).copied().unwrap_or((action, name, ""));
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

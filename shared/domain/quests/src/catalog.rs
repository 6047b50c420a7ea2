//! The quests that administrators define, disable and list.

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

/// How many quests can be in use: all of them are read at once.
const QUESTS_MAX: usize = 100;

/// A quest to be defined.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
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

/// Defines a quest. It waits for the next choice of a day's quests: those of a day stay as people have seen them.
///
/// # Errors
/// [`Error::Invalid`] when the code is taken, or 100 quests are in use.
pub async fn create(app: &App, admin: UserId, draft: QuestDraft, once: &Once) -> Result<Quest> {
    once.run(app, admin, creation_writes(app, admin, draft)).await
}

async fn creation_writes(app: &App, admin: UserId, draft: QuestDraft) -> Result<(Vec<Write>, Quest)> {
    let quest = quest_of(app, draft)?;
    let kept = quest::kept(app).await?;
    if kept.iter().filter(|it| !it.disabled && !it.seeded).count() >= QUESTS_MAX {
        return Err(Error::invalid("body", "100 quests are in use already: disable one first"));
    }
    let taken = Error::invalid("code", "is already taken");
    if kept.iter().any(|it| it.code == quest.code) {
        return Err(taken);
    }
    let record = audit::record_write(app, admin, AuditAction::CreateQuest, quest.code.as_str(), None);
    let unused = quest::check_not_retired(&quest.code).or(Error::invalid("code", "is already taken"));
    Ok((vec![Write::create(&quest).or(taken), unused, record], quest))
}

/// Takes a quest out of use, for today too. Repeating changes nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such quest.
pub async fn disable(app: &App, admin: UserId, code: Code) -> Result<Quest> {
    let Some(before) = quest::kept(app).await?.into_iter().find(|it| it.code == code) else {
        return quest::find_retired(app, &code).await?.ok_or(Error::NotFound("quest"));
    };
    let quest = Quest { disabled: true, ..before.clone() };
    let record = audit::record_write(app, admin, AuditAction::DisableQuest, quest.code.as_str(), None);
    let leaves = (before.key() != quest.key()).then(|| Write::delete(before.key()).into());
    app.table.transact([Write::put(&quest), record].into_iter().chain(leaves).collect()).await?;
    Ok(quest)
}

/// Returns all quests, disabled ones too, in the order of their codes.
pub async fn list(app: &App, cursor: Cursor<Code>) -> Result<Page<Quest>> {
    let retired = quest::retired(app, cursor.after.as_ref(), cursor.take.rows() + 1);
    let (mut quests, retired) = futures::try_join!(quest::kept(app), retired)?;
    quests.extend(retired);
    quests.sort_by(|one, two| one.code.cmp(&two.code));
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

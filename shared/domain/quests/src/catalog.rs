//! Operations for administrators: define, change, disable and list quests.

use base::UserId;
use platform::{App, Cursor, Error, Once, Page, Result, Row, Write, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Code, Description, Goal, Quest, Requirement, Reward, quest};
use ledger::audit::{self, AuditAction};

/// Maximum number of enabled quests that administrators defined. Some requests read all of these quests.
const QUESTS_MAX: usize = 100;

/// A request to define a quest.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestDraft {
    /// The quest's name. The default name consists of the action and the requirement.
    pub code: Option<Code>,
    /// The actions or posts that count for the quest.
    pub action: Goal,
    /// The number of different targets, such as posts, that a user must reach.
    pub requirement: Requirement,
    /// A description for users. The default description consists of the action's label and the requirement.
    pub description: Option<Description>,
    /// The karma for completing the quest.
    #[serde(default)]
    #[schema(required = false)]
    pub karma_reward: Reward,
}

/// A change to a quest. Omitted fields stay unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct QuestEdit {
    /// The actions or posts that count for the quest.
    pub action: Option<Goal>,
    /// The number of different targets that a user must reach.
    pub requirement: Option<Requirement>,
    /// A description for users.
    pub description: Option<Description>,
    /// The karma for completing the quest.
    pub karma_reward: Option<Reward>,
    /// True to enable the quest, false to disable it.
    pub enabled: Option<bool>,
}

/// Defines a quest. The quests that were already chosen for today stay the same. If a disabled quest has the same code,
/// the new quest replaces the disabled quest.
///
/// # Errors
/// - [`Error::Invalid`] if an enabled quest has the code, or if 100 quests of administrators are enabled.
/// - [`Error::Invalid`] if the requirement cannot be reached in a day.
pub async fn create(app: &App, admin: UserId, draft: QuestDraft, once: &Once) -> Result<Quest> {
    once.run(app, admin, async || creation_writes(app, admin, draft.clone()).await).await
}

async fn creation_writes(app: &App, admin: UserId, draft: QuestDraft) -> Result<(Vec<Write>, Quest)> {
    let quest = quest_of(app, draft);
    quest.action.check(quest.requirement)?;
    let quests = quest::current(app).await?;
    check_room(&quests)?;
    let record = audit::record_write(app, admin, AuditAction::CreateQuest, quest.code.as_str(), None);
    let taken = || Error::invalid("code", "is already taken");
    match quests.iter().find(|existing| existing.code == quest.code) {
        None => {
            let retired = quest::delete_retired_write(&quest.code);
            Ok((vec![Write::create(&quest).or(taken()), retired, record], quest))
        }
        // Only a disabled built-in quest is in this list, because other disabled quests have a different sort key.
        Some(existing) if existing.disabled => {
            let quest = Quest { seeded: true, ..quest };
            Ok((vec![Write::put(&quest).equals("disabled", true).or(taken()), record], quest))
        }
        Some(_) => Err(taken()),
    }
}

/// Checks that fewer than 100 quests of administrators are enabled.
fn check_room(quests: &[Quest]) -> Result<()> {
    match quests.iter().filter(|quest| !quest.disabled && !quest.seeded).count() {
        QUESTS_MAX.. => {
            Err(Error::Invalid("the limit of 100 quests is reached. Disable a quest first.".into()))
        }
        _ => Ok(()),
    }
}

/// Changes, enables or disables a quest immediately. Repeating a change has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the quest does not exist. Fails with [`Error::Invalid`] if the request is empty,
/// or if the requirement cannot be reached in a day. Also fails if 100 quests of administrators are already enabled.
pub async fn edit(app: &App, admin: UserId, code: Code, edit: QuestEdit) -> Result<Quest> {
    if edit == QuestEdit::default() {
        let fields = "must have action, requirement, description, karmaReward or enabled";
        return Err(Error::invalid_body(fields));
    }
    let edited = |before: Quest| {
        let after = edit.clone().apply(before);
        after.action.check(after.requirement).map(|()| after)
    };
    change(app, admin, &code, AuditAction::EditQuest, edited).await
}

/// Replaces a quest with the result of `changed`. Has no effect if the result is the same quest.
async fn change(
    app: &App,
    admin: UserId,
    code: &Code,
    action: AuditAction,
    changed: impl Fn(Quest) -> Result<Quest>,
) -> Result<Quest> {
    retry_on_conflict(async || {
        let quests = quest::current(app).await?;
        let before = match quests.iter().find(|quest| quest.code == *code) {
            Some(current) => current.clone(),
            None => quest::find_retired(app, code).await?.ok_or(Error::NotFound("quest"))?,
        };
        let after = changed(before.clone())?;
        if before.disabled && !after.disabled && !after.seeded {
            check_room(&quests)?;
        }
        if before == after {
            return Ok(after);
        }
        let record = audit::record_write(app, admin, action, code.as_str(), None);
        let writes = replace_writes(&before, &after).into_iter().chain([record]).collect();
        app.table.transact(writes).await.map(|()| after)
    })
    .await
}

fn replace_writes(before: &Quest, after: &Quest) -> Vec<Write> {
    match before.key() == after.key() {
        true => vec![Write::put(after).equals_or_lacks("disabled", before.disabled)],
        false => vec![Write::put(after), Write::delete(before.key()).exists().into()],
    }
}

impl QuestEdit {
    fn apply(self, before: Quest) -> Quest {
        Quest {
            action: self.action.unwrap_or(before.action),
            requirement: self.requirement.unwrap_or(before.requirement),
            description: self.description.unwrap_or(before.description),
            karma_reward: self.karma_reward.unwrap_or(before.karma_reward),
            disabled: self.enabled.map_or(before.disabled, |enabled| !enabled),
            ..before
        }
    }
}

/// Disables a quest immediately. Repeating a call has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the quest does not exist.
pub async fn disable(app: &App, admin: UserId, code: Code) -> Result<Quest> {
    let disabled = |before| Ok(Quest { disabled: true, ..before });
    change(app, admin, &code, AuditAction::DisableQuest, disabled).await
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

fn quest_of(app: &App, draft: QuestDraft) -> Quest {
    let QuestDraft { code, action, requirement, description, karma_reward } = draft;
    let (label, unit) = action.label();
    Quest {
        code: code.unwrap_or_else(|| Code::default_of(action.name(), requirement)),
        action,
        requirement,
        description: description.unwrap_or_else(|| Description::default_of(label, requirement, unit)),
        karma_reward,
        disabled: false,
        seeded: false,
        created_at: app.now(),
    }
}

//! Removes deleted users from their appeals.

use base::{AppealId, UserId};
use platform::{App, Result, Write};

use super::key;

const ERASED_TEXT: &str = "The author deleted their account.";

/// Removes the author and their text from an appeal. The appeal and its decision are kept.
pub async fn erase_appellant(app: &App, user: UserId, appeal: AppealId) -> Result<()> {
    let write = Write::update(key(appeal)).set("userId", UserId::NONE).set("text", ERASED_TEXT);
    app.table.try_write(write.equals("userId", user)).await.map(drop)
}

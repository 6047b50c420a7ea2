//! Taking its author out of an appeal, when they leave the network.

use base::ids::{AppealId, UserId};
use platform::{App, error::Result, table::Write};

use super::key;

const GONE: &str = "The author has left.";

/// Takes the author and their words out of an appeal, which stays with what was decided.
pub async fn erase_appellant(app: &App, user: UserId, appeal: AppealId) -> Result<()> {
    let write = Write::update(key(appeal)).set("userId", UserId::NONE).set("text", GONE);
    app.table.try_write(write.equals("userId", user)).await.map(drop)
}

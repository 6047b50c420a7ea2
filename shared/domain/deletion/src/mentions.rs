//! Erases mentions of a deleted user, and mentions in the user's drafts.

use base::ids::UserId;
use platform::{App, Result};
use posts::{drafts, mentioned};

/// Rows per page.
const PAGE_ROWS: usize = 25;

/// Removes the user from the next 25 posts and drafts that mention the user. Returns the cursor of the next page, if
/// any.
pub(super) async fn of_user(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    mentioned::erase_page(app, user, cursor, PAGE_ROWS).await
}

/// Removes the user's next 25 drafts from the mention indexes of the mentioned users. Returns the cursor of the next
/// page, if any.
pub(super) async fn in_drafts(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    drafts::erase_mentions_page(app, user, cursor, PAGE_ROWS).await
}

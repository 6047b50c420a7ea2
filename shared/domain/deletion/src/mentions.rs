//! Who mentions somebody who leaves, and whom their drafts mention.

use base::ids::UserId;
use platform::{App, Result};
use posts::{drafts, mentioned};

/// Rows of a page.
const PAGE_ROWS: usize = 25;

/// Takes the person out of the next 25 posts and drafts that mention them.
pub(super) async fn of_person(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    mentioned::erase_page(app, user, behind, PAGE_ROWS).await
}

/// Takes the next 25 drafts of the person out of what those have whom they mention.
pub(super) async fn by_drafts(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    drafts::erase_mentions_page(app, user, behind, PAGE_ROWS).await
}

//! Finds the members of a crowd who are hidden from another member by a block.

use std::collections::HashSet;

use base::UserId;
use people::{ViewContext, relationships};
use platform::{App, Result};

use super::group::Group;

/// Returns the users in `people` who block the viewer or are blocked by the viewer. Returns no users for a private
/// group, because a block closes the group.
pub(super) async fn hidden_in(
    app: &App,
    group: &Group,
    viewer: UserId,
    people: Vec<UserId>,
) -> Result<HashSet<UserId>> {
    let others = group.of_crowd(people.into_iter().filter(|user| *user != viewer));
    let mut hidden = relationships::hidden_from(app, viewer, &others, ViewContext::Thread).await?;
    hidden.retain(|user| others.contains(user));
    Ok(hidden)
}

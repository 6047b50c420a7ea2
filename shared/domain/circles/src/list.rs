//! Lists a user's circles, and reads the views of listed circles.

use std::collections::HashMap;

use base::{CircleId, UserId};
use people::users;
use platform::{App, Cursor, Index, Key, Page, Query, Result, Row};

use super::{Circle, CircleView, Energy, Member, Role, energy_key, key, member};

/// Returns a page of a user's circles, the newest circle first. The list contains a dead circle until it is purged.
pub async fn list(app: &App, user: UserId, cursor: Cursor<CircleId>) -> Result<Page<CircleView>> {
    let query = Query::index(Index::Gsi1, member::circles_partition(user)).newest_first();
    let query = query.before(cursor.after).limit(cursor.take.rows() + 1);
    let members: Vec<Member> = app.table.query(&query).await?;
    let page = Page::cut(members, cursor.take, |member| member.circle.to_string());
    let roles: HashMap<_, _> = page.rows.iter().map(|member| (member.circle, member.role)).collect();
    let ids: Vec<_> = page.rows.iter().map(|member| member.circle).collect();
    let mut views = views_of(app, &ids, |_| true, |circle| roles.get(&circle).copied()).await?;
    let rows = ids.iter().filter_map(|id| views.remove(id)).collect();
    Ok(Page { rows, after: page.after })
}

/// Returns the views of the circles in `ids` for which `is_shown` returns true. `role` returns the viewer's role in a
/// circle.
pub(super) async fn views_of(
    app: &App,
    ids: &[CircleId],
    is_shown: impl Fn(&Circle) -> bool,
    role: impl Fn(CircleId) -> Option<Role>,
) -> Result<HashMap<CircleId, CircleView>> {
    let (circles, energies) =
        futures::try_join!(rows_of::<Circle>(app, ids, key), rows_of::<Energy>(app, ids, energy_key))?;
    let energies: HashMap<_, _> = energies.into_iter().map(|energy| (energy.circle, energy)).collect();
    let mut owners: Vec<_> = circles.iter().map(|circle| circle.owner_id).collect();
    owners.sort_unstable();
    owners.dedup();
    let cards = users::cards(app, &owners).await?;
    let view = |circle: Circle| {
        let (id, owner) = (circle.id, cards.get(&circle.owner_id).cloned());
        Some((id, CircleView::new(circle, energies.get(&id)?, owner, role(id))))
    };
    Ok(circles.into_iter().filter(is_shown).filter_map(view).collect())
}

async fn rows_of<R: Row>(app: &App, ids: &[CircleId], key: impl Fn(CircleId) -> Key) -> Result<Vec<R>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    app.table.batch_get_eventual(&keys).await
}

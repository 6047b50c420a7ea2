//! Changing what a circle is called, and what it is about.

use base::ids::{CircleId, UserId};
use platform::{App, error::Result, outbox::outbox_record_write, table::Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Circle, CircleDescription, CircleUpdated, CircleView, NewCircleName, Permission, key, permissions, view,
};

/// The changes to a circle: at least one of them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "RawCircleEdit")]
pub struct CircleEdit {
    /// The new name.
    pub name: Option<NewCircleName>,
    /// What it is about from now on; empty takes the description away.
    pub description: Option<CircleDescription>,
}

#[derive(Deserialize)]
struct RawCircleEdit {
    name: Option<NewCircleName>,
    description: Option<CircleDescription>,
}

impl TryFrom<RawCircleEdit> for CircleEdit {
    type Error = &'static str;

    fn try_from(RawCircleEdit { name, description }: RawCircleEdit) -> Result<Self, Self::Error> {
        let empty = name.is_none() && description.is_none();
        (!empty).then_some(Self { name, description }).ok_or("must have name or description")
    }
}

/// Changes a circle, and has its members hear of it. Invitations keep the name that they were written with.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle, or it died; [`platform::Error::Forbidden`] for a caller
/// who is not its owner.
pub async fn edit(app: &App, caller: UserId, id: CircleId, edit: CircleEdit) -> Result<CircleView> {
    let granted = permissions::require(app, id, caller, Permission::ChangeCircle).await?;
    let updated = CircleUpdated { circle_id: id, created_at: app.now() };
    let letter = outbox_record_write(app).then_publish(&updated);
    granted.commit(app, vec![edit_write(id, &edit), letter]).await?;
    view(app, Some(caller), id).await
}

/// Sets what changes. Fails with [`super::NO_CIRCLE`] when the circle died.
fn edit_write(id: CircleId, edit: &CircleEdit) -> Write {
    let write = Write::update(key(id));
    let write = edit.name.iter().fold(write, |write, it| write.set("name", it));
    let write = edit.description.iter().fold(write, |write, it| write.set("description", it));
    Circle::while_alive_write(write)
}

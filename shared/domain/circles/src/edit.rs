//! Changes a circle's name and description.

use base::{CircleId, UserId};
use platform::{App, Error, Result, Write, decode::present, outbox_record_write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Circle, CircleDescription, CircleName, CircleUpdated, CircleView, NewCircleName, Permission, key,
    permissions, view,
};

/// Changes to a circle. At least one field is required.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CircleEdit {
    /// The new name.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub name: Option<NewCircleName>,
    /// The new description. An empty text removes the description.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub description: Option<CircleDescription>,
}

/// Changes a circle's name or description, and publishes the change to the members. Invitations keep the earlier name.
/// Has no effect if the name and the description do not change.
///
/// # Errors
/// - [`Error::Invalid`] if the request has no field.
/// - [`Error::NotFound`] if the circle does not exist or is dead.
/// - [`Error::Forbidden`] unless the caller is its owner.
pub async fn edit(app: &App, caller: UserId, id: CircleId, edit: CircleEdit) -> Result<CircleView> {
    if edit.name.is_none() && edit.description.is_none() {
        return Err(Error::invalid_body("must have a name or a description"));
    }
    let granted = permissions::require(app, id, caller, Permission::ChangeCircle).await?;
    let before = view(app, Some(caller), id).await?;
    let write = edit_write(id, &edit);
    let name = edit.name.map_or_else(|| before.name.clone(), CircleName::from);
    let description = edit.description.unwrap_or_else(|| before.description.clone());
    if name == before.name && description == before.description {
        return Ok(before);
    }
    let updated = CircleUpdated { circle_id: id, created_at: app.now() };
    let record = outbox_record_write(app).then_publish(&updated);
    granted.commit(app, vec![write, record]).await?;
    Ok(CircleView { name, description, ..before })
}

/// Returns the write that sets the changed fields. The write fails with [`super::NO_CIRCLE`] if the circle is dead.
fn edit_write(id: CircleId, edit: &CircleEdit) -> Write {
    let write = Write::update(key(id));
    let write = edit.name.iter().fold(write, |write, name| write.set("name", name));
    let write = edit.description.iter().fold(write, |write, text| write.set("description", text));
    Circle::while_alive_write(write)
}

//! The rows that a CPR depends on.

use base::CircleId;
use platform::{App, Result};

use super::{Cpr, key};
use crate::{Circle, CircleName, Energy, NO_CIRCLE, circle, energy_key};

/// A living circle, its energy and its last CPR.
pub(super) struct CprContext {
    pub(super) name: CircleName,
    pub(super) energy: Energy,
    pub(super) last: Option<Cpr>,
}

impl CprContext {
    /// Reads a circle, its energy and its last CPR.
    ///
    /// # Errors
    /// Fails with [`platform::Error::NotFound`] if the circle does not exist or is dead.
    pub(super) async fn of(app: &App, id: CircleId) -> Result<Self> {
        let keys = [circle::key(id), energy_key(id), key(id)];
        let mut found = app.table.get_together(&keys).await?;
        let [circle, energy, cpr] = keys;
        Ok(Self {
            name: found.take::<Circle>(&circle)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?.name,
            energy: found.take(&energy)?.ok_or(NO_CIRCLE)?,
            last: found.take(&cpr)?,
        })
    }
}

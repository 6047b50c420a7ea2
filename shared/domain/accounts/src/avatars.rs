//! Users' pictures.

use base::UserId;
use people::{User, users};
use platform::{App, Result, Write, outcomes, retry_on_conflict};
use uploads::{Avatar, NewAvatar, Upload};

/// Returns the writes that change a user's picture, including `write`, which updates the user's row.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the upload is not a processed picture of the user.
pub(crate) async fn change_writes(
    app: &App,
    write: Write,
    before: &User,
    new: Option<NewAvatar>,
) -> Result<Vec<Write>> {
    of(before).change_writes(app, write, (before.id, before.id.into()), new).await
}

/// Makes a finished copy the picture of `user`, or records that the picture could not be copied. Has no effect if the
/// user chose another picture in the meantime.
///
/// # Errors
/// Fails if the table fails.
pub async fn show_copy(app: &App, user: UserId, copy: &Upload) -> Result<()> {
    retry_on_conflict(async || {
        let Some(before) = users::find(app, user).await? else { return outcomes::end("the user is gone") };
        let write = Write::update(users::key(user));
        match of(&before).copy_writes(app, write, user.into(), copy).await? {
            Some(writes) => app.table.transact(writes).await,
            None => outcomes::end("the user chose another picture"),
        }
    })
    .await
}

pub(super) fn of(user: &User) -> Avatar {
    Avatar { shown: user.avatar.clone(), source: user.avatar_source.clone() }
}

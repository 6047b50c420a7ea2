//! A link to a file of an export. What S3 signs ends with the credentials that signed it, after some hours at most; a link is
//! good for as long as the file is there, and leads to a new signature whenever somebody follows it.

use std::{str::FromStr, time::Duration};

use base::ids::{ExportId, UserId};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::Method;
use platform::{
    App,
    error::{Error, Result},
    mac,
    objects::Bucket,
};
use subtle::ConstantTimeEq;

use super::row::{self, Export};

const LABEL: &str = "export-link";
/// How long the address is good that a link leads to.
const ADDRESS_LIVES: Duration = Duration::from_secs(15 * 60);
const NO_FILE: Error = Error::NotFound("file");

/// A file of an export: its lines, or an archive of uploads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// All that is kept, as lines of JSON.
    Lines,
    /// The archive of this number.
    Archive(u32),
}

/// What a link names, and the code that only we can compute of it.
#[derive(Clone, Debug)]
pub struct ExportLink {
    user: UserId,
    export: ExportId,
    file: File,
    code: Vec<u8>,
}

/// Returns the path of a link.
pub(super) async fn path(app: &App, export: &Export, file: File) -> Result<String> {
    let named = named(export.user, export.id, file);
    let code = mac::mac(app, LABEL, &[named.as_bytes()]).await?;
    Ok(format!("auth/export/{named}.{}", URL_SAFE_NO_PAD.encode(code)))
}

/// Returns an address of the file that a link leads to, good for 15 minutes.
///
/// # Errors
/// [`Error::NotFound`] when the link is not ours, or the file is gone.
pub async fn follow(app: &App, link: &ExportLink) -> Result<String> {
    let named = named(link.user, link.export, link.file);
    let parts: [&[u8]; 1] = [named.as_bytes()];
    let fits = |macs: Vec<[u8; 32]>| macs.iter().any(|it| bool::from(it.as_slice().ct_eq(&link.code)));
    if !fits(mac::macs(app, LABEL, &parts).await?) && !fits(mac::renewed_macs(app, LABEL, &parts).await?) {
        return Err(NO_FILE);
    }
    let export = app.table.get::<Export>(&row::key(link.user)).await?;
    let export = export.filter(|it| it.id == link.export && it.is_ready(app.now())).ok_or(NO_FILE)?;
    let key = match link.file {
        File::Lines => export.file(),
        File::Archive(number) => export.archive(number),
    };
    Bucket::of_uploads(app)?.presign(Method::GET, &key, &[], ADDRESS_LIVES).await
}

impl ExportLink {
    /// Returns whose export it says to lead to.
    pub fn owner(&self) -> UserId {
        self.user
    }
}

fn named(user: UserId, export: ExportId, file: File) -> String {
    match file {
        File::Lines => format!("{user}.{export}.lines"),
        File::Archive(number) => format!("{user}.{export}.{number}"),
    }
}

impl FromStr for ExportLink {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        let parts: Vec<_> = text.split('.').collect();
        let [user, export, file, code] = parts.as_slice() else { return Err(()) };
        let file = match *file {
            "lines" => File::Lines,
            number => File::Archive(number.parse().map_err(drop)?),
        };
        let code = URL_SAFE_NO_PAD.decode(code).map_err(drop)?;
        Ok(Self { user: user.parse().map_err(drop)?, export: export.parse().map_err(drop)?, file, code })
    }
}

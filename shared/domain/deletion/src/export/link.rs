//! Links to the files of an export. A presigned S3 URL expires within hours. A link stays valid while its file exists,
//! and redirects to a new presigned URL.

use std::{str::FromStr, time::Duration};

use base::ids::{ExportId, PublicUserId, UserId};
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
/// Lifetime of the presigned URL that a link redirects to.
const URL_LIFETIME: Duration = Duration::from_secs(15 * 60);
const NO_FILE: Error = Error::NotFound("file");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// The JSON lines.
    Lines,
    /// The archive with this number.
    Archive(u32),
}

/// The target of a link, and the link's message authentication code.
#[derive(Clone, Debug)]
pub struct ExportLink {
    /// The text that the message authentication code covers.
    name: String,
    user: UserId,
    export: ExportId,
    file: File,
    code: Vec<u8>,
}

pub(super) async fn path(app: &App, export: &Export, file: File) -> Result<String> {
    let name = name(export.user.public(), export.id, file);
    let code = mac::mac(app, LABEL, &[name.as_bytes()]).await?;
    Ok(format!("auth/export/{name}.{}", URL_SAFE_NO_PAD.encode(code)))
}

/// Returns a presigned URL for the link's file. The URL is valid for 15 minutes.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the code of the link is invalid, or the file no longer exists.
pub async fn download_url(app: &App, link: &ExportLink) -> Result<String> {
    let is_valid = |mac: &[u8; 32]| mac.as_slice().ct_eq(&link.code).into();
    if mac::matching_mac(app, LABEL, &[link.name.as_bytes()], is_valid).await?.is_none() {
        return Err(NO_FILE);
    }
    let export = row::current_eventual(app, link.user).await?;
    let export =
        export.filter(|export| export.id == link.export && export.is_ready(app.now())).ok_or(NO_FILE)?;
    let key = match link.file {
        File::Lines => export.file(),
        File::Archive(number) => export.archive(number),
    };
    Bucket::of_uploads(app)?.presign(Method::GET, &key, &[], URL_LIFETIME).await
}

impl ExportLink {
    /// Returns the user whose export the link names. Does not verify the link.
    pub fn owner(&self) -> UserId {
        self.user
    }
}

fn name(user: PublicUserId, export: ExportId, file: File) -> String {
    match file {
        File::Lines => format!("{user}.{export}.lines"),
        File::Archive(number) => format!("{user}.{export}.{number}"),
    }
}

impl FromStr for ExportLink {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        let (name, code) = text.rsplit_once('.').ok_or(())?;
        let parts: Vec<_> = name.split('.').collect();
        let [user, export, file] = parts.as_slice() else { return Err(()) };
        let file = match *file {
            "lines" => File::Lines,
            number => File::Archive(number.parse().map_err(drop)?),
        };
        let code = URL_SAFE_NO_PAD.decode(code).map_err(drop)?;
        let (user, export) = (user.parse().map_err(drop)?, export.parse().map_err(drop)?);
        Ok(Self { name: name.to_owned(), user, export, file, code })
    }
}

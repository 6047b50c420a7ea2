//! The scripts and styles of the reference, out of the binary itself.

use std::{
    convert::Infallible,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use axum::{
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use shared::{
    Error, Result,
    http::{Path, PathParam},
};
use utoipa_swagger_ui::Config;

static CONFIG: LazyLock<Arc<Config<'_>>> = LazyLock::new(|| {
    let config = Config::from("/openapi.json");
    Arc::new(
        config.deep_linking(true).display_request_duration(true).filter(true).persist_authorization(true),
    )
});

/// A file's name.
pub(crate) struct Asset(String);

impl FromStr for Asset {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(Self(name.to_owned()))
    }
}

impl PathParam for Asset {
    const NOUN: &'static str = "file";
}

pub(crate) async fn show(Path(Asset(name)): Path<Asset>) -> Result<Response> {
    let file = utoipa_swagger_ui::serve(&name, Arc::clone(&CONFIG));
    let file = file.map_err(|cause| Error::internal(anyhow::anyhow!("{cause}")))?;
    let file = file.ok_or(Error::NotFound("file"))?;
    let headers = [(CONTENT_TYPE, file.content_type), (CACHE_CONTROL, "public, max-age=86400".to_owned())];
    Ok((headers, file.bytes.into_owned()).into_response())
}

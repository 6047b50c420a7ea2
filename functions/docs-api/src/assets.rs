//! The scripts and styles of the API reference, embedded in the binary.

use std::io::Read;

use axum::{
    Router,
    http::{
        HeaderMap, HeaderName,
        header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse, Response},
    routing::get,
};
use flate2::read::GzDecoder;
use platform::App;
use runtime::Result;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
/// Path, content type and content of each file.
const FILES: [(&str, &str, &str); 7] = [
    ("/docs/page.css", STYLE, include_str!("page/page.css")),
    ("/docs/reference.js", SCRIPT, include_str!("page/reference.js")),
    ("/docs/resolve.js", SCRIPT, include_str!("page/resolve.js")),
    ("/docs/samples.js", SCRIPT, include_str!("page/samples.js")),
    ("/docs/events.js", SCRIPT, include_str!("page/events.js")),
    ("/docs/guides.js", SCRIPT, include_str!("page/guides.js")),
    ("/docs/text.js", SCRIPT, include_str!("page/text.js")),
];
/// OpenAPI Explorer, compressed with gzip. `make reader` updates it.
const READER: &[u8] = include_bytes!("../vendor/openapi-explorer.min.js.gz");

const CACHE_ONE_MINUTE: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=60");
const CACHE_ONE_DAY: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=86400");

/// Returns the routes of the files below `/docs`.
pub(crate) fn routes() -> Router<App> {
    let router = Router::new().route("/docs/openapi-explorer.min.js", get(show_reader));
    FILES.into_iter().fold(router, |router, (path, content_type, content)| {
        let show = async move || ([CACHE_ONE_MINUTE, (CONTENT_TYPE, content_type)], content);
        router.route(path, get(show))
    })
}

/// Returns OpenAPI Explorer, uncompressed if the client does not accept gzip.
async fn show_reader(request: HeaderMap) -> Result<Response> {
    let headers = [CACHE_ONE_DAY, (CONTENT_TYPE, SCRIPT), (VARY, "accept-encoding")];
    if accepts_gzip(&request) {
        return Ok((headers, [(CONTENT_ENCODING, "gzip")], READER).into_response());
    }
    let mut script = String::new();
    GzDecoder::new(READER).read_to_string(&mut script).map_err(platform::Error::internal)?;
    Ok((headers, script).into_response())
}

fn accepts_gzip(request: &HeaderMap) -> bool {
    let accepted = request.get_all(ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let quality = quality.trim().strip_prefix("q=").and_then(|quality| quality.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && quality.is_some_and(|quality| quality > 0.0)
    })
}

//! Pages of uploads and their objects.

use axum::{
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use lambda_http::http::{
    StatusCode,
    header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    layout::{self, UPLOADS},
    page_request::{PageRequest, address},
};
use crate::{
    recorder::{Recorder, Stored},
    s3::Objects,
};

const SHOWN_MAX: usize = 100;
/// Content types that the browser may display. Objects of other types are downloaded.
const PICTURES: [&str; 5] = ["image/gif", "image/jpeg", "image/png", "image/webp", "image/avif"];
const OBJECT_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";
const HEADS: &[(&str, &str)] =
    &[("Time", ""), ("Action", ""), ("Object", ""), ("Type", "wide"), ("Bytes", "wide number")];

#[derive(Deserialize)]
pub(super) struct ObjectQuery {
    path: String,
}

pub(super) async fn show(
    State(recorder): State<Recorder>,
    State(objects): State<Objects>,
    request: PageRequest,
) -> Response {
    let all = recorder.memory().objects.newest();
    let live = match all.is_empty() {
        true => layout::empty("No uploads since the start. POST /upload returns a URL to upload to."),
        false => html! {
            @let rows = html! { @for stored in all.iter().take(SHOWN_MAX) { (row(&objects, &stored.item)) } };
            (layout::list("Objects", HEADS, rows))
            p.limits { "The newest " (SHOWN_MAX) " since the start. Earlier uploads are still at their URLs." }
        },
    };
    request.show_live(&UPLOADS, html! {}, live)
}

fn row(objects: &Objects, stored: &Stored) -> Markup {
    let href = address("/_local/console/uploads/object", [("path", stored.path.as_str())]);
    let exists = objects.peek(&stored.path).is_some();
    html! {
        tr {
            td { (layout::moment(stored.at)) }
            td { (stored.action) }
            td.path {
                @if exists && is_picture(&stored.content_type) { img.thumb src=(href) alt="" loading="lazy"; " " }
                @if exists { a href=(href) { (stored.path) } } @else { s { (stored.path) } }
            }
            td.wide { (stored.content_type) }
            td.wide.number { (stored.size) }
        }
    }
}

pub(super) async fn show_one(State(objects): State<Objects>, Query(query): Query<ObjectQuery>) -> Response {
    let Some(object) = objects.peek(&query.path) else {
        return layout::failure(StatusCode::NOT_FOUND, &UPLOADS, "The object no longer exists.");
    };
    let policy = (CONTENT_SECURITY_POLICY, OBJECT_POLICY);
    match is_picture(&object.content_type) {
        true => ([policy, (CONTENT_TYPE, object.content_type.as_str())], object.bytes).into_response(),
        false => {
            let file =
                [policy, (CONTENT_TYPE, "application/octet-stream"), (CONTENT_DISPOSITION, "attachment")];
            (file, object.bytes).into_response()
        }
    }
}

fn is_picture(content_type: &str) -> bool {
    PICTURES.contains(&content_type)
}

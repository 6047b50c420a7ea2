//! What came into the buckets, and each object while it is there.

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
    look::{Look, address},
};
use crate::{
    recorder::{Recorder, Stored},
    s3::Objects,
};

const SHOWN_MAX: usize = 100;
/// What a browser may show. Everything else is handed over as a file.
const PICTURES: [&str; 5] = ["image/gif", "image/jpeg", "image/png", "image/webp", "image/avif"];
const OBJECT_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";
const HEADS: &[(&str, &str)] =
    &[("Time", ""), ("What", ""), ("Object", ""), ("Type", "wide"), ("Bytes", "wide number")];

/// Which object.
#[derive(Deserialize)]
pub(super) struct Wanted {
    path: String,
}

pub(super) async fn show(
    State(recorder): State<Recorder>,
    State(objects): State<Objects>,
    look: Look,
) -> Response {
    let all = recorder.memory().objects.newest();
    let moving = match all.is_empty() {
        true => layout::empty("Nothing was uploaded since the start. POST /upload says where a file goes."),
        false => html! {
            @let rows = html! { @for it in all.iter().take(SHOWN_MAX) { (row(&objects, &it.thing)) } };
            (layout::list("Objects", HEADS, rows))
            p.limits { "The newest " (SHOWN_MAX) " since the start. What came before is at its address, and in the table." }
        },
    };
    look.live(&UPLOADS, html! {}, moving)
}

fn row(objects: &Objects, stored: &Stored) -> Markup {
    let href = address("/_local/console/uploads/object", [("path", stored.path.as_str())]);
    let is_there = objects.look(&stored.path).is_some();
    html! {
        tr {
            td { (layout::moment(stored.at)) }
            td { (stored.what) }
            td.path {
                @if is_there && is_picture(&stored.content_type) { img.thumb src=(href) alt="" loading="lazy"; " " }
                @if is_there { a href=(href) { (stored.path) } } @else { s { (stored.path) } }
            }
            td.wide { (stored.content_type) }
            td.wide.number { (stored.size) }
        }
    }
}

pub(super) async fn show_one(State(objects): State<Objects>, Query(wanted): Query<Wanted>) -> Response {
    let Some(object) = objects.look(&wanted.path) else {
        return layout::failure(StatusCode::NOT_FOUND, &UPLOADS, "There is no such object any more.");
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

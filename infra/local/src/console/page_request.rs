//! Requests for pages, and pages that refresh themselves.

use std::{
    convert::Infallible,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use axum::{
    extract::{FromRef, FromRequestParts},
    response::{IntoResponse, Redirect, Response},
};
use form_urlencoded::{Serializer, parse};
use lambda_http::http::{StatusCode, request::Parts as RequestParts};
use maud::{Markup, html};

use super::layout::{self, Page};
use crate::recorder::Recorder;

/// Query parameters that all pages accept.
const SHARED: [&str; 3] = ["seen", "notice", "live"];

pub(super) struct PageRequest {
    path: String,
    /// Query parameters of the page itself.
    query: Vec<(String, String)>,
    /// Hash of the content that the browser shows. `None` if the request is not a refresh.
    seen: Option<String>,
    is_live: bool,
    notice: Option<Arc<String>>,
}

impl<S: Sync> FromRequestParts<S> for PageRequest
where
    Recorder: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(request: &mut RequestParts, state: &S) -> Result<Self, Infallible> {
        let uri = request
            .extensions
            .get::<axum::extract::OriginalUri>()
            .map_or(&request.uri, |original| &original.0);
        let all: Vec<(String, String)> =
            parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
        let shared = |name: &str| all.iter().find(|pair| pair.0 == name).map(|pair| pair.1.clone());
        let notice = shared("notice").and_then(|number| number.parse().ok());
        Ok(Self {
            path: uri.path().to_owned(),
            seen: shared("seen").filter(|_| request.headers.contains_key("hx-request")),
            is_live: shared("live").is_none_or(|live| live != "off"),
            notice: notice.and_then(|number| Recorder::from_ref(state).memory().notices.find(number)),
            query: all.into_iter().filter(|pair| !SHARED.contains(&pair.0.as_str())).collect(),
        })
    }
}

impl PageRequest {
    pub(super) fn show_static(&self, page: &Page, content: Markup) -> Response {
        layout::page(page, self.notice.as_deref(), None, content).into_response()
    }

    /// Renders a page that refreshes its `live` part every second. Returns 204 for a refresh if the part is unchanged.
    pub(super) fn show_live(&self, page: &Page, content: Markup, live: Markup) -> Response {
        let state = hash(&live.0);
        let part = html! {
            div #live hx-get=[self.is_live.then(|| self.address(&[("seen", &state)]))]
                hx-trigger=[self.is_live.then_some("every 1s")] hx-swap="outerHTML" { (live) }
        };
        match &self.seen {
            Some(seen) if *seen == state => StatusCode::NO_CONTENT.into_response(),
            Some(_) => part.into_response(),
            None => {
                let toggle = self.toggle();
                layout::page(page, self.notice.as_deref(), Some(toggle), html! { (content) (part) })
                    .into_response()
            }
        }
    }

    fn toggle(&self) -> Markup {
        match self.is_live {
            true => html! { a.toggle href=(self.address(&[("live", "off")])) { "Pause" } },
            false => html! { a.toggle href=(self.address(&[])) { "Resume" } },
        }
    }

    fn address(&self, more: &[(&str, &str)]) -> String {
        let query = self.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        address(&self.path, query.chain(more.iter().copied()))
    }
}

pub(super) fn address<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let query = Serializer::new(String::new()).extend_pairs(query).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

pub(super) fn redirect(recorder: &Recorder, path: &str, notice: String) -> Response {
    let number = recorder.memory().notices.push(notice).to_string();
    Redirect::to(&address(path, [("notice", number.as_str())])).into_response()
}

fn hash(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

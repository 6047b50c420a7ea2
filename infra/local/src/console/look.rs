//! A look at a page: where, with which notice, and whether only what changed is wanted.

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

/// The parameters that are the console's own, and no page's.
const OWN: [&str; 3] = ["seen", "notice", "live"];

/// How a page is asked for.
pub(super) struct Look {
    path: String,
    /// The page's own parameters.
    query: Vec<(String, String)>,
    /// What the asker has of it, when only something else is wanted.
    seen: Option<String>,
    is_live: bool,
    notice: Option<Arc<String>>,
}

impl<S: Sync> FromRequestParts<S> for Look
where
    Recorder: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(request: &mut RequestParts, state: &S) -> Result<Self, Infallible> {
        let uri = request.extensions.get::<axum::extract::OriginalUri>().map_or(&request.uri, |it| &it.0);
        let all: Vec<(String, String)> =
            parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
        let own = |name: &str| all.iter().find(|it| it.0 == name).map(|it| it.1.clone());
        let notice = own("notice").and_then(|it| it.parse().ok());
        Ok(Self {
            path: uri.path().to_owned(),
            seen: own("seen").filter(|_| request.headers.contains_key("hx-request")),
            is_live: own("live").is_none_or(|it| it != "off"),
            notice: notice.and_then(|it| Recorder::from_ref(state).memory().notices.find(it)),
            query: all.into_iter().filter(|it| !OWN.contains(&it.0.as_str())).collect(),
        })
    }
}

impl Look {
    /// Shows a page that stays as it is.
    pub(super) fn still(&self, page: &Page, content: Markup) -> Response {
        layout::page(page, self.notice.as_deref(), None, content).into_response()
    }

    /// Shows a page whose `moving` part renews itself each second, while it changes.
    pub(super) fn live(&self, page: &Page, content: Markup, moving: Markup) -> Response {
        let state = hash(&moving.0);
        let part = html! {
            div #live hx-get=[self.is_live.then(|| self.address(&[("seen", &state)]))]
                hx-trigger=[self.is_live.then_some("every 1s")] hx-swap="outerHTML" { (moving) }
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

    /// The link that stops the renewal, or starts it again.
    fn toggle(&self) -> Markup {
        match self.is_live {
            true => html! { a.toggle href=(self.address(&[("live", "off")])) { "Pause" } },
            false => html! { a.toggle href=(self.address(&[])) { "Go on" } },
        }
    }

    fn address(&self, more: &[(&str, &str)]) -> String {
        let query = self.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        address(&self.path, query.chain(more.iter().copied()))
    }
}

/// A path with a query.
pub(super) fn address<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let query = Serializer::new(String::new()).extend_pairs(query).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Leads to a page that says what was done.
pub(super) fn done(recorder: &Recorder, path: &str, notice: String) -> Response {
    let number = recorder.memory().notices.push(notice).to_string();
    Redirect::to(&address(path, [("notice", number.as_str())])).into_response()
}

fn hash(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

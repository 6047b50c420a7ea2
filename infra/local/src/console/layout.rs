//! What every page has: its frame, its navigation, and the small pieces that pages are made of.

use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use lambda_http::http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use super::HOME;
use crate::clock;

/// A page of the navigation.
pub(super) struct Page {
    pub(super) path: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
}

macro_rules! pages {
    ($($name:ident: $path:literal, $title:literal, $about:literal;)*) => {
        $(pub(super) const $name: Page = Page { path: $path, title: $title, about: $about };)*
        /// All pages, as the navigation lists them.
        pub(super) const PAGES: &[Page] = &[$($name),*];
    };
}

pages! {
    OVERVIEW: "/_local/", "Overview", "What runs here, and how it is.";
    PEOPLE: "/_local/console/people", "People", "Who has signed up. Sign in as any of them by a click.";
    REQUESTS: "/_local/console/requests", "Requests", "What was asked of the API, and what it cost.";
    FUNCTIONS: "/_local/console/functions", "Functions", "Each function, with its last invocations.";
    LOGS: "/_local/console/logs", "Logs", "What functions and the stack itself have logged, errors too.";
    QUEUES: "/_local/console/queues", "Queues", "What waits, what failed, and a second try for it.";
    EVENTS: "/_local/console/events", "Events", "What goes out by the bus, and to clients by push.";
    SCHEDULES: "/_local/console/schedules", "Schedules", "What runs by itself, and when it comes next.";
    CLOCK: "/_local/console/clock", "Clock", "The service's time, which can be moved forward.";
    MAIL: "/_local/console/mail", "Mail", "Mails that would have been sent.";
    TABLE: "/_local/console/table", "Table", "The rows of the table, one partition at a time.";
    UPLOADS: "/_local/console/uploads", "Uploads", "What came into the buckets.";
}

/// A whole page.
pub(super) fn page(page: &Page, notice: Option<&String>, toggle: Option<Markup>, content: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="htmx-config" content=r#"{"includeIndicatorStyles":false,"allowEval":false}"#;
                title { (page.title) " · Console" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/_local/console/assets/console.css";
                script defer src="/_local/console/assets/htmx.min.js" {}
                script defer src="/_local/console/assets/console.js" {}
            }
            body {
                a.skip href="#main" { "Skip to the page" }
                (navigation(page))
                main #main tabindex="-1" {
                    header.head { h1 { (page.title) } @if let Some(toggle) = toggle { (toggle) } }
                    p.about { (page.about) }
                    @if let Some(notice) = notice { p.notice role="status" { (notice) } }
                    (content)
                }
            }
        }
    }
}

fn navigation(current: &Page) -> Markup {
    let is_current = |page: &Page| (page.path == current.path).then_some("page");
    html! {
        nav aria-label="Console" {
            a.brand href=(HOME) { "Console" }
            ul {
                @for page in PAGES { li { a href=(page.path) aria-current=[is_current(page)] { (page.title) } } }
                li { a href="/docs" { "API reference" } }
            }
        }
    }
}

/// A page that says that something is wrong.
pub(super) fn failure(status: StatusCode, of: &Page, why: &str) -> Response {
    let content = html! { p.failure role="alert" { (why) } p { a href=(of.path) { "Back to " (of.title) } } };
    (status, page(of, None, None, content)).into_response()
}

/// Where there is nothing to show yet.
pub(super) fn empty(text: &str) -> Markup {
    html! { p.empty { (text) } }
}

/// A table that scrolls by itself where it is too wide. Each head has the classes of its column: a `wide` one is not shown
/// where there is little room.
pub(super) fn table(name: &str, heads: &[(&str, &str)], rows: Markup) -> Markup {
    table_of("", name, heads, rows)
}

/// A table whose rows become blocks where there is little room.
pub(super) fn list(name: &str, heads: &[(&str, &str)], rows: Markup) -> Markup {
    table_of("list", name, heads, rows)
}

fn table_of(class: &str, name: &str, heads: &[(&str, &str)], rows: Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(name) tabindex="0" {
            table class=(class) {
                thead { tr { @for (head, class) in heads { th.(class) scope="col" { (head) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// A button that does something.
pub(super) fn button(action: &str, label: &str, name: &str) -> Markup {
    let name = (label != name).then_some(name);
    html! { form method="post" action=(action) { button type="submit" aria-label=[name] { (label) } } }
}

/// A day and a time, by the stack's clock, in UTC.
pub(super) fn time(at: Timestamp) -> Markup {
    html! { time datetime=(clock::show(at)) { (at.strftime("%Y-%m-%d %H:%M:%S")) } }
}

/// A time to the millisecond; the day can be pointed at.
pub(super) fn moment(at: Timestamp) -> Markup {
    let whole = clock::show(at);
    html! { time datetime=(whole) title=(whole) { (at.strftime("%H:%M:%S%.3f")) } }
}

/// A status, coloured by its class.
pub(super) fn status(status: u16) -> Markup {
    let class = match status {
        500.. => "bad",
        400.. => "warn",
        _ => "good",
    };
    html! { span class={ "badge " (class) } { (status) } }
}

/// JSON, laid out; another text as it is.
pub(super) fn json(text: &str) -> Markup {
    let read = serde_json::from_str::<serde_json::Value>(text);
    let shown = read.ok().and_then(|it| serde_json::to_string_pretty(&it).ok());
    html! { pre tabindex="0" { (shown.as_deref().unwrap_or(text)) } }
}

/// Milliseconds with one digit.
pub(super) fn millis(took: std::time::Duration) -> String {
    format!("{:.1}", took.as_secs_f64() * 1000.0)
}

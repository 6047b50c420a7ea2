//! Layout of pages: frame, navigation, and shared elements.

use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use lambda_http::http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use super::HOME;
use crate::clock;

/// A page in the navigation.
pub(super) struct Page {
    pub(super) path: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
}

macro_rules! pages {
    ($($name:ident: $path:literal, $title:literal, $about:literal;)*) => {
        $(pub(super) const $name: Page = Page { path: $path, title: $title, about: $about };)*
        pub(super) const PAGES: &[Page] = &[$($name),*];
    };
}

pages! {
    OVERVIEW: "/_local/", "Overview", "The state of the stack, and the addresses of its services.";
    PEOPLE: "/_local/console/people", "People", "Users, newest first. Sign in as any of them without a password.";
    REQUESTS: "/_local/console/requests", "Requests", "The last requests to the API, with their cost.";
    FUNCTIONS: "/_local/console/functions", "Functions", "Functions with their calls, failures and last invocations.";
    LOGS: "/_local/console/logs", "Logs", "Log lines of functions and the stack.";
    QUEUES: "/_local/console/queues", "Queues", "Messages and dead letters, with buttons to retry them.";
    EVENTS: "/_local/console/events", "Events", "Events on the bus, and pushes to clients.";
    SCHEDULES: "/_local/console/schedules", "Schedules", "Schedules with their next runs.";
    CLOCK: "/_local/console/clock", "Clock", "The time of the service. You can move it forward.";
    MAIL: "/_local/console/mail", "Mail", "Captured emails. They are not sent.";
    TABLE: "/_local/console/table", "Table", "Rows of the table, one partition at a time.";
    UPLOADS: "/_local/console/uploads", "Uploads", "Files uploaded since the start.";
}

/// Renders a complete page. `toggle` is the link that pauses or resumes refreshing.
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
                a.skip href="#main" { "Skip to content" }
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

/// Renders an error page with a link back to `parent`.
pub(super) fn failure(status: StatusCode, parent: &Page, why: &str) -> Response {
    let content =
        html! { p.failure role="alert" { (why) } p { a href=(parent.path) { "Back to " (parent.title) } } };
    (status, page(parent, None, None, content)).into_response()
}

/// Renders an error page for a failure of the stack itself.
pub(super) fn internal_error(parent: &Page, error: &anyhow::Error) -> Response {
    failure(StatusCode::INTERNAL_SERVER_ERROR, parent, &format!("{error:#}"))
}

pub(super) fn empty(text: &str) -> Markup {
    html! { p.empty { (text) } }
}

/// Renders a table that scrolls sideways. `heads` has the title and CSS classes of each column. Columns with the class
/// `wide` are hidden on narrow screens.
pub(super) fn table(name: &str, heads: &[(&str, &str)], rows: Markup) -> Markup {
    table_with_class("", name, heads, rows)
}

/// Renders a table whose rows become blocks on narrow screens.
pub(super) fn list(name: &str, heads: &[(&str, &str)], rows: Markup) -> Markup {
    table_with_class("list", name, heads, rows)
}

fn table_with_class(class: &str, name: &str, heads: &[(&str, &str)], rows: Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(name) tabindex="0" {
            table class=(class) {
                thead { tr { @for (head, class) in heads { th.(class) scope="col" { (head) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// Renders a form with one button. `name` is the accessible name.
pub(super) fn button(action: &str, label: &str, name: &str) -> Markup {
    let name = (label != name).then_some(name);
    html! { form method="post" action=(action) { button type="submit" aria-label=[name] { (label) } } }
}

/// Renders a form that reloads the page with its fields in the query.
pub(super) fn filter(fields: Markup, label: &str) -> Markup {
    html! { form.filter method="get" { (fields) button type="submit" { (label) } } }
}

/// Renders a field to choose one option. `options` has values and texts.
pub(super) fn choice<'a>(
    label: &str,
    name: &str,
    selected: &str,
    options: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Markup {
    html! {
        label { (label) select name=(name) {
            @for (value, text) in options { option value=(value) selected[value == selected] { (text) } }
        } }
    }
}

pub(super) fn time(at: Timestamp) -> Markup {
    html! { time datetime=(clock::show(at)) { (at.strftime("%Y-%m-%d %H:%M:%S")) } }
}

/// Renders a time with milliseconds. The date is in the tooltip.
pub(super) fn moment(at: Timestamp) -> Markup {
    let full = clock::show(at);
    html! { time datetime=(full) title=(full) { (at.strftime("%H:%M:%S%.3f")) } }
}

pub(super) fn status(status: u16) -> Markup {
    let class = match status {
        500.. => "bad",
        400.. => "warn",
        _ => "good",
    };
    html! { span class={ "badge " (class) } { (status) } }
}

/// Renders JSON with indentation. Text that is not JSON is unchanged.
pub(super) fn json(text: &str) -> Markup {
    let value = serde_json::from_str::<serde_json::Value>(text);
    let pretty = value.ok().and_then(|value| serde_json::to_string_pretty(&value).ok());
    html! { pre tabindex="0" { (pretty.as_deref().unwrap_or(text)) } }
}

pub(super) fn millis(took: std::time::Duration) -> String {
    format!("{:.1}", took.as_secs_f64() * 1000.0)
}

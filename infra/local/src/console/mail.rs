//! Page of captured emails, newest first.

use axum::{
    extract::{Path, State},
    response::{Html, IntoResponse, Response},
};
use lambda_http::http::{StatusCode, header::CONTENT_SECURITY_POLICY};
use linkify::{LinkFinder, LinkKind};
use maud::{Markup, html};

use super::{
    layout::{self, MAIL},
    page_request::PageRequest,
};
use crate::ses::{Mail, Mailbox};

const SHOWN_MAX: usize = 50;
/// Content security policy of displayed emails, which cannot run scripts, load files, or access the console's origin.
const MAIL_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

pub(super) async fn show(State(mailbox): State<Mailbox>, request: PageRequest) -> Response {
    let mails = mailbox.mails();
    let live = html! {
        @if mails.is_empty() { (layout::empty("No emails yet. Register a user to get one.")) }
        @for (number, mail) in mails.iter().enumerate().rev().take(SHOWN_MAX) { (card(number, mail)) }
        @if mails.len() > SHOWN_MAX { p.limits { "The newest " (SHOWN_MAX) " of " (mails.len()) " emails." } }
    };
    request.show_live(&MAIL, html! {}, live)
}

fn card(number: usize, mail: &Mail) -> Markup {
    html! {
        article.card {
            h2 { (mail.subject) }
            p.small { "To " strong { (mail.to) } ", " (layout::time(mail.at)) " · "
                a href={ (MAIL.path) "/" (number) } { "as HTML" } }
            p.mail-text { (linked(&mail.text)) }
        }
    }
}

fn linked(text: &str) -> Markup {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    html! {
        @for span in finder.spans(text) {
            @if span.kind().is_some() && span.as_str().starts_with("http") {
                a href=(span.as_str()) target="_blank" rel="noopener noreferrer" { (span.as_str()) }
            } @else { (span.as_str()) }
        }
    }
}

pub(super) async fn show_html(State(mailbox): State<Mailbox>, Path(number): Path<usize>) -> Response {
    match mailbox.mails().into_iter().nth(number) {
        Some(mail) => ([(CONTENT_SECURITY_POLICY, MAIL_POLICY)], Html(mail.html)).into_response(),
        None => layout::failure(StatusCode::NOT_FOUND, &MAIL, "The email no longer exists."),
    }
}

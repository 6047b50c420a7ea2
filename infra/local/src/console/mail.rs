//! Mails that would have been sent, the newest first.

use axum::{
    extract::{Path, State},
    response::{Html, IntoResponse, Response},
};
use lambda_http::http::{StatusCode, header::CONTENT_SECURITY_POLICY};
use linkify::{LinkFinder, LinkKind};
use maud::{Markup, html};

use super::{
    layout::{self, MAIL},
    look::Look,
};
use crate::ses::{Mail, Mailbox};

const SHOWN_MAX: usize = 50;
/// A mail runs nothing, loads nothing, and has no part in what its browser knows of this site.
const MAIL_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

pub(super) async fn show(State(mailbox): State<Mailbox>, look: Look) -> Response {
    let mails = mailbox.mails();
    let moving = html! {
        @if mails.is_empty() { (layout::empty("No mails yet. Whoever registers gets one.")) }
        @for (number, mail) in mails.iter().enumerate().rev().take(SHOWN_MAX) { (card(number, mail)) }
        @if mails.len() > SHOWN_MAX { p.limits { "The newest " (SHOWN_MAX) " of " (mails.len()) " mails." } }
    };
    look.live(&MAIL, html! {}, moving)
}

fn card(number: usize, mail: &Mail) -> Markup {
    html! {
        article.card {
            h2 { (mail.subject) }
            p.small { "To " strong { (mail.to) } ", " (layout::time(mail.at)) " · "
                a href={ (MAIL.path) "/" (number) } { "as HTML" } }
            p.letter { (linked(&mail.text)) }
        }
    }
}

/// A text whose links can be clicked.
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
        None => layout::failure(StatusCode::NOT_FOUND, &MAIL, "There is no such mail any more."),
    }
}

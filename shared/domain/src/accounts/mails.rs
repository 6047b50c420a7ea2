//! Mails: what they say, and sending each once.

use platform::{
    App,
    email::Letter,
    error::Result,
    queues::Job,
    settings::{QueueUrls, required},
};

use crate::{
    accounts::mailed_tokens::{Issued, Purpose, Token},
    people::users::{self, User},
};

impl Job for Issued {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.mail, "MAIL_QUEUE_URL")
    }
}

/// Mails a token to its owner. 3 calls, 2 RRU and 1 WRU, and one mail.
///
/// Nothing is sent when it was sent before, when the token is used or too old, or when it belongs
/// to nobody. A second mail goes out only when the worker dies between sending and noting it, or
/// when the queue delivers twice at the same moment: better two mails than none.
///
/// # Errors
/// Internal only; the queue tries again.
pub async fn deliver(app: &App, issued: &Issued) -> Result<()> {
    let Some((token, row)) = issued.find(app).await? else { return Ok(()) };
    if row.mailed {
        return Ok(());
    }
    let Some(user) = users::find(app, issued.user).await? else { return Ok(()) };
    app.mail.send(&letter(app, issued.kind, &user, &token)?).await?;
    row.mark_mailed(app).await
}

fn letter(app: &App, purpose: Purpose, user: &User, token: &Token) -> Result<Letter> {
    let (subject, path, why) = match purpose {
        Purpose::Verify => (
            "Confirm your e-mail address",
            "verify-email",
            "Follow this link within 24 hours to confirm that this address is yours:",
        ),
        Purpose::Reset => (
            "Choose a new password",
            "reset-password",
            "Somebody, hopefully you, asked for a new password. Follow this link within an hour to choose one:",
        ),
    };
    let base = required(&app.settings.app_url, "APP_URL")?.trim_end_matches('/');
    let link = format!("{base}/{path}?token={}", token.expose());
    Ok(write(user, subject, why, &link))
}

fn write(user: &User, subject: &'static str, why: &str, link: &str) -> Letter {
    let name = user.name.to_string();
    let text = format!("Hello {name},\n\n{why}\n\n{link}\n\nIf you did not ask for this, do nothing.\n");
    let (name, link) = (escape(&name), escape(link));
    let html = format!(
        "<!doctype html><html lang=\"en\"><body><p>Hello {name},</p><p>{why}</p>\
         <p><a href=\"{link}\">{link}</a></p><p>If you did not ask for this, do nothing.</p></body></html>"
    );
    Letter { to: user.email.to_string(), subject, text, html }
}

/// What a person wrote, as text in HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_html() {
        assert_eq!(escape(r#"<a href="x">'&"#), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    }
}

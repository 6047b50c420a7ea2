//! The mails with tokens: their text, and the delivery. The templates are the files `mail.txt` and
//! `mail.html` beside this one.

use minijinja::{Environment, UndefinedBehavior, Value, context};
use platform::{
    App,
    email::Email,
    error::{Error, Result},
    queues::{Job, QueueName},
    rate_limit::RateLimit,
    settings::required,
    time::HOUR_SECONDS,
};

use crate::{
    accounts::mailed_tokens::{IssuedToken, Purpose, Token},
    people::users::{self, User},
};

/// The mails of a kind that a recipient gets, whoever asks for them.
const AN_HOUR: RateLimit = RateLimit { what: "mail-hour", most: 3, seconds: HOUR_SECONDS };
const A_DAY: RateLimit = RateLimit { what: "mail-day", most: 10, seconds: 24 * HOUR_SECONDS };

impl Job for IssuedToken {
    fn queue(&self) -> QueueName {
        QueueName::Mail
    }
}

/// Mails a token to its owner. Costs 5 calls, 2 RRU and 3 WRU, and one mail.
///
/// It sends nothing when the mail was sent before, when the token is used or expired, when it belongs to
/// nobody, or when its owner got 3 mails of its kind within the hour, or 10 within the day. A second mail goes out only when the worker stops between sending and recording it, or when the
/// queue delivers the message twice at the same moment: two mails are better than none.
pub async fn deliver(app: &App, issued: &IssuedToken) -> Result<()> {
    let Some((token, row)) = issued.find(app).await? else { return Ok(()) };
    if row.mailed {
        return Ok(());
    }
    let Some(user) = users::find(app, issued.user).await? else { return Ok(()) };
    let recipient = format!("{:?}#{}", issued.kind, user.email);
    if !count(app, &recipient).await? {
        tracing::info!(user = %user.id, kind = ?issued.kind, "no mail: there were too many of this kind");
        return row.mark_mailed(app).await;
    }
    if let Err(error) = app.mail.send(&letter(app, issued.kind, &user, &token)?).await {
        // The job comes again, and counts again.
        futures::try_join!(AN_HOUR.count_by(app, &recipient, -1), A_DAY.count_by(app, &recipient, -1))?;
        return Err(error);
    }
    row.mark_mailed(app).await
}

/// Counts a mail to a recipient, and returns whether it may be sent. Costs 2 calls and 2 WRU; half of it where it may
/// not, for the hour.
async fn count(app: &App, recipient: &str) -> Result<bool> {
    let hour = AN_HOUR.count(app, recipient).await?;
    if hour.used > hour.limit {
        return Ok(false);
    }
    let day = A_DAY.count(app, recipient).await?;
    Ok(day.used <= day.limit)
}

fn letter(app: &App, purpose: Purpose, user: &User, token: &Token) -> Result<Email> {
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
    // Until an address is confirmed, its mails may go to somebody else: they carry no text of whoever registered.
    let name = user.verified_at.map(|_| user.name.to_string());
    let (text, html) = render(name.as_deref(), why, &link).map_err(Error::internal)?;
    Ok(Email { to: user.email.to_string(), subject, text, html })
}

/// Returns the plain and the HTML body. Only the name, if there is one, comes from a user; HTML is escaped in it. The engine
/// drops the last line break of a template.
fn render(name: Option<&str>, why: &str, link: &str) -> Result<(String, String), minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    let values = context! { name, why, link => Value::from_safe_string(link.to_owned()) };
    let text = templates.render_named_str("mail.txt", include_str!("mail.txt"), values.clone())?;
    let html = templates.render_named_str("mail.html", include_str!("mail.html"), values)?;
    Ok((text, html))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_html() {
        let (text, html) = render(Some(r#"<a href="x">'&"#), "why", "https://example.com/?token=t").unwrap();
        assert!(text.contains(r#"Hello <a href="x">'&,"#), "{text}");
        assert!(html.contains("Hello &lt;a href=&quot;x&quot;&gt;&#x27;&amp;,"), "{html}");
        assert!(html.contains(r#"<a href="https://example.com/?token=t">"#), "{html}");
    }
}

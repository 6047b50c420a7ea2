//! The mails: their text, and the delivery. The templates are the files `mail.txt` and
//! `mail.html` beside this one.

use base::ids::UserId;
use minijinja::{Environment, UndefinedBehavior, Value, context};
use people::users::{self, User};
use platform::{
    App,
    email::Email,
    error::{Error, Result},
    queues::{Job, QueueName},
    rate_limit::RateLimit,
    settings::required,
    time::HOUR_SECONDS,
};
use serde::{Deserialize, Serialize};

use crate::{
    mailed_tokens::{IssuedToken, Purpose, Token},
    notices::{Notice, NoticeJob, NoticeKind},
};

/// The mails of a kind that a recipient gets, whoever asks for them.
const AN_HOUR: RateLimit = RateLimit { what: "mail-hour", most: 3, seconds: HOUR_SECONDS };
const A_DAY: RateLimit = RateLimit { what: "mail-day", most: 10, seconds: 24 * HOUR_SECONDS };

/// What ends a mail that somebody has to ask for.
const UNASKED: &str = "If you did not ask for this, do nothing.";
/// What ends a mail about what only its recipient should do.
const UNKNOWN: &str = "If this was not you, choose a new password at once: it ends every sign-in.";

impl Job for IssuedToken {
    fn queue(&self) -> QueueName {
        QueueName::Mail
    }
}

/// A message of the queue of mails.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MailJob {
    /// A mail with a token.
    Token(IssuedToken),
    /// A mail that tells of a change.
    Notice(NoticeJob),
}

/// Sends a mail.
///
/// It sends nothing when the mail was sent before, when its token is used or expired, when it is for nobody, or when its
/// recipient got 3 mails of its kind within the hour, or 10 within the day. A second mail goes out only when the worker
/// stops between sending and recording it, or when the queue delivers the message twice at the same moment: two mails are
/// better than none.
pub async fn deliver(app: &App, job: &MailJob) -> Result<()> {
    match job {
        MailJob::Token(issued) => deliver_token(app, issued).await,
        MailJob::Notice(job) => deliver_notice(app, job).await,
    }
}

async fn deliver_token(app: &App, issued: &IssuedToken) -> Result<()> {
    let Some((token, row)) = issued.find(app).await? else { return Ok(()) };
    if row.mailed {
        return Ok(());
    }
    let Some(user) = users::find(app, issued.user).await? else { return Ok(()) };
    let mail = token_mail(app, &user, issued.kind, row.email.as_ref(), &token)?;
    send(app, issued.user, &format!("{:?}", issued.kind), mail).await?;
    row.mark_mailed(app).await
}

async fn deliver_notice(app: &App, job: &NoticeJob) -> Result<()> {
    let Some(notice) = job.find(app).await?.filter(|it| !it.mailed) else { return Ok(()) };
    let Some(user) = users::find(app, job.user).await? else { return Ok(()) };
    send(app, job.user, &format!("{:?}", notice.kind), notice_mail(&user, &notice)?).await?;
    notice.mark_mailed(app).await
}

/// Sends a mail, unless its recipient got too many of its kind.
async fn send(app: &App, user: UserId, kind: &str, mail: Email) -> Result<()> {
    let recipient = format!("{kind}#{}", mail.to);
    if !count(app, &recipient).await? {
        tracing::info!(%user, kind, "no mail: there were too many of this kind");
        return Ok(());
    }
    if let Err(error) = app.mail.send(&mail).await {
        // The job comes again, and counts again.
        futures::try_join!(AN_HOUR.count_by(app, &recipient, -1), A_DAY.count_by(app, &recipient, -1))?;
        return Err(error);
    }
    Ok(())
}

/// Counts a mail to a recipient, and returns whether it may be sent.
async fn count(app: &App, recipient: &str) -> Result<bool> {
    let hour = AN_HOUR.count(app, recipient).await?;
    if hour.used > hour.limit {
        return Ok(false);
    }
    let day = A_DAY.count(app, recipient).await?;
    Ok(day.used <= day.limit)
}

/// Returns the mail with a token: to an address that is not the user's yet, or to the user.
fn token_mail(
    app: &App,
    user: &User,
    purpose: Purpose,
    to: Option<&users::Email>,
    token: &Token,
) -> Result<Email> {
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
        Purpose::ChangeEmail => (
            "Confirm your new e-mail address",
            "confirm-email",
            "Follow this link within 24 hours to make this the address of your account:",
        ),
    };
    let base = required(&app.settings.app_url, "APP_URL")?.trim_end_matches('/');
    let link = format!("{base}/{path}?token={}", token.expose());
    // Until an address is confirmed, its mails may go to somebody else: they carry no text of whoever registered.
    let name = user.verified_at.filter(|_| to.is_none()).map(|_| user.name.to_string());
    let (text, html) = render(name.as_deref(), why, Some(&link), UNASKED).map_err(Error::internal)?;
    Ok(Email { to: to.unwrap_or(&user.email).to_string(), subject, text, html })
}

/// Returns the mail of a notice: to the address that it names, or to the user's.
fn notice_mail(user: &User, notice: &Notice) -> Result<Email> {
    let (subject, why) = match notice.kind {
        NoticeKind::PasswordChanged => (
            "Your password was changed",
            "The password of your account was changed, and all other sign-ins ended.",
        ),
        NoticeKind::EmailChangeRequested => (
            "Your e-mail address is to be changed",
            "Somebody who is signed in to your account asked to change its e-mail address. This one stays until the new \
             one is confirmed.",
        ),
        NoticeKind::EmailChanged => (
            "Your e-mail address was changed",
            "Your account has another e-mail address now. This one no longer belongs to it.",
        ),
        NoticeKind::SecondFactorOn => (
            "Your second factor is on",
            "Signing in to your account takes a code of an authenticator from now on.",
        ),
        NoticeKind::SecondFactorOff => (
            "Your second factor is off",
            "Signing in to your account takes no code any more, and all other sign-ins ended.",
        ),
    };
    let name = user.verified_at.map(|_| user.name.to_string());
    let (text, html) = render(name.as_deref(), why, None, UNKNOWN).map_err(Error::internal)?;
    Ok(Email { to: notice.to.as_ref().unwrap_or(&user.email).to_string(), subject, text, html })
}

/// Returns the plain and the HTML body. Only the name, if there is one, comes from a user; HTML is escaped in it. The engine
/// drops the last line break of a template.
fn render(
    name: Option<&str>,
    why: &str,
    link: Option<&str>,
    closing: &str,
) -> Result<(String, String), minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    let link = link.map(|it| Value::from_safe_string(it.to_owned()));
    let values = context! { name, why, link, closing };
    let text = templates.render_named_str("mail.txt", include_str!("mail.txt"), values.clone())?;
    let html = templates.render_named_str("mail.html", include_str!("mail.html"), values)?;
    Ok((text, html))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_html() {
        let (text, html) =
            render(Some(r#"<a href="x">'&"#), "why", Some("https://example.com/?token=t"), "bye").unwrap();
        assert!(text.contains(r#"Hello <a href="x">'&,"#), "{text}");
        assert!(html.contains("Hello &lt;a href=&quot;x&quot;&gt;&#x27;&amp;,"), "{html}");
        assert!(html.contains(r#"<a href="https://example.com/?token=t">"#), "{html}");
    }
}

//! Texts and delivery of emails. The templates are `mail.txt` and `mail.html` in this directory.

use minijinja::{Environment, UndefinedBehavior, Value, context};
use people::{EmailStatus, User, addresses, users};
use platform::{
    App, Error, Result, Row, Write,
    email::{Email, Sent},
    outcomes,
    settings::required,
};
use serde::{Deserialize, Serialize};

use crate::{
    mail_feedback::{self, MailEvent},
    mail_limit::MailLimit,
    mailed_tokens::{IssuedToken, Purpose, Token},
    notices::{Notice, NoticeJob, NoticeKind},
};

/// Delay until a postponed email is tried again. Equals the longest delay of SQS:
/// <https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-timers.html>.
const POSTPONED_SECONDS: i32 = 15 * 60;

/// Last sentence of emails that contain a link.
const NOT_REQUESTED: &str = "If you did not request this, ignore this email.";
/// Last sentences of other notices.
const NOT_YOU: &str = "If this was not you, change your password now. That signs out all devices.";
/// Last sentence of the notice about a new passkey. A password reset removes the passkey, but a password change does
/// not.
const NOT_YOUR_PASSKEY: &str =
    "If this was not you, reset your password by email. That removes all passkeys.";
/// Last sentence of the notice that the second factor is on. If a thief turned it on, only a password reset removes it.
const NOT_YOUR_FACTOR: &str =
    "If this was not you, reset your password by email and choose to remove the second factor.";
/// Last sentence of the notice that the second factor will be removed. The person who reset the password can read the
/// user's emails.
const NOT_YOUR_RESET: &str = "If this was not you, another person can read your emails. Change the password of your mailbox. \
     Then reset your password here, and sign in with a code or a recovery code.";

/// A message in the mail queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MailJob {
    /// An email with a token.
    Token(IssuedToken),
    /// An email about a change of the account.
    Notice(NoticeJob),
    /// A bounce or complaint that SES reports.
    Event(MailEvent),
}

platform::jobs!(IssuedToken: Mail, NoticeJob: Mail, MailJob: Mail);

/// Sends an email.
///
/// Sends nothing if the email was already sent, its token is used or expired, or the user does not exist. Also sends
/// nothing to an address that belongs to another account. A mailbox gets at most 3 emails of one kind an hour, and at
/// most 10 a day.
///
/// An email can be sent twice, for example if the worker stops before it records that it sent the email.
pub async fn deliver(app: &App, job: &MailJob) -> Result<()> {
    match job {
        MailJob::Token(issued) => deliver_token(app, issued).await,
        MailJob::Notice(job) => deliver_notice(app, job).await,
        MailJob::Event(event) => mail_feedback::apply(app, event).await,
    }
}

async fn deliver_token(app: &App, issued: &IssuedToken) -> Result<()> {
    let Some((token, row)) = issued.find(app).await? else { return outcomes::end("the token is gone") };
    if row.mailed {
        return outcomes::end("repeated");
    }
    let Some(user) = users::find(app, issued.user).await? else { return outcomes::end("the user is gone") };
    let is_reachable = match (&row.email, issued.kind) {
        (Some(_), _) => true,
        (None, Purpose::Verify) => addresses::is_confirmable(app, &user).await?,
        (None, _) => addresses::is_owned(app, &user).await?,
    };
    if !is_reachable {
        return outcomes::end("the address belongs to another account");
    }
    let mail = token_mail(app, &user, issued.kind, row.email.as_ref(), &token)?;
    match send(app, &user, &format!("{:?}", issued.kind), mail).await? {
        Sent::Postponed(error) => postpone(app, MailJob::Token(issued.clone()), &error).await,
        Sent::Accepted | Sent::Refused(_) => mark_mailed(app, &row).await,
    }
}

async fn deliver_notice(app: &App, job: &NoticeJob) -> Result<()> {
    let Some(notice) = job.find(app).await? else { return outcomes::end("the notice is gone") };
    if notice.mailed {
        return outcomes::end("repeated notice");
    }
    let Some(user) = users::find(app, job.user).await? else { return outcomes::end("the user is gone") };
    let is_own = notice.to.as_ref().is_none_or(|to| *to == user.email);
    if is_own && !addresses::is_owned(app, &user).await? {
        return outcomes::end("the address of the notice belongs to another account");
    }
    outcomes::note("a notice");
    match send(app, &user, &format!("{:?}", notice.kind), notice_mail(&user, &notice)?).await? {
        Sent::Postponed(error) => postpone(app, MailJob::Notice(job.clone()), &error).await,
        Sent::Accepted | Sent::Refused(_) => mark_mailed(app, &notice).await,
    }
}

/// Marks the row of a token or notice as emailed. Has no effect if the row was deleted.
async fn mark_mailed(app: &App, row: &impl Row) -> Result<()> {
    let mark = Write::update(row.key()).set("mailed", true).clear_outbox().exists();
    app.table.try_write(mark).await.map(drop)
}

/// Sends an email, unless a bounce, a complaint or a limit on emails to the address prevents it. Returns
/// [`Sent::Accepted`] for a skipped email, because it must not be retried.
async fn send(app: &App, user: &User, kind: &str, mail: Email) -> Result<Sent> {
    let is_own = mail.to == user.email.to_string();
    if is_own && user.email_status != EmailStatus::Ok {
        outcomes::note("the address gets no emails");
        return Ok(Sent::Accepted);
    }
    let limit = MailLimit::new(kind, &mail.to);
    if !limit.count(app).await? {
        tracing::info!(user = %user.id, kind, "email not sent: the limit of this kind is reached");
        outcomes::note("the limit is reached");
        return Ok(Sent::Accepted);
    }
    let sent = app.mail.send(&mail).await;
    if !matches!(sent, Ok(Sent::Accepted)) {
        // The email was not sent, so subtract it from the counts. A retry counts it again.
        limit.uncount(app).await?;
    }
    if let Ok(Sent::Refused(error)) = &sent {
        tracing::info!(user = %user.id, kind, error, "email not sent: SES refuses the address");
        outcomes::note("the address was refused");
        if is_own {
            mail_feedback::mark(app, &mail.to, EmailStatus::Bounced).await?;
        }
    }
    sent
}

/// Queues a job again with a delay of 15 minutes, because a limit of SES is reached. `error` is the error type of SES. The
/// job ends when its token or notice expires.
async fn postpone(app: &App, job: MailJob, error: &str) -> Result<()> {
    tracing::warn!(error, "email postponed: a limit of SES is reached");
    outcomes::note("a limit of SES is reached");
    app.queues.send_later(&job, POSTPONED_SECONDS).await
}

/// Returns the email with a token. Its recipient is `to`, or the user's address if `to` is `None`.
fn token_mail(
    app: &App,
    user: &User,
    purpose: Purpose,
    to: Option<&users::Email>,
    token: &Token,
) -> Result<Email> {
    let (subject, path, why) = match purpose {
        Purpose::Verify => (
            "Confirm your email address",
            "verify-email",
            "Open this link within 24 hours to confirm that this address is yours:",
        ),
        Purpose::Reset => (
            "Choose a new password",
            "reset-password",
            "Someone requested a new password for your account. Open this link within 1 hour to choose one:",
        ),
        Purpose::ChangeEmail => (
            "Confirm your new email address",
            "confirm-email",
            "Open this link within 24 hours to make this the address of your account:",
        ),
    };
    let base = required(&app.settings.app_url, "APP_URL")?;
    let link = format!("{base}/{path}?token={}", token.expose());
    // An unconfirmed address may belong to another person. So emails to an unconfirmed address contain no text from the
    // user.
    let name = user.verified_at.filter(|_| to.is_none()).map(|_| user.name.to_string());
    let (text, html) = render(name.as_deref(), why, Some(&link), NOT_REQUESTED).map_err(Error::internal)?;
    Ok(Email { to: to.unwrap_or(&user.email).to_string(), subject, text, html })
}

/// Returns the email for a notice. Its recipient is `notice.to`, or the user's address if `notice.to` is `None`.
fn notice_mail(user: &User, notice: &Notice) -> Result<Email> {
    let (subject, why) = match notice.kind {
        NoticeKind::PasswordChanged => (
            "Your password was changed",
            "The password of your account was changed. All other devices were signed out.",
        ),
        NoticeKind::EmailChangeRequested => (
            "A new email address was requested",
            "Someone signed in to your account requested a new email address. This address stays in use until the new \
             one is confirmed.",
        ),
        NoticeKind::EmailChanged => (
            "Your email address was changed",
            "Your account now uses a different email address. This address no longer belongs to your account.",
        ),
        NoticeKind::SecondFactorOn => (
            "Your second factor is on",
            "Signing in to your account now requires a code from your authenticator app.",
        ),
        NoticeKind::SecondFactorOff => (
            "Your second factor is off",
            "Signing in to your account no longer requires a code. All other devices were signed out.",
        ),
        NoticeKind::WrongCodes => (
            "Someone entered wrong codes",
            "Someone who knows your password entered several wrong codes of your second factor.",
        ),
        NoticeKind::SecondFactorEnds => (
            "Your second factor will be removed",
            "Your password was reset, and the second factor will be removed 72 hours after that. To keep the second \
             factor, sign in with a code or a recovery code before then.",
        ),
        NoticeKind::PasskeyAdded => {
            ("A passkey was added", "A new passkey can sign in to your account without the password.")
        }
        NoticeKind::PasskeyRemoved => {
            ("A passkey was removed", "A passkey can no longer sign in to your account.")
        }
        NoticeKind::ApplicationTokenIssued => (
            "An application token was issued",
            "Someone issued a token with which a program can act for your account. You can revoke it in your account.",
        ),
        NoticeKind::SessionsEnded => (
            "Your other devices were signed out",
            "Someone signed in to your account signed out all other devices, and revoked all application tokens.",
        ),
        NoticeKind::ExportRequested => (
            "An export of your data was requested",
            "Someone signed in to your account requested a copy of all your data. To invalidate its links, change your password.",
        ),
    };
    let name = user.verified_at.map(|_| user.name.to_string());
    let closing = match notice.kind {
        NoticeKind::SecondFactorOn => NOT_YOUR_FACTOR,
        NoticeKind::PasskeyAdded => NOT_YOUR_PASSKEY,
        NoticeKind::SecondFactorEnds => NOT_YOUR_RESET,
        _ => NOT_YOU,
    };
    let (text, html) = render(name.as_deref(), why, None, closing).map_err(Error::internal)?;
    Ok(Email { to: notice.to.as_ref().unwrap_or(&user.email).to_string(), subject, text, html })
}

/// Returns the plain-text body and the HTML body of an email. The HTML body escapes `name`, which users choose.
fn render(
    name: Option<&str>,
    why: &str,
    link: Option<&str>,
    closing: &str,
) -> Result<(String, String), minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    let link = link.map(|link| Value::from_safe_string(link.to_owned()));
    let values = context! { name, why, link, closing };
    let text = templates.render_named_str("mail.txt", include_str!("mail.txt"), values.clone())?;
    let html = templates.render_named_str("mail.html", include_str!("mail.html"), values)?;
    Ok((text, html))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_html_body_escapes_the_name() {
        let (text, html) =
            render(Some(r#"<a href="x">'&"#), "why", Some("https://example.com/?token=t"), "bye").unwrap();
        assert!(text.contains(r#"Hello <a href="x">'&,"#), "{text}");
        assert!(html.contains("Hello &lt;a href=&quot;x&quot;&gt;&#x27;&amp;,"), "{html}");
        assert!(html.contains(r#"<a href="https://example.com/?token=t">"#), "{html}");
    }
}

//! SES. Captures emails instead of sending them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    clock::{self, Clock},
    disk::Disk,
    lock::lock,
};

const MAILS_MAX: u64 = 10_000;
const LIST: &str = "mails";
/// The domain of the mailbox simulator of SES.
const SIMULATOR: &str = "simulator.amazonses.com";

/// A captured email.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Mail {
    /// Recipients, separated by commas.
    pub to: String,
    /// Subject line.
    pub subject: String,
    /// Plain text body.
    pub text: String,
    /// HTML body.
    pub html: String,
    /// Time at which the email was captured, on the stack's clock.
    #[serde(serialize_with = "milliseconds")]
    pub at: Timestamp,
}

#[derive(Clone)]
pub(crate) struct Mailbox {
    clock: Clock,
    disk: Disk,
    mails: Arc<Mutex<BTreeMap<u64, Mail>>>,
}

impl Mailbox {
    pub(crate) fn new(clock: Clock, disk: Disk) -> Result<Self> {
        let mails = disk.list(LIST)?.into_iter().collect();
        Ok(Self { clock, disk, mails: Arc::new(Mutex::new(mails)) })
    }

    /// Captures the email in a `SendEmail` request of SES v2.
    /// Fails for addresses that SES refuses, and for `refused@…`.
    pub(crate) fn accept(&self, body: &[u8]) -> Result<Json> {
        let call: Json = serde_json::from_slice(body)?;
        let text = |path: &str| call.pointer(path).and_then(Json::as_str).unwrap_or_default().to_owned();
        let to =
            call.pointer("/Destination/ToAddresses").and_then(Json::as_array).context("no ToAddresses")?;
        let to: Vec<_> = to.iter().filter_map(Json::as_str).collect();
        ensure!(!to.is_empty() && to.iter().all(|address| address.contains('@')), "Illegal address");
        ensure!(!to.iter().any(|address| address.starts_with("refused@")), "Illegal address");
        ensure!(text("/FromEmailAddress").contains('@'), "Missing or illegal FromEmailAddress");
        ensure!(call.pointer("/Content/Simple").is_some(), "the local stack supports only simple content");
        let mail = Mail {
            to: to.join(", "),
            subject: text("/Content/Simple/Subject/Data"),
            text: text("/Content/Simple/Body/Text/Data"),
            html: text("/Content/Simple/Body/Html/Data"),
            at: self.clock.now(),
        };
        let mut mails = lock(&self.mails);
        let number = mails.last_key_value().map_or(1, |(last, _)| last + 1);
        let oldest = number.saturating_sub(MAILS_MAX);
        self.disk
            .write(|changes| changes.put(LIST, number, &mail).and_then(|()| changes.remove(LIST, oldest)))?;
        mails.insert(number, mail);
        mails.remove(&oldest);
        Ok(json!({ "MessageId": crate::sqs::uuid() }))
    }

    pub(crate) fn count(&self) -> usize {
        lock(&self.mails).len()
    }

    pub(crate) fn mails(&self) -> Vec<Mail> {
        lock(&self.mails).values().cloned().collect()
    }
}

/// Returns the sender in a `SendEmail` request, or `None` if the request has no sender.
pub(crate) fn sender(body: &[u8]) -> Option<String> {
    let call: Json = serde_json::from_slice(body).ok()?;
    call.get("FromEmailAddress")?.as_str().map(str::to_owned)
}

pub(crate) fn configuration_set(body: &[u8]) -> Option<String> {
    let call: Json = serde_json::from_slice(body).ok()?;
    call.get("ConfigurationSetName")?.as_str().map(str::to_owned)
}

pub(crate) fn recipients(body: &[u8]) -> Vec<String> {
    let call: Json = serde_json::from_slice(body).unwrap_or_default();
    let to = call.pointer("/Destination/ToAddresses").and_then(Json::as_array).into_iter().flatten();
    to.filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Returns whether a `SendEmail` request exceeds a limit of SES. The address `limited@…` always does.
pub(crate) fn is_limited(body: &[u8]) -> bool {
    recipients(body).iter().any(|address| address.starts_with("limited@"))
}

/// Returns the addresses of the sender and the recipients that are not verified, each named `unverified@…`. In the
/// sandbox, SES refuses emails to and from such addresses.
///
/// Source: <https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html>.
pub(crate) fn unverified(body: &[u8]) -> Vec<String> {
    let addresses = sender(body).into_iter().chain(recipients(body));
    addresses.filter(|address| address.starts_with("unverified@")).collect()
}

/// Returns the `PutEvents` request for the event that SES publishes after it accepted a `SendEmail` request. Only the
/// addresses of the mailbox simulator, and the same names at `bounce.example` and `complaint.example`, cause events.
///
/// Source: <https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator>.
pub(crate) fn event(body: &[u8]) -> Option<Json> {
    configuration_set(body)?;
    let to = recipients(body).into_iter().next()?;
    let (name, domain) = to.split_once('@')?;
    let label = name.split('+').next().unwrap_or_default();
    let is = |kind: &str| (label == kind && domain == SIMULATOR) || domain == format!("{kind}.example");
    let recipients = json!([{ "emailAddress": to }]);
    let (kind, detail) = if is("bounce") {
        let bounce = json!({ "bounceType": "Permanent", "bouncedRecipients": recipients });
        ("Email Bounced", json!({ "eventType": "Bounce", "bounce": bounce }))
    } else if is("complaint") {
        let complaint = json!({ "complainedRecipients": recipients });
        ("Email Complaint Received", json!({ "eventType": "Complaint", "complaint": complaint }))
    } else {
        return None;
    };
    let entry = json!({ "Source": "aws.ses", "DetailType": kind, "Detail": detail.to_string() });
    Some(json!({ "Entries": [entry] }))
}

fn milliseconds<S: serde::Serializer>(time: &Timestamp, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(&clock::show(*time))
}

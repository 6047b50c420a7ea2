//! SES. Captures emails instead of sending them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    clock::{self, Clock},
    disk::Disk,
};

const MAILS_MAX: u64 = 10_000;
const LIST: &str = "mails";

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

/// The newest captured emails, by number.
#[derive(Clone)]
pub(crate) struct Mailbox {
    clock: Clock,
    disk: Disk,
    mails: Arc<Mutex<BTreeMap<u64, Mail>>>,
}

impl Mailbox {
    /// Opens the mailbox with the saved emails.
    pub(crate) fn new(clock: Clock, disk: Disk) -> Result<Self> {
        let mails = disk.list(LIST)?.into_iter().collect();
        Ok(Self { clock, disk, mails: Arc::new(Mutex::new(mails)) })
    }

    /// Captures the email in a `SendEmail` request of SES v2.
    pub(crate) fn accept(&self, body: &[u8]) -> Result<Json> {
        let call: Json = serde_json::from_slice(body)?;
        let text = |path: &str| call.pointer(path).and_then(Json::as_str).unwrap_or_default().to_owned();
        let to =
            call.pointer("/Destination/ToAddresses").and_then(Json::as_array).context("no ToAddresses")?;
        let to: Vec<_> = to.iter().filter_map(Json::as_str).collect();
        ensure!(!to.is_empty() && to.iter().all(|address| address.contains('@')), "Illegal address");
        ensure!(text("/FromEmailAddress").contains('@'), "Missing or illegal FromEmailAddress");
        ensure!(call.pointer("/Content/Simple").is_some(), "the local stack supports only simple content");
        let mail = Mail {
            to: to.join(", "),
            subject: text("/Content/Simple/Subject/Data"),
            text: text("/Content/Simple/Body/Text/Data"),
            html: text("/Content/Simple/Body/Html/Data"),
            at: self.clock.now(),
        };
        let mut mails = self.lock();
        let number = mails.last_key_value().map_or(1, |(last, _)| last + 1);
        let oldest = number.saturating_sub(MAILS_MAX);
        self.disk
            .write(|changes| changes.put(LIST, number, &mail).and_then(|()| changes.remove(LIST, oldest)))?;
        mails.insert(number, mail);
        mails.remove(&oldest);
        Ok(json!({ "MessageId": crate::sqs::uuid() }))
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn mails(&self) -> Vec<Mail> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Mail>> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the sender in a `SendEmail` request, or `None` if the request has no sender.
pub(crate) fn sender(body: &[u8]) -> Option<String> {
    let call: Json = serde_json::from_slice(body).ok()?;
    call.get("FromEmailAddress")?.as_str().map(str::to_owned)
}

fn milliseconds<S: serde::Serializer>(time: &Timestamp, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(&clock::show(*time))
}

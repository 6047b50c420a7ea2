//! The post office: keeps every mail instead of sending it.

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
const KEPT: &str = "mails";

/// A mail as it was sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Mail {
    /// The receivers, with commas between them.
    pub to: String,
    /// The subject line.
    pub subject: String,
    /// The plain body.
    pub text: String,
    /// The HTML body.
    pub html: String,
    /// When it was sent, by the stack's clock.
    #[serde(serialize_with = "milliseconds")]
    pub at: Timestamp,
}

/// The newest 10,000 mails, by their numbers.
#[derive(Clone)]
pub(crate) struct Mailbox {
    clock: Clock,
    disk: Disk,
    mails: Arc<Mutex<BTreeMap<u64, Mail>>>,
}

impl Mailbox {
    /// With the mails that were kept.
    pub(crate) fn new(clock: Clock, disk: Disk) -> Result<Self> {
        let mails = disk.list(KEPT)?.into_iter().collect();
        Ok(Self { clock, disk, mails: Arc::new(Mutex::new(mails)) })
    }

    /// Answers `SendEmail` of SES v2.
    pub(crate) fn accept(&self, body: &[u8]) -> Result<Json> {
        let call: Json = serde_json::from_slice(body)?;
        let text = |path: &str| call.pointer(path).and_then(Json::as_str).unwrap_or_default().to_owned();
        let to =
            call.pointer("/Destination/ToAddresses").and_then(Json::as_array).context("no ToAddresses")?;
        let to: Vec<_> = to.iter().filter_map(Json::as_str).collect();
        ensure!(!to.is_empty() && to.iter().all(|to| to.contains('@')), "Illegal address");
        ensure!(text("/FromEmailAddress").contains('@'), "Missing or illegal FromEmailAddress");
        ensure!(call.pointer("/Content/Simple").is_some(), "the local stack takes simple content only");
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
        self.disk.write(|it| it.put(KEPT, number, &mail).and_then(|()| it.remove(KEPT, oldest)))?;
        mails.insert(number, mail);
        mails.remove(&oldest);
        Ok(json!({ "MessageId": crate::sqs::uuid() }))
    }

    /// Whom a mail is from, by its request.
    pub(crate) fn sender(body: &[u8]) -> Option<String> {
        let call: Json = serde_json::from_slice(body).ok()?;
        call.get("FromEmailAddress")?.as_str().map(str::to_owned)
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

fn milliseconds<S: serde::Serializer>(time: &Timestamp, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(&clock::show(*time))
}

//! Runs schedules on the stack's clock.

mod cron;
mod expression;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use anyhow::{Context, Result, bail};
use expression::Expression;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use crate::{
    account::name_in,
    clock::Clock,
    disk::Disk,
    lock::lock,
    sqs::{self, Queues},
    template,
};

/// Name of the list on disk that stores the time of each schedule's next run.
const LIST: &str = "schedules";

pub(crate) struct Schedules {
    clock: Clock,
    queues: Queues,
    disk: Disk,
    schedules: Vec<Schedule>,
    next: Mutex<Vec<Option<Timestamp>>>,
    firing: tokio::sync::Mutex<()>,
}

struct Schedule {
    name: String,
    text: String,
    zone: String,
    expression: Expression,
    target: Target,
}

pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) expression: String,
    /// Time of the next run, or `None` if the schedule never runs again.
    pub(crate) next: Option<Timestamp>,
}

struct Due<'a> {
    time: Timestamp,
    number: u64,
    schedule: &'a Schedule,
    next: Option<Timestamp>,
}

struct Target {
    queue: String,
    /// Body of the first message to send.
    body: String,
    /// SQS operation, and its input.
    call: (&'static str, String),
}

impl Schedules {
    /// Opens schedules with the saved times of their next runs. A schedule that missed runs while the stack was stopped
    /// runs once.
    pub(crate) fn new(
        templates: Vec<template::Schedule>,
        clock: Clock,
        queues: Queues,
        disk: Disk,
    ) -> Result<Self> {
        let read = |template: template::Schedule| {
            let name = template.name.clone();
            Schedule::read(template, &queues).with_context(|| format!("schedule {name}"))
        };
        let schedules = templates.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        let next = Mutex::new(load_next_runs(&disk, &schedules, clock.now())?);
        Ok(Self { clock, queues, disk, schedules, next, firing: tokio::sync::Mutex::default() })
    }

    pub(crate) fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.schedules.iter().map(|schedule| (schedule.name.as_str(), schedule.text.as_str()))
    }

    /// Keeps only one visible copy of each schedule's message. Otherwise, moving the clock by a day would deliver many
    /// copies.
    pub(crate) fn drop_duplicates(&self) {
        for Schedule { target, .. } in &self.schedules {
            self.queues.remove_duplicates(&target.queue, &target.body);
        }
    }

    pub(crate) fn plans(&self) -> Vec<Plan> {
        let next = self.next().clone();
        let plan = |(schedule, next): (&Schedule, Option<Timestamp>)| Plan {
            name: schedule.name.clone(),
            expression: format!("{} {}", schedule.text, schedule.zone).trim().to_owned(),
            next,
        };
        self.schedules.iter().zip(next).map(plan).collect()
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.next().iter().flatten().min().copied()
    }

    /// Runs each due schedule once, earliest first.
    pub(crate) async fn fire_due(&self) {
        let _guard = self.firing.lock().await;
        for Due { number, schedule, next, .. } in self.take_due() {
            if let Err(error) = schedule.fire(&self.queues).await {
                tracing::error!(schedule = schedule.name, %error, "failed to send a schedule's message");
            }
            if let Err(error) =
                self.disk.write(|changes| changes.put(LIST, number, &(schedule.identity(), next)))
            {
                tracing::error!(schedule = schedule.name, %error, "failed to save a schedule: its run repeats after a restart");
            }
        }
    }

    /// Returns the due schedules, and sets the times of their next runs.
    fn take_due(&self) -> Vec<Due<'_>> {
        let now = self.clock.now();
        let mut all = Vec::new();
        for ((schedule, next), number) in self.schedules.iter().zip(self.next().iter_mut()).zip(0..) {
            if let Some(time) = next.filter(|time| *time <= now) {
                *next = schedule.expression.next(time, now);
                all.push(Due { time, number, schedule, next: *next });
            }
        }
        all.sort_by_key(|due| due.time);
        all
    }

    /// Skips runs before `time` of schedules that run at least once per hour.
    pub(crate) fn skip_until(&self, time: Timestamp) {
        let mut next = self.next();
        for (schedule, next) in self.schedules.iter().zip(next.iter_mut()) {
            if let Some(run) = next.filter(|run| *run < time && schedule.expression.is_frequent(*run)) {
                *next = schedule.expression.next(run, time);
            }
        }
    }

    /// Runs a schedule now. Returns `None` if the schedule does not exist.
    pub(crate) async fn fire(&self, name: &str) -> Option<Result<()>> {
        let schedule = self.schedules.iter().find(|schedule| schedule.name == name)?;
        Some(schedule.fire(&self.queues).await)
    }

    pub(crate) async fn run(&self) {
        while let Some(time) = self.next_due() {
            self.clock.reach(time).await;
            self.fire_due().await;
        }
    }

    fn next(&self) -> MutexGuard<'_, Vec<Option<Timestamp>>> {
        lock(&self.next)
    }
}

/// Returns the time of each schedule's next run. A saved time is ignored if the schedule's expression has changed.
fn load_next_runs(disk: &Disk, schedules: &[Schedule], now: Timestamp) -> Result<Vec<Option<Timestamp>>> {
    let saved = disk.list(LIST)?.into_iter().map(|(_, saved)| saved);
    let mut saved: BTreeMap<(String, String), Option<Timestamp>> = saved.collect();
    let first = |schedule: &Schedule| schedule.expression.first(now);
    let next: Vec<_> = schedules
        .iter()
        .map(|schedule| saved.remove(&schedule.identity()).unwrap_or_else(|| first(schedule)))
        .collect();
    disk.write(|changes| {
        changes.clear(LIST)?;
        let mut all = schedules.iter().zip(&next).zip(0..);
        all.try_for_each(|((schedule, next), number)| changes.put(LIST, number, &(schedule.identity(), next)))
    })?;
    Ok(next)
}

impl Schedule {
    /// Returns the name, expression and time zone. If one of these values changes, the saved time of the next run is
    /// ignored.
    fn identity(&self) -> (String, String) {
        (self.name.clone(), format!("{} {}", self.text, self.zone))
    }

    fn read(template: template::Schedule, queues: &Queues) -> Result<Self> {
        let (text, zone) = (template.schedule_expression, template.schedule_expression_timezone);
        let expression = Expression::read(&text, &zone).with_context(|| format!("expression `{text}`"))?;
        let target = Target::read(&template.target, queues)?;
        Ok(Self { name: template.name, text, zone, expression, target })
    }

    async fn fire(&self, queues: &Queues) -> Result<()> {
        let (operation, input) = &self.target.call;
        sqs::answer(queues, operation, input.as_bytes()).await?;
        Ok(())
    }
}

/// Queue and messages in the input of a universal target, which calls SQS.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Input {
    queue_url: String,
    #[serde(default)]
    message_body: String,
    #[serde(default)]
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    message_body: String,
}

impl Target {
    fn read(target: &template::Target, queues: &Queues) -> Result<Self> {
        let input = target.input.clone();
        let Some((_, call)) = target.arn.split_once(":aws-sdk:") else {
            let queue = name_in(&target.arn).to_owned();
            queues.counts(&queue).context("the target")?;
            let body = if input.is_empty() { "{}".to_owned() } else { input };
            let input = json!({ "QueueUrl": queues.url(&queue), "MessageBody": body }).to_string();
            return Ok(Self { queue, body, call: ("SendMessage", input) });
        };
        let operation = match call {
            "sqs:sendMessageBatch" => "SendMessageBatch",
            "sqs:sendMessage" => "SendMessage",
            _ => bail!("the local stack does not support the universal target {call}"),
        };
        let Input { queue_url, message_body, entries } =
            serde_json::from_str(&input).context("the input is not an SQS request")?;
        let body = entries.into_iter().next().map_or(message_body, |entry| entry.message_body);
        let queue = sqs::name_in_url(&queue_url).to_owned();
        Ok(Self { queue, body, call: (operation, input) })
    }
}

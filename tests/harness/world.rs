//! A world of its own for each test: the embedded stack, its people, its clock.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use local::{Chaos, Delivery, Mail, Options, Report, Stack, Start};
use shared::{App, app::Clients, settings};

use crate::{
    client::Client,
    person::Person,
    wire::{Cost, Faults, Wire},
};

/// When every world begins.
const BEGINS: &str = "2026-01-01T00:00:00Z";

/// Settings that differ from the template's, by the names of their environment variables.
pub type Settings<'a> = &'a [(&'a str, &'a str)];

/// A running network that nobody else uses.
pub struct World {
    /// The stack, for what a test of the stack itself wants to know.
    pub stack: Stack,
    /// Somebody who is not signed in.
    pub anyone: Client,
    /// What goes wrong between the functions and AWS.
    pub faults: Faults,
    wire: Wire,
}

impl World {
    /// As the template says, at midnight, in memory.
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// With other settings.
    pub async fn with(settings: Settings<'_>) -> Self {
        Self::start(settings, None).await
    }

    /// Without the ticks of notifications: days go by quickly, for what takes days.
    pub async fn of_days(settings: Settings<'_>) -> Self {
        let template = Some(without(include_str!("../../template.yaml"), "NotificationTick"));
        Self::of(Options { template, variables: variables(settings), ..Options::default() }).await
    }

    /// Kept in a directory, where a world may have been before.
    pub async fn kept_in(directory: impl Into<PathBuf>) -> Self {
        Self::start(&[], Some(directory.into())).await
    }

    async fn start(settings: Settings<'_>, data: Option<PathBuf>) -> Self {
        Self::of(Options { data, variables: variables(settings), ..Options::default() }).await
    }

    /// With other options: all but clock, clients and delivery, which are a world's own.
    async fn of(options: Options) -> Self {
        let wire = Wire::default();
        let spied = wire.clone();
        let options = Options {
            delivery: Delivery::Manual,
            clients: Arc::new(move |config| Clients::new(&spied.watch(config))),
            clock: Start::At(BEGINS.parse().expect("a time")),
            ..options
        };
        let stack = Stack::start(options).await.unwrap_or_else(|error| panic!("the stack: {error:#}"));
        Self { anyone: Client::new(stack.url()), stack, faults: wire.faults.clone(), wire }
    }

    /// Somebody new; their username is `name`.
    pub async fn person(&self, name: &str) -> Person {
        Person::signs_up(&self.anyone, name).await
    }

    /// Several new people.
    pub async fn people<const N: usize>(&self, names: [&str; N]) -> [Person; N] {
        let all = names.map(|name| self.person(name));
        let people = futures::future::join_all(all).await;
        people.try_into().unwrap_or_else(|_| panic!("as many people as names"))
    }

    /// Delivers every message at least twice and out of order.
    ///
    /// Fails the test when a message cannot be delivered: nothing is left, nothing is dead.
    pub async fn settle(&self) -> Report {
        self.settle_as(0).await
    }

    /// The same in the order of another seed.
    pub async fn settle_as(&self, seed: u64) -> Report {
        let report = self.stack.settle(Some(Chaos { seed })).await;
        let report = report.unwrap_or_else(|error| panic!("settling: {error:#}"));
        for queue in self.stack.queues() {
            let stuck = queue.in_flight + queue.dead;
            assert_eq!(stuck, 0, "a message was left or given up: {queue:?}");
        }
        assert_eq!((report.dead, report.left), (0, 0), "a message was left or given up: {report:?}");
        report
    }

    /// Moves the clock; what falls due on the way happens.
    pub async fn advance(&self, seconds: u64) {
        let moved = self.stack.advance(Duration::from_secs(seconds)).await;
        moved.unwrap_or_else(|error| panic!("moving the clock: {error:#}"));
    }

    /// The mails to somebody, oldest first. Deliver them with [`World::settle`].
    pub fn mail_to(&self, name: &str) -> Vec<Mail> {
        let address = format!("{name}@example.com");
        self.stack.mail().into_iter().filter(|mail| mail.to == address).collect()
    }

    /// Clients like those of a function: for looking at rows and putting messages on queues.
    pub fn clients(&self) -> Clients {
        Clients::new(&self.wire.watch(self.stack.sdk_config()))
    }

    /// The product without a function around it, on this world's table.
    pub fn app(&self) -> App {
        let table = self.stack.table_name().to_owned();
        let settings = settings::Settings::read(|name| (name == "TABLE_NAME").then(|| table.clone()));
        let clock = self.stack.clock().clone();
        App::new(self.clients(), settings.expect("a table"), Arc::new(move || clock.now()))
    }

    /// What the functions asked of AWS while `work` ran.
    pub async fn cost_of<T>(&self, work: impl Future<Output = T>) -> (T, Cost) {
        let before = self.wire.cost();
        let done = work.await;
        (done, self.wire.cost() - before)
    }
}

fn variables(settings: Settings<'_>) -> BTreeMap<String, String> {
    settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The template without a resource.
fn without(template: &str, resource: &str) -> String {
    let start = format!("  {resource}:");
    let mut inside = false;
    let kept = template.lines().filter(|line| {
        let begins = line.starts_with("  ") && !line.starts_with("   ");
        inside = *line == start || (inside && !begins);
        !inside
    });
    kept.collect::<Vec<_>>().join("\n")
}

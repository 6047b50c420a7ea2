//! A test's stack, with its users and its clock.

use std::{ops::Deref, sync::Arc, time::Duration};

use aws_config::SdkConfig;
use domain::people::users;
use local::{Chaos, Mail, Report, Stack};
use platform::{
    App,
    app::Clients,
    clock::{Clock, system_clock},
    settings::Settings,
    table::Write,
};
use wire::{Cost, Fault, Faults, Wire};

use crate::{client::Client, deployed::Deployed, person::Person, uses::Noted};

/// A running stack. Start it with [`World::new`] or [`World::builder`].
pub struct World {
    /// The stack: access it in tests of the stack itself.
    pub stack: TestStack,
    /// A client without a token.
    pub anyone: Client,
    /// Injects faults between the functions and AWS.
    pub faults: Faults,
    pub(crate) wire: Wire,
    /// App for [`Self::person`] to create accounts without requests. `None` if the stack is deployed.
    pub(crate) accounts: Option<App>,
    pub(crate) _noted: Option<Noted>,
}

/// The stack of a world: embedded or deployed.
///
/// # Panics
/// Dereferencing to a [`Stack`] panics if the stack is deployed.
pub enum TestStack {
    /// The whole service, in this process.
    Embedded(Box<Stack>),
    /// Functions, queues and a table on an emulator.
    #[expect(private_interfaces, reason = "tests use the world")]
    Deployed(Box<Deployed>),
}

impl World {
    /// Creates a user with the username `name` and a confirmed email address.
    pub async fn person(&self, name: &str) -> Person {
        if let Some(app) = &self.accounts {
            return Box::pin(Person::create(app, &self.anyone, name)).await;
        }
        let person = self.registers(name).await;
        self.confirms(&person).await;
        person
    }

    /// Confirms the user's email address.
    pub async fn confirms(&self, person: &Person) {
        let app = self.app();
        let user = users::key(person.id.parse().expect("an ID"));
        app.table.write(Write::update(user).set("verifiedAt", app.now())).await.expect("a write");
    }

    /// Registers a new user over HTTP. The email address is not confirmed.
    pub async fn registers(&self, name: &str) -> Person {
        Person::signs_up(&self.anyone, name).await
    }

    /// Creates the users `fan00`, `fan01` and so on, for these numbers.
    pub async fn fans(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<Person> {
        let names: Vec<_> = numbers.into_iter().map(|number| format!("fan{number:02}")).collect();
        futures::future::join_all(names.iter().map(|name| self.person(name))).await
    }

    /// Creates several users.
    pub async fn people<const N: usize>(&self, names: [&str; N]) -> [Person; N] {
        let all = names.map(|name| self.person(name));
        let people = futures::future::join_all(all).await;
        people.try_into().unwrap_or_else(|_| panic!("each name has a user"))
    }

    /// Delivers all outbox records and messages, each at least twice and in random order.
    ///
    /// Panics if a message is left over or in a dead-letter queue, or if its delivery was given up.
    pub async fn settle(&self) -> Report {
        self.settle_as(0).await
    }

    /// Works as [`Self::settle`] does, but `seed` selects the delivery order.
    pub async fn settle_as(&self, seed: u64) -> Report {
        if let TestStack::Deployed(deployed) = &self.stack {
            deployed.settle().await;
            return Report::default();
        }
        let report = self.stack.settle(Some(Chaos { seed })).await;
        let report = report.unwrap_or_else(|error| panic!("delivery: {error:#}"));
        for queue in self.stack.queues() {
            // This queue is not listed as the dead-letter queue of another queue, so its visible messages are dead
            // letters.
            let unread = if queue.name == "relay-dead-letters" { queue.visible } else { 0 };
            let stuck = queue.in_flight + queue.dead + unread;
            assert_eq!(stuck, 0, "a message was left or given up: {queue:?}");
        }
        assert_eq!((report.dead, report.left), (0, 0), "a message was left or given up: {report:?}");
        let records = (report.stream.given_up, report.stream.left);
        assert_eq!(records, (0, 0), "an outbox record was left or given up: {report:?}");
        report
    }

    /// Works as [`Self::settle`] does. The next `pass` calls of `operation` succeed, and `fault` hits the call after
    /// them.
    ///
    /// Also panics if the deliveries have no such call.
    pub async fn settle_despite(&self, operation: &str, fault: Fault, pass: u32) -> Report {
        self.faults.plan(operation, fault, pass, 1);
        let report = self.settle().await;
        assert_eq!(self.faults.calm(), 1, "{operation} {fault:?}");
        report
    }

    /// Advances the clock, and runs the schedules that fall due.
    pub async fn advance(&self, seconds: u64) {
        if let TestStack::Deployed(deployed) = &self.stack {
            return deployed.lets_time_pass();
        }
        let moved = self.stack.advance(Duration::from_secs(seconds)).await;
        moved.unwrap_or_else(|error| panic!("failed to advance the clock: {error:#}"));
    }

    /// Advances the clock, and then delivers all messages.
    pub async fn advance_and_settle(&self, seconds: u64) -> Report {
        self.advance(seconds).await;
        self.settle().await
    }

    /// Returns the emails to a user, oldest first. [`World::settle`] delivers emails.
    pub fn mail_to(&self, name: &str) -> Vec<Mail> {
        let address = format!("{name}@example.com");
        let mails = match &self.stack {
            TestStack::Embedded(stack) => stack.mail(),
            TestStack::Deployed(deployed) => deployed.mail(),
        };
        mails.into_iter().filter(|mail| mail.to == address).collect()
    }

    /// Returns AWS clients, for reading rows and sending messages.
    pub fn clients(&self) -> Clients {
        let config = self.stack.sdk_config();
        match self.stack {
            TestStack::Embedded(_) => Clients::new(&self.wire.watch(config)),
            TestStack::Deployed(_) => Clients::new(config),
        }
    }

    /// Returns an [`App`] for direct access to the table and buckets of this world. The permissions of functions do not
    /// limit it.
    pub fn app(&self) -> App {
        let clock: Clock = match &self.stack {
            TestStack::Embedded(stack) => {
                let clock = stack.clock().clone();
                Arc::new(move || clock.now())
            }
            TestStack::Deployed(_) => system_clock(),
        };
        let settings = Settings::read(|name| match name {
            "TABLE_NAME" => Some(self.table_name().to_owned()),
            "UPLOAD_BUCKET" => Some("upload-bucket".to_owned()),
            "DELETIONS_BUCKET" => Some("undelivered-bucket".to_owned()),
            _ => None,
        });
        App::new(self.clients(), settings.expect("a table"), clock)
    }

    /// Returns the name of the table.
    pub fn table_name(&self) -> &str {
        match &self.stack {
            TestStack::Embedded(stack) => stack.table_name(),
            TestStack::Deployed(deployed) => &deployed.table,
        }
    }

    /// Returns a DynamoDB client without fault injection and cost counting. It is faster for many rows.
    pub fn unwatched_dynamodb(&self) -> aws_sdk_dynamodb::Client {
        aws_sdk_dynamodb::Client::new(self.stack.sdk_config())
    }

    /// Runs `work`, and returns its result with the cost of its AWS calls.
    pub async fn cost_of<T>(&self, work: impl Future<Output = T>) -> (T, Cost) {
        let before = self.wire.cost();
        let done = work.await;
        (done, self.wire.cost() - before)
    }
}

impl TestStack {
    pub(crate) fn url(&self) -> &str {
        match self {
            Self::Embedded(stack) => stack.url(),
            Self::Deployed(deployed) => &deployed.url,
        }
    }

    /// Returns the configuration of the AWS SDK for this stack.
    pub fn sdk_config(&self) -> &SdkConfig {
        match self {
            Self::Embedded(stack) => stack.sdk_config(),
            Self::Deployed(deployed) => &deployed.config,
        }
    }

    /// Stops the embedded stack cleanly. Dropping it instead acts like a kill.
    pub async fn stop(self) {
        if let Self::Embedded(stack) = self {
            stack.stop().await;
        }
    }
}

impl Deref for TestStack {
    type Target = Stack;

    fn deref(&self) -> &Stack {
        match self {
            Self::Embedded(stack) => stack,
            Self::Deployed(_) => {
                panic!("the test needs the embedded stack: remove the test from tests/deployed.txt")
            }
        }
    }
}

//! A world of its own for each test: the embedded stack, its people, its clock.

use std::{collections::BTreeMap, ops::Deref, path::PathBuf, sync::Arc, time::Duration};

use local::{Chaos, Delivery, Mail, Options, Report, Stack, Start};
use platform::{App, app::Clients, clock::system_clock, settings};

use crate::{
    client::Client,
    deployed::Deployed,
    elsewhere::elsewhere,
    person::Person,
    release::Release,
    templates,
    uses::Noted,
    wire::{Cost, Faults, Wire},
};

/// When every world begins.
const BEGINS: &str = "2026-01-01T00:00:00Z";

/// Settings that differ from the template's, by the names of their environment variables.
pub type Settings<'a> = &'a [(&'a str, &'a str)];

/// A running network that nobody else uses.
pub struct World {
    /// The stack, for what a test of the stack itself wants to know.
    pub stack: Ground,
    /// Somebody who is not signed in.
    pub anyone: Client,
    /// What goes wrong between the functions and AWS.
    pub faults: Faults,
    wire: Wire,
    /// Writes accounts directly. `None` if the network is deployed.
    accounts: Option<App>,
    _noted: Option<Noted>,
}

/// What a world stands on. Used as a [`Stack`] it must be one: a deployed network has no console.
pub enum Ground {
    /// The whole service in this process.
    Embedded(Box<Stack>),
    /// Functions, queues and a table somewhere else.
    #[expect(private_interfaces, reason = "tests do with it what they do with a world, and nothing else")]
    Deployed(Box<Deployed>),
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

    /// With workers that do so many pages of their work in an invocation, where those of other worlds do one.
    pub async fn of_pages(pages: usize, settings: Settings<'_>) -> Self {
        Self::begin(settings, Options { pages: Some(pages), ..Options::default() }).await
    }

    /// With workers that go on with their pages while they have time, as deployed ones do.
    pub async fn in_time(settings: Settings<'_>) -> Self {
        Self::begin(settings, Options::default()).await
    }

    /// Where each minute looks for what is due: drafts, polls, messages of webhooks; which others leave out to go faster.
    pub async fn by_the_minute(settings: Settings<'_>) -> Self {
        Self::begin(settings, Options { template: Some(templates::WHOLE.to_owned()), ..one_page() }).await
    }

    /// Without the ticks of notifications: days go by quickly, for what takes days.
    pub async fn of_days(settings: Settings<'_>) -> Self {
        Self::begin(settings, Options { template: Some(templates::of_days()), ..one_page() }).await
    }

    /// As a release left it, at the time it was left, and without the ticks of notifications.
    pub async fn of_release(release: &Release, settings: Settings<'_>) -> Self {
        let clock = Start::At(release.clock.parse().expect("a time"));
        let options = Options { template: Some(templates::of_days()), clock, ..one_page() };
        let world = Self::begin(settings, options).await;
        release.fill(&world).await;
        world
    }

    /// Where what follows comes by itself and time runs, as for a developer.
    pub async fn by_itself() -> Self {
        Self::begin_by(&[], Options::default(), Delivery::Automatic).await
    }

    /// As a developer's, without the ticks of notifications: links in mails lead to the console.
    pub async fn of_a_developer() -> Self {
        // The address is in the settings, so the port is chosen before.
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = free.expect("a port").port();
        let console = format!("http://127.0.0.1:{port}/_local/console");
        let options = Options { port, template: Some(templates::of_days()), ..Options::default() };
        Self::begin_by(&[("APP_URL", &console)], options, Delivery::Automatic).await
    }

    /// Kept in a directory, where a world may have been before.
    pub async fn kept_in(directory: impl Into<PathBuf>) -> Self {
        Self::start(&[], Some(directory.into())).await
    }

    /// As another template says.
    pub async fn of(template: String) -> Self {
        Self::begin(&[], Options { template: Some(template), ..one_page() }).await
    }

    async fn start(settings: Settings<'_>, data: Option<PathBuf>) -> Self {
        Self::begin(settings, Options { data, ..one_page() }).await
    }

    /// With other options: all but settings, clock, clients and delivery, which are a world's own.
    async fn begin(settings: Settings<'_>, options: Options) -> Self {
        Self::begin_by(settings, options, Delivery::Manual).await
    }

    async fn begin_by(settings: Settings<'_>, options: Options, delivery: Delivery) -> Self {
        let wire = Wire::default();
        let stack = match Deployed::emptied().await {
            Some(deployed) => {
                let as_it_is = settings.is_empty() && options.data.is_none() && options.template.is_none();
                assert!(as_it_is, "a deployed network has the settings it has");
                Ground::Deployed(Box::new(deployed))
            }
            None => {
                let template = options.template.or_else(|| Some(templates::of_hours()));
                let options = Options { delivery, template, ..options };
                Ground::Embedded(Box::new(embedded(settings, options, &wire).await))
            }
        };
        let noted = match &stack {
            Ground::Embedded(stack) => Some(Noted(stack.uses())),
            Ground::Deployed(_) => None,
        };
        let accounts = match &stack {
            Ground::Embedded(stack) => stack.accounts(),
            Ground::Deployed(_) => None,
        };
        let anyone = Client::new(stack.url());
        Self { anyone, stack, faults: wire.faults.clone(), wire, accounts, _noted: noted }
    }

    /// Somebody new; their username is `name`.
    pub async fn person(&self, name: &str) -> Person {
        match &self.accounts {
            Some(app) => Box::pin(Person::create(app, &self.anyone, name)).await,
            None => self.registers(name).await,
        }
    }

    /// Somebody new, who registers over HTTP.
    pub async fn registers(&self, name: &str) -> Person {
        Person::signs_up(&self.anyone, name).await
    }

    /// Several new people.
    pub async fn people<const N: usize>(&self, names: [&str; N]) -> [Person; N] {
        let all = names.map(|name| self.person(name));
        let people = futures::future::join_all(all).await;
        people.try_into().unwrap_or_else(|_| panic!("as many people as names"))
    }

    /// Delivers what follows from writes and every message, all of it at least twice and out of order.
    ///
    /// Fails the test when something cannot be delivered: nothing is left, nothing is dead or given up.
    pub async fn settle(&self) -> Report {
        self.settle_as(0).await
    }

    /// The same in the order of another seed.
    pub async fn settle_as(&self, seed: u64) -> Report {
        if let Ground::Deployed(deployed) = &self.stack {
            deployed.settle().await;
            return Report::default();
        }
        let report = self.stack.settle(Some(Chaos { seed })).await;
        let report = report.unwrap_or_else(|error| panic!("settling: {error:#}"));
        for queue in self.stack.queues() {
            // The relay's dead letters have no queue that they come from.
            let unread = if queue.name == "relay-dead-letters" { queue.visible } else { 0 };
            let stuck = queue.in_flight + queue.dead + unread;
            assert_eq!(stuck, 0, "a message was left or given up: {queue:?}");
        }
        assert_eq!((report.dead, report.left), (0, 0), "a message was left or given up: {report:?}");
        let records = (report.stream.given_up, report.stream.left);
        assert_eq!(records, (0, 0), "what follows a write was left or given up: {report:?}");
        report
    }

    /// Moves the clock; what falls due on the way happens.
    pub async fn advance(&self, seconds: u64) {
        if let Ground::Deployed(deployed) = &self.stack {
            return deployed.lets_time_pass();
        }
        let moved = self.stack.advance(Duration::from_secs(seconds)).await;
        moved.unwrap_or_else(|error| panic!("moving the clock: {error:#}"));
    }

    /// The mails to somebody, oldest first. Deliver them with [`World::settle`].
    pub fn mail_to(&self, name: &str) -> Vec<Mail> {
        let address = format!("{name}@example.com");
        let mails = match &self.stack {
            Ground::Embedded(stack) => stack.mail(),
            Ground::Deployed(deployed) => deployed.mail(),
        };
        mails.into_iter().filter(|mail| mail.to == address).collect()
    }

    /// Clients like those of a function: for looking at rows and putting messages on queues.
    pub fn clients(&self) -> Clients {
        match &self.stack {
            Ground::Embedded(stack) => Clients::new(&self.wire.watch(stack.sdk_config())),
            Ground::Deployed(deployed) => Clients::new(&deployed.config),
        }
    }

    /// The product without a function around it, on this world's table.
    pub fn app(&self) -> App {
        let (table, clock): (_, platform::clock::Clock) = match &self.stack {
            Ground::Embedded(stack) => {
                let clock = stack.clock().clone();
                (stack.table_name(), Arc::new(move || clock.now()))
            }
            Ground::Deployed(deployed) => (deployed.table.as_str(), system_clock()),
        };
        let settings = settings::Settings::read(|name| (name == "TABLE_NAME").then(|| table.to_owned()));
        App::new(self.clients(), settings.expect("a table"), clock)
    }

    /// The name of the table.
    pub fn table_name(&self) -> &str {
        match &self.stack {
            Ground::Embedded(stack) => stack.table_name(),
            Ground::Deployed(deployed) => &deployed.table,
        }
    }

    /// A client of the table past the wire, which would read and count every row: for many rows at once.
    pub fn unwatched_dynamodb(&self) -> aws_sdk_dynamodb::Client {
        match &self.stack {
            Ground::Embedded(stack) => aws_sdk_dynamodb::Client::new(stack.sdk_config()),
            Ground::Deployed(deployed) => aws_sdk_dynamodb::Client::new(&deployed.config),
        }
    }

    /// What the functions asked of AWS while `work` ran.
    pub async fn cost_of<T>(&self, work: impl Future<Output = T>) -> (T, Cost) {
        let before = self.wire.cost();
        let done = work.await;
        (done, self.wire.cost() - before)
    }
}

impl Ground {
    fn url(&self) -> &str {
        match self {
            Self::Embedded(stack) => stack.url(),
            Self::Deployed(deployed) => &deployed.url,
        }
    }

    /// Stops the embedded stack. Dropping it ends it as a kill does.
    pub async fn stop(self) {
        if let Self::Embedded(stack) = self {
            stack.stop().await;
        }
    }
}

impl Deref for Ground {
    type Target = Stack;

    fn deref(&self) -> &Stack {
        match self {
            Self::Embedded(stack) => stack,
            Self::Deployed(_) => {
                panic!("this needs the embedded stack: take the test off tests/deployed.txt")
            }
        }
    }
}

async fn embedded(settings: Settings<'_>, options: Options, wire: &Wire) -> Stack {
    let spied = wire.clone();
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let (places, variables): (BTreeMap<_, _>, _) =
        settings.partition(|(name, _)| name.starts_with("AWS_ENDPOINT_URL_"));
    let clock = match (options.clock, options.delivery) {
        (Start::Now, Delivery::Manual) => Start::At(BEGINS.parse().expect("a time")),
        (elsewhen, _) => elsewhen,
    };
    let options = Options {
        variables,
        clients: Arc::new(move |config| Clients::new(&spied.watch(&elsewhere(config, &places)))),
        clock,
        ..options
    };
    Stack::start(options).await.unwrap_or_else(|error| panic!("the stack: {error:#}"))
}

/// Each page takes a message of its own, so that many a test sees how a job goes on.
fn one_page() -> Options {
    Options { pages: Some(1), ..Options::default() }
}

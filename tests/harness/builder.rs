//! Starts a stack for a test.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use local::{Delivery, Options, Stack, Start};
use platform::app::Clients;

use wire::Wire;

use crate::{
    client::Client,
    deployed::Deployed,
    person::Person,
    release::Release,
    templates,
    uses::Noted,
    world::{TestStack, World},
};

/// Time at which a test's clock starts.
const BEGINS: &str = "2026-01-01T00:00:00Z";

/// High post limits, because tests write more posts than real users.
const POST_LIMITS: [(&str, &str); 2] = [("POST_LIMIT_PER_5_MIN", "100000"), ("POST_LIMIT_PER_DAY", "100000")];

/// Environment variables that override those in the template.
pub type Settings<'a> = &'a [(&'a str, &'a str)];

/// Options of a [`World`], created by [`World::builder`].
pub struct Builder<'a> {
    settings: BTreeMap<String, String>,
    options: Options,
    release: Option<&'a Release>,
}

impl World {
    /// Starts an in-memory stack with the settings in the template. The clock starts at midnight on January 1, 2026.
    pub async fn new() -> Self {
        Self::builder().start().await
    }

    /// Starts a world with the default options, and creates users with these names.
    pub async fn with<const N: usize>(names: [&str; N]) -> (Self, [Person; N]) {
        Self::builder().start_with(names).await
    }

    /// Returns the default options. Workers process one page per invocation, so that tests cover jobs of several
    /// messages. Schedules that run every minute are off.
    pub fn builder<'a>() -> Builder<'a> {
        let (pages, delivery) = (Some(1), Delivery::Manual);
        let options = Options { pages, template: None, delivery, ..Options::default() };
        Builder { settings: BTreeMap::new(), options, release: None }
    }
}

impl<'a> Builder<'a> {
    /// Overrides environment variables.
    pub fn settings(mut self, settings: Settings<'_>) -> Self {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        self.settings.extend(settings);
        self
    }

    /// Sets the number of pages of work that a worker processes per invocation. The default is 1.
    pub fn pages(mut self, pages: usize) -> Self {
        self.options.pages = Some(pages);
        self
    }

    /// Lets workers process pages of work until their deadline, as on AWS. Functions and their calls have timeouts.
    pub fn unlimited_pages(mut self) -> Self {
        self.options.pages = None;
        self
    }

    /// Turns on the schedules that run every minute. They handle due drafts, polls and webhook deliveries.
    pub fn with_minute_ticks(self) -> Self {
        self.template(templates::WHOLE.to_owned())
    }

    /// Turns off the schedule that flushes notifications every 40 seconds, so that advancing the clock by days is fast.
    pub fn without_ticks(self) -> Self {
        self.template(templates::WITHOUT_TICKS.clone())
    }

    /// Replaces the CloudFormation template.
    pub fn template(mut self, template: String) -> Self {
        self.options.template = Some(template);
        self
    }

    /// Sets the URL to which functions send requests for Amazon Bedrock.
    pub fn bedrock(mut self, url: &str) -> Self {
        self.options.bedrock = Some(url.to_owned());
        self
    }

    /// Stores the data in a directory. The directory can already contain data.
    pub fn data(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.data = Some(directory.into());
        self
    }

    /// Loads the rows, the queued messages and the time that an earlier release stored. Notification ticks are off.
    pub fn release(mut self, release: &'a Release) -> Self {
        self.options.clock = Start::At(release.clock.parse().expect("a time"));
        self.release = Some(release);
        self.without_ticks()
    }

    /// Uses the real clock and delivers messages continuously, as `make dev` does.
    pub fn real_time(mut self) -> Self {
        self.options.delivery = Delivery::Automatic;
        self.unlimited_pages()
    }

    /// Makes links in emails lead to the local console.
    pub fn console_links(mut self) -> Self {
        // Chooses the port now, because the settings contain the URL of the console.
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        self.options.port = free.expect("a port").port();
        let console = format!("http://127.0.0.1:{}/_local/console", self.options.port);
        self.settings(&[("APP_URL", &console)])
    }

    /// Starts the world.
    ///
    /// # Panics
    /// Panics if the stack does not start, or if a test changes the settings of a deployed stack.
    pub async fn start(self) -> World {
        let (wire, release) = (Wire::default(), self.release);
        let (stack, accounts, noted) = match Deployed::emptied().await {
            Some(deployed) => (self.deployed(deployed), None, None),
            None => {
                let stack = self.embedded(&wire).await;
                let (accounts, noted) = (stack.accounts(), Noted(stack.uses()));
                (TestStack::Embedded(Box::new(stack)), accounts, Some(noted))
            }
        };
        let anyone = Client::new(stack.url());
        let world = World { anyone, stack, faults: wire.faults.clone(), wire, accounts, _noted: noted };
        if let Some(release) = release {
            release.fill(&world).await;
        }
        world
    }

    /// Starts the world, and creates users with these names.
    pub async fn start_with<const N: usize>(self, names: [&str; N]) -> (World, [Person; N]) {
        // Boxes the large future, because the thread of a test has only 2 MB of stack.
        let world = Box::pin(self.start()).await;
        let people = world.people(names).await;
        (world, people)
    }

    fn deployed(self, deployed: Deployed) -> TestStack {
        let Self { settings, options, .. } = self;
        let has_defaults = settings.is_empty() && options.data.is_none() && options.template.is_none();
        assert!(has_defaults, "a deployed stack has fixed settings");
        TestStack::Deployed(Box::new(deployed))
    }

    async fn embedded(self, wire: &Wire) -> Stack {
        let (wire, Self { settings, options, .. }) = (wire.clone(), self);
        let limits = POST_LIMITS.map(|(name, most)| (name.to_owned(), most.to_owned()));
        let variables = limits.into_iter().chain(settings).collect();
        let clock = match (options.clock, options.delivery) {
            (Start::Now, Delivery::Manual) => Start::At(BEGINS.parse().expect("a time")),
            (clock, _) => clock,
        };
        let options = Options {
            variables,
            clients: Some(Arc::new(move |config| Clients::new(&wire.watch(config)))),
            clock,
            template: options.template.or_else(|| Some(templates::WITHOUT_MINUTE_TICKS.clone())),
            ..options
        };
        Stack::start(options).await.unwrap_or_else(|error| panic!("the stack: {error:#}"))
    }
}

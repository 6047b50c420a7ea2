//! Starts a stack: opens listeners, reads the template, and starts the template's resources.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use aws_config::SdkConfig;
use platform::{App, app::Clients, settings::Settings};
use tokio::task::JoinSet;

use crate::{
    account::ACCOUNT,
    advance::Advance,
    app, aws,
    bedrock::Models,
    clock::Clock,
    console,
    delivery::{Deliveries, Delivery},
    disk::{self, Disk},
    dynamodb, endpoints,
    eventbridge::Bus,
    functions::{Function, Starter},
    gateway::{Gateway, Routes},
    iam::{Iam, Uses},
    listen::{address, listen, listen_on_previous_port, serve},
    loopback::Loopback,
    options::Options,
    pusher::PushProvider,
    recorder::{Recorder, Watch},
    s3::Objects,
    schedules::Schedules,
    secrets::SecretStore,
    ses::Mailbox,
    sqs::Queues,
    stack::Stack,
    state::{Addresses, Running, Services},
    story,
    stream::{self, Connector},
    table_address,
    template::{self, Event, Inputs, Template},
    worker::Mapping,
};

/// Name of the function in the template that signs users in.
const ACCOUNTS: &str = "Auth";
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// A function with its name and its definition in the template.
struct Target<'a> {
    name: &'a str,
    template: &'a template::Function,
    function: &'a Function,
    timeout: Duration,
    watch: Watch,
}

#[derive(Default)]
struct Functions {
    routes: Routes,
    mappings: Vec<Mapping>,
    streams: Vec<stream::Mapping>,
    running: BTreeMap<String, Vec<String>>,
    all: BTreeMap<String, Function>,
    settings: BTreeMap<String, Settings>,
}

impl Stack {
    /// Starts all resources of the template.
    ///
    /// # Errors
    /// Fails if the template is invalid, a setting is unusable, the port is in use, or the data is unreadable. The error
    /// names the setting.
    pub async fn start(options: Options) -> Result<Self> {
        start(options).await
    }
}

async fn start(options: Options) -> Result<Stack> {
    let directory = options.data.as_deref().map(disk::lock_directory).transpose()?;
    let disk = options.data.as_deref().map_or_else(|| Ok(Disk::default()), Disk::open)?;
    let gateway_listener =
        listen(options.port).with_context(|| format!("port {} is in use", options.port))?;
    let aws_listener = match options.aws_port {
        0 => listen_on_previous_port(&disk)?,
        port => listen(port).with_context(|| format!("port {port} is in use"))?,
    };
    let table_listener = listen(0)?;
    let clock = Clock::new(options.clock, disk.clone())?;
    let recorder = options.recorder;
    recorder.set_clock(clock.clone());
    let (url, aws_url) = (address(&gateway_listener)?, address(&aws_listener)?);
    let dynamodb_url = address(&table_listener)?;

    let inputs = Inputs { url: &url, aws_url: &aws_url, variables: &options.variables };
    let mut template = Template::read(options.template.as_deref(), inputs)?;
    let secrets = SecretStore::new(template.secrets, disk.clone())?;
    let roles = |(name, function): (&String, &mut template::Function)| {
        (name.clone(), std::mem::take(&mut function.statements))
    };
    let iam = Arc::new(Iam::new(template.functions.iter_mut().map(roles).collect(), &template.tables));

    let queues = Queues::new(clock.clone(), format!("{aws_url}/{ACCOUNT}"), disk.clone());
    for queue in template.queues {
        queues.create(queue);
    }
    queues.restore()?;
    let mailbox = Mailbox::new(clock.clone(), disk.clone())?;
    let journal = Arc::new(stream::journal(&template.tables, &template.functions, &clock, &disk)?);
    let store = dynamodb::open(&template.tables, options.data.as_deref(), Arc::clone(&journal))?;
    let bus = Bus {
        rules: template.rules,
        queues: queues.clone(),
        clock: clock.clone(),
        recorder: recorder.clone(),
    };
    let dependencies = (clock.clone(), Arc::clone(&iam), queues.clone(), recorder.clone());
    let objects = Objects::new(template.buckets, dependencies, options.data.as_deref())?;
    let schedules = Schedules::new(template.schedules, clock.clone(), queues.clone(), disk.clone())?;
    let schedules = Arc::new(schedules);
    let aws = Arc::new(aws::Services {
        queues: queues.clone(),
        bus,
        mailbox: mailbox.clone(),
        models: Models::new(options.bedrock)?,
        objects: objects.clone(),
        secrets: secrets.clone(),
        iam: Arc::clone(&iam),
    });
    let loopback = Loopback { store: store.clone(), services: Arc::clone(&aws) };
    let config = endpoints::sdk_config(&aws_url, &dynamodb_url, loopback).await;
    let config = if options.pages.is_some() { endpoints::without_timeouts(config) } else { config };
    let now = clock.clone();
    let starter = Starter {
        config: config.clone(),
        clients: options.clients.unwrap_or_else(|| Arc::new(Clients::new)),
        clock: Arc::new(move || now.now()),
        iam: Arc::clone(&iam),
        runtime: options.runtime,
        pages: options.pages,
        seed: options.seed,
    };
    let connector =
        Connector { journal, objects: objects.clone(), queues: queues.clone(), clock: clock.clone() };
    let functions = Functions::start(&starter, &template.functions, &connector, &recorder)?;
    let environment = endpoints::environment(&template.functions, &aws_url, &dynamodb_url);
    let running = Running {
        functions: functions.running,
        schedules: schedules.list().map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
        tables: template.tables.iter().map(|table| table.name.clone()).collect(),
    };
    let domain = url.trim_start_matches("http://").to_owned();
    let gateway =
        Gateway::new(template.api, functions.routes, domain, clock.clone(), (options.log, recorder.clone()));
    let provider = PushProvider::new(&template.functions, &secrets, clock.clone(), recorder.clone());
    let deliveries = Deliveries::new(functions.mappings, functions.streams, queues.clone());
    let services = Services {
        accounts: accounts(&functions.settings, &config, &clock),
        addresses: Arc::new(Addresses { api: url, aws: aws_url, dynamodb: dynamodb_url }),
        advance: Advance {
            clock: clock.clone(),
            schedules: Arc::clone(&schedules),
            queues: queues.clone(),
            deliveries: deliveries.clone(),
            delivery: options.delivery,
            store: store.clone(),
        },
        clock,
        deliveries,
        mailbox,
        objects,
        queues,
        recorder,
        running: Arc::new(running),
        schedules,
        store: store.clone(),
    };
    let mut tasks = JoinSet::new();
    let local =
        console::router(services.clone()).merge(provider.router()).merge(app::router(&services.addresses));
    let api = match options.delivery {
        Delivery::WithWrites => story::router(gateway.router(), services.advance.clone()),
        Delivery::Automatic | Delivery::Manual => gateway.router(),
    };
    serve(&mut tasks, gateway_listener, local.fallback_service(api));
    serve(&mut tasks, aws_listener, aws::router(aws));
    table_address::serve(&mut tasks, table_listener, store).await?;
    run(&mut tasks, &services.advance);
    let uses = Uses { recorder: services.recorder.clone(), iam, settings: Arc::new(functions.settings) };
    Ok(Stack { services, config, uses, environment, functions: functions.all, tasks, _directory: directory })
}

/// Returns an [`App`] with the settings of the template's `Auth` function, or `None` without that function.
fn accounts(settings: &BTreeMap<String, Settings>, config: &SdkConfig, clock: &Clock) -> Option<App> {
    let (settings, clock) = (settings.get(ACCOUNTS)?.clone(), clock.clone());
    Some(App::new(Clients::new(config), settings, Arc::new(move || clock.now())))
}

impl Functions {
    fn start(
        starter: &Starter,
        templates: &BTreeMap<String, template::Function>,
        connector: &Connector,
        recorder: &Recorder,
    ) -> Result<Self> {
        let mut functions = Self::default();
        for (name, template) in templates {
            let of = || format!("function {name}");
            let (function, settings) = starter.start(name, template).with_context(of)?;
            functions.settings.insert(name.clone(), settings);
            let watch = recorder.watch(&template.crate_name);
            let timeout = starter.timeout(&function, template);
            let target = Target { name, template, function: &function, timeout, watch };
            let mut triggers = Vec::new();
            for (event_name, event) in &template.events {
                let by = functions
                    .connect(&target, event_name, event, connector)
                    .and_then(|by| may_receive(starter, name, event).map(|()| by))
                    .with_context(|| format!("event {event_name} of function {name}"))?;
                triggers.push(by);
            }
            functions.running.insert(template.crate_name.clone(), triggers);
            functions.all.insert(template.crate_name.clone(), function);
        }
        Ok(functions)
    }

    fn connect(
        &mut self,
        target: &Target<'_>,
        name: &str,
        event: &Event,
        connector: &Connector,
    ) -> Result<String> {
        let Target { template, function, timeout, watch, .. } = target;
        match (event, function.work(), function.stream_work()) {
            (Event::HttpApi(route), _, _) if function.takes_requests() => {
                self.routes.add(route, (*function).clone(), *timeout, watch.clone());
                Ok(route.path.clone())
            }
            (Event::Sqs(source), Some(work), _) => {
                let mapping = Mapping::new(source, work, *timeout, watch.clone());
                let queue = mapping.queue.clone();
                self.mappings.push(mapping);
                Ok(queue)
            }
            (Event::DynamoDb(source), _, Some(work)) => {
                let names = (target.name, name);
                self.streams.push(connector.connect(names, source, work, *timeout, watch.clone())?);
                Ok(format!("the stream of {}", source.table().unwrap_or_default()))
            }
            _ => anyhow::bail!("`{}` does not support this kind of event", template.crate_name),
        }
    }
}

/// Fails unless the function's policy allows receiving the messages or records of the event source.
fn may_receive(starter: &Starter, function: &str, event: &Event) -> Result<()> {
    match event {
        Event::HttpApi(_) => Ok(()),
        Event::Sqs(source) => {
            let actions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
            actions.into_iter().try_for_each(|action| starter.iam.require(function, action, &source.queue))
        }
        Event::DynamoDb(source) => stream::may_read(&starter.iam, function, source),
    }
}

/// Starts deliveries, schedules and the deletion of expired rows, unless delivery is manual.
fn run(tasks: &mut JoinSet<()>, advance: &Advance) {
    if advance.delivery == Delivery::Automatic {
        advance.deliveries.spawn(tasks);
        let schedules = Arc::clone(&advance.schedules);
        tasks.spawn(async move { schedules.run().await });
        let sweeper = advance.clone();
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(SWEEP_EVERY).await;
                sweeper.sweep().await;
            }
        });
    }
}

//! Stored data of an earlier release. Tests load the data from a file, and check that the current code can read it.

mod queues;
mod table;

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use queues::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::world::World;

/// A snapshot of a stack: its table, queued messages and time.
#[derive(Debug)]
pub struct Release {
    /// Time of the stack's clock.
    pub clock: String,
    /// Tokens, IDs and responses that the tests of later releases need, by name.
    pub known: BTreeMap<String, Value>,
    items: Vec<Value>,
    messages: Vec<Message>,
}

/// A line in a snapshot's file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Clock(String),
    Known(String, Value),
    Message(Message),
    Item(Value),
}

impl Release {
    /// Takes a snapshot. Removes the queued messages, so `world` cannot be used afterward.
    pub async fn of(world: &World, known: BTreeMap<String, Value>) -> Self {
        let clients = world.clients();
        let messages = queues::take(world, &clients.sqs).await;
        let items = table::scan(&clients.dynamodb, world.stack.table_name()).await;
        Self { clock: world.stack.clock().now().to_string(), known, items, messages }
    }

    /// Loads the snapshot's table and queues into an empty world.
    pub(crate) async fn fill(&self, world: &World) {
        let clients = world.clients();
        table::fill(&clients.dynamodb, world.stack.table_name(), &self.items).await;
        queues::send(world, &clients.sqs, &self.messages).await;
    }

    /// Reads the snapshot of a release from its file.
    pub fn read(name: &str) -> Self {
        let file = File::open(path(name)).unwrap_or_else(|error| panic!("release {name}: {error}"));
        let mut release =
            Self { clock: String::new(), known: BTreeMap::new(), items: Vec::new(), messages: Vec::new() };
        for line in BufReader::new(GzDecoder::new(file)).lines() {
            let line = line.expect("the file is readable");
            release.take(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")));
        }
        release
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Clock(clock) => self.clock = clock,
            Line::Known(name, value) => drop(self.known.insert(name, value)),
            Line::Message(message) => self.messages.push(message),
            Line::Item(item) => self.items.push(item),
        }
    }

    /// Writes the snapshot to a file, one value per line. The order is stable, so that diffs are readable.
    pub fn write(self, name: &str) {
        let known = self.known.into_iter().map(|(name, value)| Line::Known(name, value));
        let messages = self.messages.into_iter().map(Line::Message);
        let items = self.items.into_iter().map(Line::Item);
        let file = File::create(path(name)).expect("the file can be created");
        let mut file = GzEncoder::new(file, Compression::best());
        for line in [Line::Clock(self.clock)].into_iter().chain(known).chain(messages).chain(items) {
            let line = serde_json::to_string(&line).expect("JSON");
            writeln!(file, "{line}").expect("the line can be written");
        }
        file.finish().expect("the file can be finished");
    }

    /// Returns the values of a string attribute in all items.
    pub fn column<'a>(&'a self, attribute: &'a str) -> impl Iterator<Item = &'a str> {
        self.items.iter().filter_map(move |item| item[attribute]["S"].as_str())
    }

    /// Returns the names of the queues that have a message.
    pub fn queues(&self) -> impl Iterator<Item = &str> {
        self.messages.iter().map(|message| message.queue.as_str())
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("release").join(format!("{name}.jsonl.gz"))
}

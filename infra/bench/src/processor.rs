//! What a process takes of the processor, the table's own thread apart from all else.

use std::{collections::HashMap, ops::Sub, path::PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The thread of the embedded table: `local` gives it this name.
const STORE: &str = "table";

/// Milliseconds of a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Taken {
    /// Gateway, functions and queues, with what the SDK writes and reads.
    pub(crate) function: f64,
    /// The engine of the table.
    pub(crate) store: f64,
}

/// Watches a process.
pub(crate) struct Processor {
    process: u32,
    /// By thread, so that what those took that have ended is not lost: whether it is the table's, and nanoseconds.
    threads: HashMap<String, (bool, u64)>,
}

impl Processor {
    pub(crate) fn of(process: u32) -> Self {
        Self { process, threads: HashMap::new() }
    }

    /// What it has taken since it began.
    pub(crate) fn taken(&mut self) -> Result<Taken> {
        let tasks = PathBuf::from(format!("/proc/{}/task", self.process));
        let threads = std::fs::read_dir(&tasks).context("processor time is only measured on Linux")?;
        for thread in threads {
            let path = thread?.path();
            // One that ends meanwhile has no file any more.
            let Ok(stat) = std::fs::read_to_string(path.join("schedstat")) else { continue };
            let nanos = stat.split(' ').next().context("no schedstat")?.parse()?;
            let name = std::fs::read_to_string(path.join("comm")).unwrap_or_default();
            let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.threads.insert(id, (name.trim() == STORE, nanos));
        }
        let sum = |store: bool| {
            let nanos = self.threads.values().filter(|(is_store, _)| *is_store == store).map(|(_, it)| it);
            nanos.sum::<u64>() as f64 / 1e6
        };
        Ok(Taken { function: sum(false), store: sum(true) })
    }
}

impl Taken {
    /// The share of each of so many.
    pub(crate) fn each(self, count: usize) -> Self {
        let count = count.max(1) as f64;
        Self { function: self.function / count, store: self.store / count }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { function: self.function + other.function, store: self.store + other.store }
    }

    /// Less what would have been taken anyhow; nothing, where that is as much.
    pub(crate) fn without(self, idle: Self) -> Self {
        let rest = self - idle;
        Self { function: rest.function.max(0.0), store: rest.store.max(0.0) }
    }

    pub(crate) fn together(self) -> f64 {
        self.function + self.store
    }
}

impl Sub for Taken {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self { function: self.function - before.function, store: self.store - before.store }
    }
}

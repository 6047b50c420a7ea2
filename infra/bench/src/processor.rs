//! Measures the processor time of a process. The time of the table's thread is counted separately.

use std::{collections::HashMap, ops::Sub, path::PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Name of the thread that runs the embedded table.
const STORE: &str = "table";

/// Processor time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CpuTime {
    /// Time of the gateway, functions, queues and the SDK.
    pub(crate) function: f64,
    /// Time of the table's engine.
    pub(crate) store: f64,
}

/// Reads the processor time of a process.
pub(crate) struct Processor {
    process: u32,
    /// By thread ID: whether the thread belongs to the table, and its processor time in nanoseconds. Includes threads
    /// that have ended.
    threads: HashMap<String, (bool, u64)>,
}

impl Processor {
    pub(crate) fn of(process: u32) -> Self {
        Self { process, threads: HashMap::new() }
    }

    /// Returns the processor time since the process started.
    pub(crate) fn cpu_time(&mut self) -> Result<CpuTime> {
        let tasks = PathBuf::from(format!("/proc/{}/task", self.process));
        let threads = std::fs::read_dir(&tasks).context("processor time is only measured on Linux")?;
        for thread in threads {
            let path = thread?.path();
            // The file no longer exists if the thread has just ended.
            let Ok(stat) = std::fs::read_to_string(path.join("schedstat")) else { continue };
            let nanos = stat.split(' ').next().context("no schedstat")?.parse()?;
            let name = std::fs::read_to_string(path.join("comm")).unwrap_or_default();
            let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.threads.insert(id, (name.trim() == STORE, nanos));
        }
        let sum = |store: bool| {
            let nanos =
                self.threads.values().filter(|(is_store, _)| *is_store == store).map(|(_, nanos)| nanos);
            nanos.sum::<u64>() as f64 / 1e6
        };
        Ok(CpuTime { function: sum(false), store: sum(true) })
    }
}

impl CpuTime {
    /// Returns the time per item.
    pub(crate) fn per_item(self, count: usize) -> Self {
        let count = count.max(1) as f64;
        Self { function: self.function / count, store: self.store / count }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { function: self.function + other.function, store: self.store + other.store }
    }

    /// Subtracts `idle`, the time used without requests. The result is at least 0.
    pub(crate) fn without(self, idle: Self) -> Self {
        let left = self - idle;
        Self { function: left.function.max(0.0), store: left.store.max(0.0) }
    }

    pub(crate) fn total(self) -> f64 {
        self.function + self.store
    }
}

impl Sub for CpuTime {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self { function: self.function - before.function, store: self.store - before.store }
    }
}

//! What this process holds.

use anyhow::{Context, Result};

/// What was measured of it, in MB.
pub(crate) struct Memory {
    pub(crate) posts: usize,
    /// With these posts, and nothing else done yet.
    pub(crate) with_posts: f64,
    /// With all that the load left behind, too.
    pub(crate) in_the_end: f64,
}

/// Resident memory now, in MB: the service, its table, its queues and the clients.
pub(crate) fn resident_mb() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("memory is only measured on Linux")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}

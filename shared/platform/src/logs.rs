//! Logs: one JSON line per event, with the ID of its request or message.

use std::{net::IpAddr, time::Instant};

use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::{mac, settings::LogAddresses};

/// Length of a hashed address in bytes.
const HASH_BYTES: usize = 8;

/// Starts logging to standard output, which Lambda sends to CloudWatch. `RUST_LOG` filters the events.
pub fn init() {
    init_with(std::io::stdout);
}

/// Starts logging to a writer. `RUST_LOG` filters the events.
pub fn init_with(writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) {
    let filter = EnvFilter::builder().with_default_directive(tracing::Level::INFO.into()).from_env_lossy();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter);
    let subscriber = subscriber.with_writer(writer);
    // If the process calls this function again, the first subscriber remains.
    let _ = subscriber.with_current_span(true).with_span_list(false).with_target(false).try_init();
}

/// Logs a cold start that began at `since`. Lambda's own line about a cold start is turned off, because Lambda writes
/// it only together with a line for each invocation.
pub fn cold_start(since: Instant, memory_mb: i32, version: &str) {
    let millis = since.elapsed().as_millis() as u64;
    tracing::info!(millis, memoryMb = memory_mb, version, "cold start");
}

/// Returns a client's address as log lines show it. `key` is the key of hashed addresses.
pub fn address(shown: LogAddresses, address: IpAddr, key: &[u8]) -> String {
    match (shown, address) {
        (LogAddresses::Truncated, IpAddr::V4(address)) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        (LogAddresses::Truncated, IpAddr::V6(address)) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
        (LogAddresses::Hashed, address) => {
            let mac = mac::hmac(key, &[b"address", address.to_string().as_bytes()]);
            hex::encode(mac.get(..HASH_BYTES).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_truncated_or_hashed() {
        let shown = |shown, text: &str| address(shown, text.parse().unwrap(), b"key");
        assert_eq!(shown(LogAddresses::Truncated, "203.0.113.7"), "203.0.113.0/24");
        assert_eq!(shown(LogAddresses::Truncated, "2001:db8:1:2::7"), "2001:db8:1::/48");
        let hashes = ["203.0.113.7", "203.0.113.8"].map(|text| shown(LogAddresses::Hashed, text));
        assert_ne!(hashes[0], hashes[1]);
        assert_eq!(hashes[0].len(), 2 * HASH_BYTES);
    }
}

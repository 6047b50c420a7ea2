//! Partitions of AWS: groups of regions whose addresses end alike.

use aws_sdk_sqs::config::endpoint::{DefaultResolver, Params, ResolveEndpoint};
use futures::FutureExt;

const URL_SUFFIX: &str = "amazonaws.com";

/// Returns how the addresses of services in a region end: `amazonaws.com.cn` in China. The SDK shows its list of
/// partitions in the addresses that it makes only; a queue's has nothing but the service and the region before.
pub(crate) fn url_suffix(region: &str) -> String {
    let address = address_of_queues(region);
    let suffix = address.as_deref().and_then(|it| it.strip_prefix(&format!("https://sqs.{region}.")));
    suffix.unwrap_or(URL_SUFFIX).to_owned()
}

fn address_of_queues(region: &str) -> Option<String> {
    let params = Params::builder().region(region).build().ok()?;
    let endpoint = DefaultResolver::new().resolve_endpoint(&params).now_or_never()?.ok()?;
    Some(endpoint.url().to_owned())
}

#[cfg(test)]
mod tests {
    use super::url_suffix;

    #[test]
    fn each_partition_has_its_suffix() {
        for (region, suffix) in [
            ("eu-central-1", "amazonaws.com"),
            ("us-gov-west-1", "amazonaws.com"),
            ("cn-north-1", "amazonaws.com.cn"),
            ("us-iso-east-1", "c2s.ic.gov"),
            ("us-isob-east-1", "sc2s.sgov.gov"),
            ("eusc-de-east-1", "amazonaws.eu"),
        ] {
            assert_eq!(url_suffix(region), suffix, "{region}");
        }
    }
}

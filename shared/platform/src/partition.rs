//! AWS partitions: groups of regions with the same URL suffix.

use aws_sdk_sqs::config::endpoint::{DefaultResolver, Params, ResolveEndpoint};
use futures::FutureExt;

const URL_SUFFIX: &str = "amazonaws.com";

/// Returns the URL suffix of AWS services in a region, such as `amazonaws.com.cn` in China.
///
/// The SDK does not expose its list of partitions. So the suffix is taken from the SQS endpoint that the SDK generates.
pub(crate) fn url_suffix(region: &str) -> String {
    let endpoint = sqs_endpoint(region);
    let suffix = endpoint.as_deref().and_then(|url| url.strip_prefix(&format!("https://sqs.{region}.")));
    suffix.unwrap_or(URL_SUFFIX).to_owned()
}

fn sqs_endpoint(region: &str) -> Option<String> {
    let params = Params::builder().region(region).build().ok()?;
    let endpoint = DefaultResolver::new().resolve_endpoint(&params).now_or_never()?.ok()?;
    Some(endpoint.url().to_owned())
}

#[cfg(test)]
mod tests {
    use super::url_suffix;

    #[test]
    fn each_aws_partition_has_its_own_url_suffix() {
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

//! The setting `DEAD_LETTERS_URLS`.

use std::str::FromStr;

use crate::text::is_web_url;

/// Queues or streams and the URLs of their dead-letter queues, separated by spaces: `QUEUE DEAD_LETTERS …`.
#[derive(Clone, Debug, Default)]
pub struct DeadLetterUrls(Vec<(String, String)>);

impl DeadLetterUrls {
    /// Returns the URL of the dead-letter queue of `queue`, or `None`. `queue` is a URL or an ARN.
    pub fn of(&self, queue: &str) -> Option<&str> {
        let wanted = name(queue);
        let found = self.0.iter().find(|(source, _)| name(source) == wanted);
        found.map(|(_, dead_letters)| dead_letters.as_str())
    }
}

impl FromStr for DeadLetterUrls {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let urls: Vec<_> = text.split_whitespace().collect();
        let (pairs, rest) = urls.as_chunks::<2>();
        if !rest.is_empty() || pairs.iter().any(|[_, url]| !is_web_url(url)) {
            return Err("must have a URL or an ARN for each source, and the URL of its dead-letter queue");
        }
        Ok(Self(pairs.iter().map(|[source, url]| (source.to_string(), url.to_string())).collect()))
    }
}

/// Returns the name of a queue. A URL ends with `/name`, an ARN with `:name`.
fn name(queue: &str) -> &str {
    queue.rsplit(['/', ':']).next().unwrap_or_default()
}

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
        self.0
            .iter()
            .find(|(source, _)| name(source) == wanted)
            .map(|(_, dead_letters)| dead_letters.as_str())
    }
}

impl FromStr for DeadLetterUrls {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let urls: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        let pairs = urls.chunks_exact(2);
        if !pairs.remainder().is_empty() || pairs.clone().any(|pair| !is_web_url(&pair[1])) {
            return Err("must have a URL or an ARN for each source, and the URL of its dead-letter queue");
        }
        Ok(Self(pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect()))
    }
}

/// Returns the name of a queue. A URL ends with `/name`, an ARN with `:name`.
fn name(queue: &str) -> &str {
    queue.rsplit(['/', ':']).next().unwrap_or_default()
}

//! The setting `DEAD_LETTERS_URLS`.

use std::str::FromStr;

use crate::text::is_web_url;

/// Queues and their dead-letter queues, as URLs separated by spaces: `QUEUE DEAD_LETTERS QUEUE DEAD_LETTERS …`.
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
        if !pairs.remainder().is_empty() || !urls.iter().all(|url| is_web_url(url)) {
            return Err("must have two URLs for each queue");
        }
        Ok(Self(pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect()))
    }
}

/// Returns the name of a queue. A URL ends with `/name`, an ARN with `:name`.
fn name(queue: &str) -> &str {
    queue.rsplit(['/', ':']).next().unwrap_or_default()
}

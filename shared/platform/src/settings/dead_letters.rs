//! The setting `DEAD_LETTERS_URLS`.

use std::str::FromStr;

/// The addresses of the dead letters of the queues that a worker takes messages from: for each queue its address,
/// then that of its dead letters, with spaces between all of them.
#[derive(Clone, Debug, Default)]
pub struct DeadLetterUrls(Vec<(String, String)>);

impl DeadLetterUrls {
    /// Returns the address of a queue's dead letters. The queue is named by its address or its ARN.
    pub fn of(&self, queue: &str) -> Option<&str> {
        let wanted = name(queue);
        self.0.iter().find(|(it, _)| name(it) == wanted).map(|(_, letters)| letters.as_str())
    }
}

impl FromStr for DeadLetterUrls {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let urls: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        let pairs = urls.chunks_exact(2);
        if !pairs.remainder().is_empty() {
            return Err("must have two addresses for each queue");
        }
        Ok(Self(pairs.map(|it| (it[0].clone(), it[1].clone())).collect()))
    }
}

/// An address ends with `/name`, an ARN with `:name`.
fn name(queue: &str) -> &str {
    queue.rsplit(['/', ':']).next().unwrap_or_default()
}

//! The setting `JUDGE`.

use std::str::FromStr;

use super::variables::{is_name, is_short_url};

/// The judge of reports and of circle posts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JudgeChoice {
    /// Rules and a small embedded model.
    #[default]
    Embedded,
    /// An external judge, which sends its verdicts on circle posts. The embedded judge decides on posts without such a
    /// verdict, and on reports.
    External,
    /// A model in Amazon Bedrock.
    Bedrock {
        /// ID of a model or an inference profile.
        model: String,
    },
    /// A model with an OpenAI-compatible API.
    Chat {
        /// The URL, with or without `/chat/completions`.
        url: String,
        /// Name of the model.
        model: String,
    },
}

impl FromStr for JudgeChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "embedded" => Ok(Self::Embedded),
            None if text == "external" => Ok(Self::External),
            Some(("bedrock", model)) if is_name(model, "._:/-") => {
                Ok(Self::Bedrock { model: model.to_owned() })
            }
            _ => chat(text)
                .ok_or("must be `embedded`, `external`, `bedrock:MODEL` or `https://HOST/PATH#MODEL`"),
        }
    }
}

/// Parses a URL whose fragment is the name of a model.
fn chat(text: &str) -> Option<JudgeChoice> {
    let allowed_prefixes = ["https://", "http://127.0.0.1:", "http://localhost:"];
    let (url, model) = text.split_once('#')?;
    let is_allowed = allowed_prefixes.iter().any(|prefix| url.starts_with(prefix));
    let is_model = is_name(model, "._:/-@+");
    let is_valid = is_allowed && is_short_url(url) && !url.contains('?') && is_model;
    is_valid.then(|| JudgeChoice::Chat { url: url.to_owned(), model: model.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_selects_one_of_four_judges() {
        assert_eq!("embedded".parse(), Ok(JudgeChoice::Embedded));
        assert_eq!("external".parse(), Ok(JudgeChoice::External));
        let bedrock = JudgeChoice::Bedrock { model: "anthropic.claude-v1:0".to_owned() };
        assert_eq!("bedrock:anthropic.claude-v1:0".parse(), Ok(bedrock));
        for text in ["https://a.example/v1#m", "http://127.0.0.1:9/v1#meta/llama-3.1:8b"] {
            assert!(text.parse::<JudgeChoice>().is_ok(), "{text}");
        }
        for text in [
            "",
            "bedrock:",
            "bedrock",
            "external:x",
            "http://a.example/v1#m",
            "Embedded",
            "https://a.example/v1",
            "https://a.example/v1#",
            "https://a.example/v1#a model",
            "https://a.example/v1?a=b#m",
            "https://ann:secret@a.example/v1#m",
            "https://a.example:#m",
            "https://#m",
        ] {
            assert!(text.parse::<JudgeChoice>().is_err(), "{text}");
        }
    }
}

//! The setting `JUDGE`.

use std::str::FromStr;

use super::variables::is_name;
use crate::text::is_web_url;

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
        /// The URL without `/chat/completions`. The URL's fragment names the model.
        url: String,
    },
}

impl FromStr for JudgeChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed_prefixes = ["https://", "http://127.0.0.1:", "http://localhost:"];
        match text.split_once(':') {
            None if text == "embedded" => Ok(Self::Embedded),
            None if text == "external" => Ok(Self::External),
            Some(("bedrock", model)) if is_name(model, "._:/-") => {
                Ok(Self::Bedrock { model: model.to_owned() })
            }
            _ if is_web_url(text) && allowed_prefixes.iter().any(|prefix| text.starts_with(prefix)) => {
                Ok(Self::Chat { url: text.to_owned() })
            }
            _ => Err("must be `embedded`, `external`, `bedrock:MODEL` or a URL that begins with `https://`"),
        }
    }
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
        for text in ["https://a.example/v1#m", "http://127.0.0.1:9/v1"] {
            assert!(text.parse::<JudgeChoice>().is_ok(), "{text}");
        }
        for text in ["", "bedrock:", "bedrock", "external:x", "http://a.example/v1", "Embedded"] {
            assert!(text.parse::<JudgeChoice>().is_err(), "{text}");
        }
    }
}

//! The setting `JUDGE`.

use std::str::FromStr;

/// The judge of reports and of posts in circles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JudgeChoice {
    /// Rules and a small model, embedded in the function.
    #[default]
    Embedded,
    /// A model of Amazon Bedrock.
    Bedrock {
        /// The id of the model or of an inference profile.
        model: String,
    },
    /// A model behind an API that is compatible with OpenAI's.
    Chat {
        /// The address before `/chat/completions`; its fragment names the model.
        url: String,
    },
}

impl FromStr for JudgeChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let secure = ["https://", "http://127.0.0.1:", "http://localhost:"];
        match text.split_once(':') {
            None if text == "embedded" => Ok(Self::Embedded),
            Some(("bedrock", model)) if !model.is_empty() => Ok(Self::Bedrock { model: model.to_owned() }),
            _ if secure.iter().any(|it| text.starts_with(it)) => Ok(Self::Chat { url: text.to_owned() }),
            _ => Err("must be `embedded`, `bedrock:MODEL` or an `https://…`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_names_one_of_three() {
        assert_eq!("embedded".parse(), Ok(JudgeChoice::Embedded));
        let bedrock = JudgeChoice::Bedrock { model: "anthropic.claude-v1:0".to_owned() };
        assert_eq!("bedrock:anthropic.claude-v1:0".parse(), Ok(bedrock));
        for (text, good) in [("https://a.example/v1#m", true), ("http://127.0.0.1:9/v1", true)] {
            assert_eq!(text.parse::<JudgeChoice>().is_ok(), good, "{text}");
        }
        for text in ["", "bedrock:", "bedrock", "http://a.example/v1", "ftp://a", "Embedded"] {
            assert!(text.parse::<JudgeChoice>().is_err(), "{text}");
        }
    }
}

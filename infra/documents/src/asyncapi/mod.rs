//! One AsyncAPI document of what happens as it happens: the channels, and the events that the code can push.

mod channels;
mod check;
mod messages;

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value, json};

pub use check::undescribed;

use messages::Message;

use crate::{examples, order};

const VERSION: &str = "3.1.0";
const GENERATED: &str = "The code is the source of this document: `make openapi` writes it.";

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| json!(document()));
static TEXT: LazyLock<String> = LazyLock::new(|| text(&document()).map(|it| it + "\n").unwrap_or_default());

/// The document as the function `docs` shows it and as its crate keeps it: a line a field, for diffs.
pub fn published() -> &'static str {
    &TEXT
}

/// The document, in the order in which it is read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    asyncapi: &'static str,
    info: Value,
    default_content_type: &'static str,
    servers: Value,
    channels: Value,
    operations: Value,
    components: Components,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Components {
    messages: Value,
    schemas: Value,
    security_schemes: Value,
}

fn document() -> Document {
    let schemas = messages::schemas();
    let messages = messages::all();
    let channels = channels::all();
    let named = |it: &Message| (it.key(), it.component(&schemas));
    Document {
        asyncapi: VERSION,
        info: info(),
        default_content_type: "application/json",
        servers: json!({ "pushProvider": server() }),
        channels: channels
            .iter()
            .map(|it| (it.key.to_owned(), it.object(&messages)))
            .collect::<Map<_, _>>()
            .into(),
        operations: channels.iter().flat_map(|it| it.operations(&messages)).collect::<Map<_, _>>().into(),
        components: Components {
            messages: messages.iter().map(named).collect::<Map<_, _>>().into(),
            security_schemes: json!({ "channelAuthorization": authorization() }),
            schemas,
        },
    }
}

fn text(document: &Document) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(document)?;
    examples::describe_choices(&mut value);
    examples::list_examples(&mut value["components"]["schemas"]);
    serde_json::to_string_pretty(&order::ordered(document, value)?)
}

fn info() -> Value {
    json!({
        "title": "Social network: realtime",
        "version": runtime::openapi::version(),
        "description": include_str!("description.md"),
        "contact": { "name": "Whoever operates this network" },
        "license": { "name": "MIT", "url": "https://opensource.org/license/mit" },
        "tags": [{ "name": "realtime", "description": "Subscribing to what happens" }],
        "x-generated": GENERATED,
    })
}

fn server() -> Value {
    json!({
        "host": "{host}",
        "pathname": "/app/{key}",
        "protocol": "wss",
        "protocolVersion": "7",
        "description": "The push provider of the network: Pusher, or a server of its protocol.",
        "variables": {
            "host": {
                "description": "Of an app at Pusher `ws-CLUSTER.pusher.com`; `make dev` is one at its own address, by `ws`.",
                "default": "ws-mt1.pusher.com",
                "examples": ["ws-eu.pusher.com", "127.0.0.1:3000"],
            },
            "key": { "description": "The app's key, which is no secret.", "default": "local" },
        },
    })
}

fn authorization() -> Value {
    json!({
        "type": "http",
        "scheme": "bearer",
        "description": "The signature of `POST /pusher/auth`, which takes the caller's access token.",
    })
}

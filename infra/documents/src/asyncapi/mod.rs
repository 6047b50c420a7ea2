//! Builds the AsyncAPI document, which describes the channels and the events that the code can push.

mod channels;
mod check;
mod messages;

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Value, json};

pub use check::undescribed;

use messages::Message;

use crate::{examples, order};

const VERSION: &str = "3.1.0";
const GENERATED: &str = "Generated from the code by `make openapi`.";

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| json!(document()));
static TEXT: LazyLock<String> = LazyLock::new(|| order::text(&document(), complete));

/// Returns the document as indented JSON, which the function `docs-api` serves.
pub fn published() -> &'static str {
    &TEXT
}

/// The document, with its fields in reading order.
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
    let named = |message: &Message| (message.key(), message.component(&schemas));
    Document {
        asyncapi: VERSION,
        info: info(),
        default_content_type: "application/json",
        servers: json!({ "pushProvider": server() }),
        channels: channels.iter().map(|channel| (channel.key, channel.object(&messages))).collect(),
        operations: channels.iter().flat_map(|channel| channel.operations(&messages)).collect(),
        components: Components {
            messages: messages.iter().map(named).collect(),
            security_schemes: json!({ "channelAuthorization": authorization() }),
            schemas,
        },
    }
}

fn complete(document: &mut Value) {
    examples::describe_choices(document);
    examples::list_examples(&mut document["components"]["schemas"]);
}

fn info() -> Value {
    json!({
        "title": "Social network: realtime",
        "version": runtime::openapi::version(),
        "description": include_str!("description.md"),
        "contact": { "name": "Operator of this network" },
        "license": { "name": "MIT", "url": "https://opensource.org/license/mit" },
        "tags": [{ "name": "realtime", "description": "Subscriptions to realtime events" }],
        "x-generated": GENERATED,
    })
}

fn server() -> Value {
    json!({
        "host": "{host}",
        "pathname": "/app/{key}",
        "protocol": "wss",
        "protocolVersion": "7",
        "description": "Push provider of the network: Pusher, or a server that supports the Pusher protocol.",
        "variables": {
            "host": {
                "description": "For an app at Pusher, the host is `ws-CLUSTER.pusher.com`. The local stack (`make dev`) serves the protocol at its own address over `ws`.",
                "default": "ws-mt1.pusher.com",
                "examples": ["ws-eu.pusher.com", "127.0.0.1:3000"],
            },
            "key": { "description": "Public key of the app.", "default": "local" },
        },
    })
}

fn authorization() -> Value {
    json!({
        "type": "http",
        "scheme": "bearer",
        "description": "Signature from `POST /pusher/auth`, which requires the caller's access token.",
    })
}

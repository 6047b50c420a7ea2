//! What all operations share: headers, the way to sign in, the shape of an error.

use domain::accounts::scopes::Scope;
use platform::idempotency::KEY_MAX_BYTES;
use utoipa::{
    ToSchema,
    openapi::{
        Components, ComponentsBuilder, Header, HeaderBuilder, ObjectBuilder, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
        tag::{Tag, TagBuilder},
    },
};

use super::{TOKEN_SCHEME, errors::failures};

/// The name under which the idempotency key is a component.
pub(super) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

const TAGS: [(&str, &str); 13] = [
    ("auth", "Signing up and in, sessions, mailed tokens"),
    ("posts", "Writing, reading, answering, liking, and the feeds"),
    ("users", "Following, friend requests, profiles, blocking and muting"),
    ("message-group", "Messages between two people or in a crowd"),
    ("chat", "The same conversations, with how far each message has come"),
    ("notification", "What happened that concerns the caller, grouped"),
    ("quests", "Daily quests, karma, badges"),
    ("circles", "Groups that live of what their members write, and die when nobody does"),
    ("museum", "What is left of circles that died"),
    ("search", "Finding people, posts and hashtags"),
    ("admin", "Accounts, reports, quests, counts: for administrators"),
    ("realtime", "Subscribing to what happens"),
    ("uploads", "Files, and what becomes of videos"),
];

const HEADERS: [(&str, Type, &str); 6] = [
    ("x-request-id", Type::String, "Names the request; it is in every line of its log"),
    ("x-error-code", Type::String, "The error's code, for programs: the message is for people"),
    ("retry-after", Type::Integer, "Seconds until another try makes sense"),
    ("ratelimit-limit", Type::Integer, "Requests allowed in the window"),
    ("ratelimit-remaining", Type::Integer, "Requests left in it"),
    ("ratelimit-reset", Type::Integer, "Seconds until it ends"),
];

/// `{success: false, message}`
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: `Error` writes it")]
struct Failure {
    /// Always false.
    #[schema(example = false)]
    success: bool,
    /// What is wrong, in words; for bad input it names the field.
    #[schema(example = "content: must have 1 to 5000 characters")]
    message: String,
}

/// Adds what operations refer to.
pub(super) fn add_to(components: Components) -> Components {
    let mut builder = ComponentsBuilder::from(components)
        .schema_from::<Failure>()
        .parameter(IDEMPOTENCY_KEY, idempotency_key())
        .security_scheme("bearer", bearer())
        .security_scheme(TOKEN_SCHEME, application_token());
    for (name, kind, meaning) in HEADERS {
        builder = builder.header(name, header(kind, meaning));
    }
    for failure in failures() {
        let (name, response) = failure.component();
        builder = builder.response(name, response);
    }
    builder.build()
}

/// The groups of operations.
pub(super) fn tags() -> Vec<Tag> {
    let tag = |(name, text): (&str, &str)| TagBuilder::new().name(name).description(Some(text)).build();
    TAGS.map(tag).into()
}

fn header(kind: Type, meaning: &str) -> Header {
    let schema = ObjectBuilder::new().schema_type(kind).build();
    HeaderBuilder::new().schema(Some(schema)).description(Some(meaning)).build()
}

fn idempotency_key() -> Parameter {
    let text =
        ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(KEY_MAX_BYTES));
    ParameterBuilder::new()
        .name(IDEMPOTENCY_KEY)
        .parameter_in(ParameterIn::Header)
        .description(Some("Chosen by the client: the same key and body within 24 hours are done once"))
        .schema(Some(text.build()))
        .build()
}

fn bearer() -> SecurityScheme {
    let http = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT");
    SecurityScheme::Http(http.description(Some("The access token of a sign-in")).build())
}

fn application_token() -> SecurityScheme {
    let scopes = Scope::ALL.map(|it| format!("`{}`", it.name())).join(", ");
    let text = format!(
        "An application token of `POST /auth/tokens` that has the scope which the operation names. Operations that name \
         none are closed to it. The scopes: {scopes}"
    );
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build())
}

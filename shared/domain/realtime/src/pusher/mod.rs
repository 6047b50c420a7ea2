//! The push provider with the Pusher protocol: authorizes subscriptions to channels, and pushes to them.

mod api;
mod calls;
mod channel;
mod push_all;

use base::{CircleId, UserId};
use hmac::{Hmac, KeyInit, Mac};
use people::relationships;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::Sha256;
use utoipa::ToSchema;

pub use calls::Push;
pub use channel::{Channel, ChannelKind};
pub use push_all::push_all;

use platform::{App, Error, Result, settings::PusherApp};

/// The ID of a client's connection to the push provider.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, pattern = r"^\d+\.\d+$", example = "1234.1234")]
pub struct SocketId(String);

impl TryFrom<String> for SocketId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_number =
            |part: &str| (1..=40).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        let valid = text.split_once('.').is_some_and(|(left, right)| is_number(left) && is_number(right));
        valid.then_some(Self(text)).ok_or("must be two numbers separated by a dot")
    }
}

/// A request to subscribe to a channel.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = RealtimeSubscription)]
pub struct Subscription {
    /// The client's connection.
    pub socket_id: SocketId,
    /// The channel's name.
    #[schema(value_type = String, example = "private-user-01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub channel_name: Channel,
}

/// The signature with which the push provider accepts a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChannelAuthorization)]
pub struct Authorization {
    /// The app's key, a colon and the signature.
    pub auth: String,
    /// The signed JSON with the user. Present only for a presence channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub channel_data: Option<String>,
}

/// A connection to the push provider.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = RealtimeConnection)]
pub struct Connection {
    /// The client's connection.
    pub socket_id: SocketId,
}

/// The signature with which the push provider accepts the user of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RealtimeAuthentication)]
pub struct Authentication {
    /// The app's key, a colon and the signature.
    pub auth: String,
    /// The signed JSON with the user.
    #[schema(example = r#"{"id":"01KGB5T9G0A1B2C3D4E5F6G7H8"}"#)]
    pub user_data: String,
}

/// Authorizes the caller to subscribe to their own channels, and to the channels of their groups and circles.
///
/// # Errors
/// Fails with [`Error::NotFound`] if no push provider is configured, and with [`Error::Forbidden`] if the caller may
/// not subscribe to the channel.
pub async fn authorize(app: &App, caller: UserId, request: Subscription) -> Result<Authorization> {
    let pusher = app_of(app).await?;
    let Subscription { socket_id, channel_name } = request;
    let (may_subscribe, data) = match &channel_name {
        Channel::User(user) => (*user == caller, None),
        Channel::Presence(user) => (*user == caller, Some(presence(caller))),
        Channel::Chat(group) => (conversations::may_subscribe(app, caller, *group).await?, None),
        Channel::Circle(circle) => {
            let data = circle_presence(app, &pusher, *circle, caller).await?;
            (data.is_some(), data)
        }
        Channel::Public | Channel::Other => (false, None),
    };
    if !may_subscribe {
        return Err(Error::Forbidden("you cannot subscribe to this channel".into()));
    }
    Ok(sign(&pusher, &socket_id.0, &channel_name.to_string(), data))
}

/// Authenticates the caller's connection for the push provider. The connection ends when the caller signs out, is
/// suspended or blocks a user.
///
/// # Errors
/// Fails with [`Error::NotFound`] if no push provider is configured.
pub async fn authenticate(app: &App, caller: UserId, request: Connection) -> Result<Authentication> {
    let pusher = app_of(app).await?;
    let user_data = json!({ "id": caller }).to_string();
    let auth = signature(&pusher, &format!("{}::user::{user_data}", request.socket_id.0));
    Ok(Authentication { auth, user_data })
}

/// Ends the authenticated connections of a user.
///
/// # Errors
/// Fails with an internal error if the provider refuses the request or does not respond.
pub(super) async fn disconnect(app: &App, user: UserId) -> Result<()> {
    let resource = format!("users/{user}/terminate_connections");
    match api::post(app, &app_of(app).await?, &resource, &json!({})).await {
        Ok(()) => Ok(()),
        // Some servers with the Pusher protocol do not support authenticated users.
        Err(refusal) if refusal.is_of_content() => {
            tracing::warn!("failed to end connections at the push provider: {refusal:?}");
            Ok(())
        }
        Err(refusal) => Err(refusal.error()),
    }
}

/// Returns the app's settings for the push provider, with the current secret.
///
/// # Errors
/// Fails with [`Error::NotFound`] if no push provider is configured.
async fn app_of(app: &App) -> Result<PusherApp> {
    let pusher = app.settings.pusher.as_ref().ok_or(Error::NotFound("push provider"))?;
    let secret = app.secrets.of(&pusher.secret).await?.current.clone();
    Ok(PusherApp { secret, ..pusher.clone() })
}

/// Returns the presence data of a user on a circle's channel, or `None` if the user is not a member. If a block exists
/// between the user and another member, the data is anonymous.
async fn circle_presence(
    app: &App,
    pusher: &PusherApp,
    circle: CircleId,
    user: UserId,
) -> Result<Option<String>> {
    let is_member = is_circle_member(app, circle, user);
    let (is_member, is_blocked) = futures::try_join!(is_member, is_blocked_in(app, circle, user))?;
    let data = || if is_blocked { anonymous_presence(pusher, circle, user) } else { presence(user) };
    Ok(is_member.then(data))
}

async fn is_circle_member(app: &App, circle: CircleId, user: UserId) -> Result<bool> {
    // With an eventually consistent read, a user who was just banned could subscribe again.
    let member = app.table.get::<circles::Member>(&circles::member_key(circle, user)).await?;
    Ok(member.is_some_and(|member| member.is_in()))
}

async fn is_blocked_in(app: &App, circle: CircleId, user: UserId) -> Result<bool> {
    let Some(blocks) = relationships::all_blocks(app, user).await? else { return Ok(true) };
    let keys: Vec<_> = blocks.iter().map(|user| circles::member_key(circle, *user)).collect();
    let members: Vec<circles::Member> = app.table.batch_get_eventual(&keys).await?;
    Ok(members.iter().any(circles::Member::is_in))
}

fn anonymous_presence(pusher: &PusherApp, circle: CircleId, user: UserId) -> String {
    let name = mac(&pusher.secret, &format!("presence:{circle}:{user}"));
    json!({ "user_id": name, "user_info": {} }).to_string()
}

fn presence(user: UserId) -> String {
    json!({ "user_id": user, "user_info": { "publicId": user.public() } }).to_string()
}

/// Returns a signature of the socket, the channel and, for a presence channel, the user.
fn sign(app: &PusherApp, socket: &str, channel: &str, channel_data: Option<String>) -> Authorization {
    let signed = [Some(socket), Some(channel), channel_data.as_deref()];
    let signed: Vec<_> = signed.into_iter().flatten().collect();
    let auth = signature(app, &signed.join(":"));
    Authorization { auth, channel_data }
}

fn signature(app: &PusherApp, text: &str) -> String {
    format!("{}:{}", app.key, mac(&app.secret, text))
}

/// Returns the HMAC-SHA256 in hexadecimal digits.
fn mac(secret: &SecretString, text: &str) -> String {
    // HMAC accepts keys of any length, so creating it cannot fail.
    let key = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes());
    key.map(|mac| hex::encode(mac.chain_update(text).finalize().into_bytes())).unwrap_or_default()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The app in the examples of the Pusher documentation.
    pub(crate) fn documented() -> PusherApp {
        PusherApp {
            id: "3".to_owned(),
            key: "278d425bdf160c739803".to_owned(),
            secret: SecretString::from("7ad3773142a6692b25b8"),
            host: "api.pusherapp.com".to_owned(),
        }
    }

    #[test]
    fn a_private_channel_gets_the_documented_signature() {
        let signed = sign(&documented(), "1234.1234", "private-foobar", None);
        let auth = "278d425bdf160c739803:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4";
        assert_eq!(signed, Authorization { auth: auth.to_owned(), channel_data: None });
    }

    #[test]
    fn a_presence_channel_gets_the_documented_signature() {
        let data = r#"{"user_id":10,"user_info":{"name":"Mr. Channels"}}"#;
        let signed = sign(&documented(), "1234.1234", "presence-foobar", Some(data.to_owned()));
        let auth = "278d425bdf160c739803:31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80";
        assert_eq!(signed.auth, auth);
        assert_eq!(signed.channel_data.as_deref(), Some(data));
    }

    #[test]
    fn a_socket_id_consists_of_two_numbers() {
        for (text, valid) in
            [("1.2", true), ("123.456", true), ("1", false), ("1.2.3", false), ("a.b", false)]
        {
            assert_eq!(SocketId::try_from(text.to_owned()).is_ok(), valid, "{text}");
        }
        for text in ["", ".", "1.", ".1", "1.2:private-user-x", "1.2\n"] {
            assert!(SocketId::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}

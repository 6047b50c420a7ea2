//! The push provider, which speaks the Pusher protocol: who may subscribe to a channel, and pushing to it.

mod api;
mod calls;
mod channel;
mod push_all;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::Sha256;
use utoipa::ToSchema;

pub use calls::Push;
pub use channel::Channel;
pub use push_all::push_all;

use platform::{App, Result, error::Error, settings::PusherApp};

use crate::{
    circles,
    conversations::{self, Member},
    ids::{CircleId, GroupId, UserId},
};

const NOT_YOURS: Error = Error::Forbidden(std::borrow::Cow::Borrowed("this channel is not yours"));

/// The id of a client's connection to the push provider.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, pattern = r"^\d+\.\d+$", example = "1234.1234")]
pub struct SocketId(String);

impl TryFrom<String> for SocketId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digits = |it: &str| (1..=40).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
        let valid = text.split_once('.').is_some_and(|(left, right)| digits(left) && digits(right));
        valid.then_some(Self(text)).ok_or("must be two numbers with a dot between them")
    }
}

/// A request to subscribe to a channel.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Subscription {
    /// The client's connection.
    pub socket_id: SocketId,
    /// The channel's name.
    #[schema(value_type = String, example = "private-user-01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub channel_name: Channel,
}

/// The signature with which the push provider accepts a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Authorization {
    /// The app's key, a colon and the signature.
    pub auth: String,
    /// The user on a presence channel, as the JSON that was signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel_data: Option<String>,
}

/// Authorizes the caller to subscribe to their own channels and those of their groups and circles. Costs
/// no call; 1 call and 0.5 RRU for a group or a circle.
///
/// # Errors
/// [`Error::NotFound`] where there is no push provider; [`Error::Forbidden`] for any other channel.
pub async fn authorize(app: &App, caller: UserId, request: Subscription) -> Result<Authorization> {
    let pusher = app_of(app).await?;
    let Subscription { socket_id, channel_name } = request;
    let own = match &channel_name {
        Channel::User(user) | Channel::Presence(user) => *user == caller,
        Channel::Chat(group) => is_group_member(app, *group, caller).await?,
        Channel::Circle(circle) => is_circle_member(app, *circle, caller).await?,
        Channel::Other => false,
    };
    if !own {
        return Err(NOT_YOURS);
    }
    let data = matches!(channel_name, Channel::Presence(_) | Channel::Circle(_)).then(|| presence(caller));
    Ok(sign(&pusher, &socket_id.0, &channel_name.to_string(), data))
}

/// Returns the app at the provider with its secret.
///
/// # Errors
/// [`Error::NotFound`] where there is no push provider.
async fn app_of(app: &App) -> Result<PusherApp> {
    let pusher = app.settings.pusher.as_ref().ok_or(Error::NotFound("push provider"))?;
    let secret = app.secrets.of(&pusher.secret).await?.current.clone();
    Ok(PusherApp { secret, ..pusher.clone() })
}

async fn is_group_member(app: &App, group: GroupId, user: UserId) -> Result<bool> {
    Ok(app.table.get_eventual::<Member>(&conversations::member_key(group, user)).await?.is_some())
}

async fn is_circle_member(app: &App, circle: CircleId, user: UserId) -> Result<bool> {
    let member = app.table.get_eventual::<circles::Member>(&circles::member_key(circle, user)).await?;
    Ok(member.is_some_and(|it| it.is_in()))
}

fn presence(user: UserId) -> String {
    json!({ "user_id": user, "user_info": { "publicId": user.public() } }).to_string()
}

/// Signs the socket, the channel and, on a presence channel, the user.
fn sign(app: &PusherApp, socket: &str, channel: &str, channel_data: Option<String>) -> Authorization {
    let signed = [Some(socket), Some(channel), channel_data.as_deref()];
    let signed: Vec<_> = signed.into_iter().flatten().collect();
    let auth = format!("{}:{}", app.key, mac(&app.secret, &signed.join(":")));
    Authorization { auth, channel_data }
}

/// Returns the HMAC-SHA256 in hexadecimal digits.
fn mac(secret: &SecretString, text: &str) -> String {
    // HMAC accepts keys of any length, so this cannot fail.
    let key = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes());
    key.map(|it| hex::encode(it.chain_update(text).finalize().into_bytes())).unwrap_or_default()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The app of the examples in the Pusher documentation.
    pub(crate) fn documented() -> PusherApp {
        PusherApp {
            id: "3".to_owned(),
            key: "278d425bdf160c739803".to_owned(),
            secret: SecretString::from("7ad3773142a6692b25b8"),
            host: "api.pusherapp.com".to_owned(),
        }
    }

    #[test]
    fn a_private_channel_is_signed_as_the_documentation_does() {
        let signed = sign(&documented(), "1234.1234", "private-foobar", None);
        let auth = "278d425bdf160c739803:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4";
        assert_eq!(signed, Authorization { auth: auth.to_owned(), channel_data: None });
    }

    #[test]
    fn a_presence_channel_is_signed_as_the_documentation_does() {
        let data = r#"{"user_id":10,"user_info":{"name":"Mr. Channels"}}"#;
        let signed = sign(&documented(), "1234.1234", "presence-foobar", Some(data.to_owned()));
        let auth = "278d425bdf160c739803:31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80";
        assert_eq!(signed.auth, auth);
        assert_eq!(signed.channel_data.as_deref(), Some(data));
    }

    #[test]
    fn a_socket_id_is_two_numbers() {
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

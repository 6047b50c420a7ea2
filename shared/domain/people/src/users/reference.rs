//! References to users in requests.

use std::{borrow::Cow, str::FromStr};

use base::UserId;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::Username;

/// A user in a request: a username, a public ID or an internal ID. No username is a valid ID.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum UserRef {
    /// The user with this ID, who may not exist.
    Id(UserId),
    /// The user with this username.
    Name(Username),
}

impl UserRef {
    /// Returns the ID, or `None` for a username.
    pub fn id(&self) -> Option<UserId> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Name(_) => None,
        }
    }

    /// Returns the username, or `None` for an ID.
    pub fn name(&self) -> Option<&Username> {
        match self {
            Self::Id(_) => None,
            Self::Name(name) => Some(name),
        }
    }
}

impl FromStr for UserRef {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(id) => Ok(Self::Id(id)),
            Err(_) => text.parse().map(Self::Name),
        }
    }
}

impl TryFrom<String> for UserRef {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<UserRef> for String {
    fn from(user: UserRef) -> Self {
        match user {
            UserRef::Id(id) => id.to_string(),
            UserRef::Name(name) => name.to_string(),
        }
    }
}

impl PartialSchema for UserRef {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).examples(["bob"]);
        text.description(Some("A user: a username, a public ID or an internal ID.")).build().into()
    }
}

impl ToSchema for UserRef {
    fn name() -> Cow<'static, str> {
        "UserRef".into()
    }
}

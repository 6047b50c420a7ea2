//! Bounces and complaints, which SES reports after it accepted an email. After a bounce or a complaint, the address
//! gets no further emails.
//!
//! Source: <https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-eventbridge.html>.

use people::{EmailStatus, addresses, users};
use platform::{App, Result, Write, outcomes};
use serde::{Deserialize, Serialize};

use crate::me;

/// An event that SES publishes on the default bus of EventBridge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MailEvent {
    detail: Detail,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "eventType")]
enum Detail {
    Bounce { bounce: Bounce },
    Complaint { complaint: Complaint },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bounce {
    /// `Permanent`, `Transient` or `Undetermined`.
    bounce_type: String,
    bounced_recipients: Vec<Recipient>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Complaint {
    complained_recipients: Vec<Recipient>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipient {
    email_address: String,
}

impl MailEvent {
    /// Returns the recipients of the email, and the new status of their addresses. Returns `None` for a temporary
    /// bounce, such as a full mailbox.
    fn change(&self) -> Option<(&[Recipient], EmailStatus)> {
        match &self.detail {
            Detail::Bounce { bounce } if bounce.bounce_type != "Permanent" => None,
            Detail::Bounce { bounce } => Some((&bounce.bounced_recipients, EmailStatus::Bounced)),
            Detail::Complaint { complaint } => {
                Some((&complaint.complained_recipients, EmailStatus::Complained))
            }
        }
    }
}

/// Stores the new status of the addresses in their accounts. A repeated event has no effect.
pub async fn apply(app: &App, event: &MailEvent) -> Result<()> {
    let Some((recipients, status)) = event.change() else { return outcomes::end("the bounce does not last") };
    for Recipient { email_address } in recipients {
        mark(app, &email_address.trim().to_lowercase(), status).await?;
    }
    Ok(())
}

/// Stores the status of an address in its account. Has no effect if the account has a new address.
pub(crate) async fn mark(app: &App, address: &str, status: EmailStatus) -> Result<()> {
    let Some(user) = addresses::find_user(app, address).await? else {
        return outcomes::end("no account has the address");
    };
    let write = Write::update(users::key(user)).set("emailStatus", status).equals("email", address);
    app.table.try_write(write).await?;
    me::invalidate(app, user);
    Ok(())
}

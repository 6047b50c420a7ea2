//! Resolves names to public addresses only. The client connects to what this returned, and asks no second time: a name that
//! leads elsewhere a moment later leads nowhere.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use super::addresses::is_public;

/// The resolver of a client that asks the public internet alone.
pub(super) struct PublicResolver;

/// A name has no public address.
#[derive(Debug, thiserror::Error)]
#[error("the name has no public address")]
pub(super) struct NoPublicAddress;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            let public: Vec<_> = found.filter(|it| is_public(it.ip())).collect();
            match public.is_empty() {
                true => Err(NoPublicAddress.into()),
                false => Ok(Box::new(public.into_iter()) as Addrs),
            }
        })
    }
}

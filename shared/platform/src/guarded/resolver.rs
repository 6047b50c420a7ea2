//! Resolves host names to public addresses only.
//!
//! The client connects to the returned addresses and does not resolve the name again. So DNS rebinding has no effect.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use super::addresses::is_public;

pub(super) struct PublicResolver;

#[derive(Debug, thiserror::Error)]
#[error("the name has no public address")]
pub(super) struct NoPublicAddress;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            let public: Vec<_> = found.filter(|socket| is_public(socket.ip())).collect();
            match public.is_empty() {
                true => Err(NoPublicAddress.into()),
                false => Ok(Box::new(public.into_iter()) as Addrs),
            }
        })
    }
}

//! Between HTTP and the domain: what every route has in common.

mod decode;
mod extract;
mod path_params;
mod reply;
mod service;

pub use decode::decode;
pub use extract::{Address, Body, Create, FormOrJson, OptionalBody, Path, PathParam, Query, Raw};
pub use reply::{Envelope, ListEnvelope, Reply, Respond};
pub use service::{BODY_MAX_BYTES, serve, service};

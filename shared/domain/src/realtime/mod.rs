//! Realtime: what is pushed to whom, on which channel. May use everything whose events it pushes.

pub mod push;
pub mod pusher;

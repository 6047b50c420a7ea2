//! What every neighbourhood writes down beside its own rows: who did what, who decided what, and how
//! much there is. Uses ids only.

pub mod action_log;
pub mod audit;
pub mod statistics;

//! What the network promises, one file a noun.

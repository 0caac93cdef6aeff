//! Bytes to a core and back, whatever lies between.

#[cfg(feature = "sim")]
pub mod sim;

use bytes::Bytes;
use futures::future::BoxFuture;

/// A byte stream to a core.
pub trait Link: Send {
    /// What it is, in one line.
    fn describe(&self) -> String;

    /// Sends all bytes.
    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>>;

    /// Waits for at least one byte.
    fn receive(&mut self) -> BoxFuture<'_, Result<Bytes, LinkError>>;
}

/// Why no bytes come.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nothing came in time; asking again may help.
    #[error("no answer: {0}")]
    Silent(String),
    /// The link is gone for good.
    #[error("{0}")]
    Closed(String),
}

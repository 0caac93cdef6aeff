//! A link to a core by a closure.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::link::{Link, LinkError, LinkStatistics};
use protocol::{Decoder, Frame};

/// A frame on the wire.
pub fn frame(seq: u16, kind: u8, payload: &[u8]) -> Bytes {
    let frame = Frame { seq, kind, payload };
    let wire = protocol::frame::encode(&frame).expect("it fits");
    Bytes::copy_from_slice(wire.as_ref())
}

/// Gives for each frame what the closure makes of it, and silence when that is
/// used up. What the closure makes of `None` comes after such a silence.
pub struct Answering<F> {
    decoder: Decoder,
    answer: F,
    coming: VecDeque<Bytes>,
}

impl<F: FnMut(Option<Frame<'_>>) -> Vec<Bytes> + Send> Answering<F> {
    pub fn new(answer: F) -> Self {
        Self {
            decoder: Decoder::new(),
            answer,
            coming: VecDeque::new(),
        }
    }
}

impl<F: FnMut(Option<Frame<'_>>) -> Vec<Bytes> + Send> Link for Answering<F> {
    fn describe(&self) -> String {
        "a closure".into()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        for byte in bytes {
            if let Some(Ok(asked)) = self.decoder.push(*byte) {
                self.coming.extend((self.answer)(Some(asked)));
            }
        }
        async { Ok(()) }.boxed()
    }

    fn receive(&mut self, _: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        let reply = self.coming.pop_front().ok_or_else(|| {
            self.coming.extend((self.answer)(None));
            LinkError::Silent("nothing came".into())
        });
        async { reply }.boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        async { Ok(()) }.boxed()
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

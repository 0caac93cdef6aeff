//! The board's end of a pseudo-terminal.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::sleep;

/// Polling interval of a terminal for which the system reports no readiness any more.
const POLL: Duration = Duration::from_millis(1);

/// The board's end (the master) of a pseudo-terminal, whose other end a client opens.
pub struct Pty {
    fd: AsyncFd<OwnedFd>,
    path: PathBuf,
}

impl Pty {
    /// Opens a new terminal, raw and at the rate `baud` until a client sets another.
    pub(crate) fn open(baud: u32) -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let fd = openpt(flags)?;
        grantpt(&fd)?;
        unlockpt(&fd)?;
        let path = ptsname(&fd, Vec::new())?;
        let path = path.to_str().map_err(io::Error::other)?.into();
        // On Linux both ends share their settings.
        let mut settings = tcgetattr(&fd)?;
        settings.make_raw();
        settings.set_speed(baud)?;
        tcsetattr(&fd, OptionalActions::Now, &settings)?;
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Self {
            fd: watch(fd)?,
            path,
        })
    }

    /// The path of the client's end.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The client's rate in baud; 0 would hang up a modem.
    pub(crate) fn rate(&self) -> io::Result<u32> {
        Ok(tcgetattr(self.fd.get_ref())?.output_speed())
    }

    /// Whether a client has it open, or no client has opened it yet.
    pub(crate) fn is_open(&self) -> bool {
        let mut fds = [PollFd::new(self.fd.get_ref(), PollFlags::empty())];
        let now = Timespec::default();
        let polled = poll(&mut fds, Some(&now));
        polled.is_ok() && !fds[0].revents().contains(PollFlags::HUP)
    }

    /// Registers the same terminal anew, for a client that opened it after the last one had left.
    pub(crate) fn reopened(self) -> io::Result<Self> {
        let Self { fd, path } = self;
        let fd = watch(fd.into_inner())?;
        Ok(Self { fd, path })
    }

    /// Reads bytes as they arrive; returns 0 when the client has left.
    pub(crate) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = |fd: &OwnedFd| Ok(retry_on_intr(|| rustix::io::read(fd, &mut *buffer))?);
        match self.when(Interest::READABLE, read).await {
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(0),
            read => read,
        }
    }

    /// Writes as many bytes as there is room for; fails when there is none and the client has left.
    pub(crate) async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let write = |fd: &OwnedFd| match retry_on_intr(|| rustix::io::write(fd, bytes)) {
            Err(Errno::AGAIN) if !self.is_open() => Err(Errno::IO.into()),
            written => Ok(written?),
        };
        self.when(Interest::WRITABLE, write).await
    }

    /// Runs a non-blocking operation as soon as it does not block.
    async fn when<T>(
        &self,
        interest: Interest,
        mut act: impl FnMut(&OwnedFd) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            let mut guard = self.fd.ready(interest).await?;
            let ready = guard.ready();
            match guard.try_io(|fd| act(fd.get_ref())) {
                Ok(done) => return done,
                // The system keeps reporting that a client has left, even if another one is there
                // now, so that waiting for readiness would return at once.
                Err(_) if ready.is_read_closed() || ready.is_write_closed() => sleep(POLL).await,
                Err(_) => {}
            }
        }
    }
}

/// Registers a descriptor for events of readiness.
#[allow(
    unsafe_code,
    reason = "the caller guarantees that the descriptor stays open and the same"
)]
fn watch(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` stays open and the same until it is dropped; the `AsyncFd` owns it, and
    // nothing here replaces it.
    Ok(unsafe { AsyncFd::register(fd) }?)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write as _;

    use super::*;

    fn client_of(pty: &Pty) -> File {
        let mut client = OpenOptions::new();
        let client = client.read(true).write(true).open(pty.path());
        client.expect("opened")
    }

    /// The second client opens the terminal before the board has noticed that the first has left.
    /// The board then waits for its bytes without blocking other tasks.
    #[tokio::test]
    async fn pty_reads_from_client_that_follows_unnoticed() {
        let pty = Pty::open(115_200).expect("a terminal");
        drop(client_of(&pty));
        let gone = pty.fd.ready(Interest::READABLE).await.expect("an event");
        assert!(gone.ready().is_read_closed());
        drop(gone);
        let mut second = client_of(&pty);
        second.write_all(&[7]).expect("written");
        let mut buffer = [0; 8];
        assert_eq!(pty.read(&mut buffer).await.expect("there"), 1);
        tokio::select! {
            biased;
            read = pty.read(&mut buffer) => panic!("unexpected bytes {read:?}"),
            () = tokio::task::yield_now() => {}
        }
        fill(&pty).await;
        drop(second);
        assert_eq!(pty.read(&mut buffer).await.expect("gone"), 0);
    }

    /// Writes until there is no room.
    async fn fill(pty: &Pty) {
        loop {
            tokio::select! {
                biased;
                written = pty.write(&[1; 4096]) => assert!(written.expect("open") > 0),
                () = tokio::task::yield_now() => return,
            }
        }
    }

    #[tokio::test]
    async fn pty_write_fails_after_client_has_left_unread_bytes() {
        let pty = Pty::open(115_200).expect("a terminal");
        let client = client_of(&pty);
        fill(&pty).await;
        drop(client);
        // The system may have made some room meanwhile.
        while pty.write(&[1; 4096]).await.is_ok() {}
    }
}

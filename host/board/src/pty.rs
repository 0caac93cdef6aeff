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

/// Time between two looks at a terminal of which the system tells no more when it is ready.
const LOOK: Duration = Duration::from_millis(1);

/// The board's end (the master) of a pseudo-terminal that a client opens as a
/// serial port.
pub(crate) struct Pty {
    fd: AsyncFd<OwnedFd>,
    path: PathBuf,
}

impl Pty {
    /// A new one: raw, and at that rate until a client sets another.
    pub(crate) fn open(baud: u32) -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let fd = openpt(flags)?;
        grantpt(&fd)?;
        unlockpt(&fd)?;
        let path = ptsname(&fd, Vec::new())?;
        let path = path.to_str().map_err(io::Error::other)?.into();
        // Linux gives either end the same settings.
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

    /// The end that a client opens.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The rate that the client has set, in baud; 0 hangs up a modem.
    pub(crate) fn rate(&self) -> io::Result<u32> {
        Ok(tcgetattr(self.fd.get_ref())?.output_speed())
    }

    /// Whether a client has it open, or none has opened it yet.
    pub(crate) fn is_open(&self) -> bool {
        let mut fds = [PollFd::new(self.fd.get_ref(), PollFlags::empty())];
        let now = Timespec::default();
        let polled = poll(&mut fds, Some(&now));
        polled.is_ok() && !fds[0].revents().contains(PollFlags::HUP)
    }

    /// The same terminal, for a client that has opened it after the last one had
    /// closed it: what that one left is not waited for any more.
    pub(crate) fn again(self) -> io::Result<Self> {
        let Self { fd, path } = self;
        let fd = watch(fd.into_inner())?;
        Ok(Self { fd, path })
    }

    /// Waits for bytes; 0 when the client has gone.
    pub(crate) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = |fd: &OwnedFd| Ok(retry_on_intr(|| rustix::io::read(fd, &mut *buffer))?);
        match self.when(Interest::READABLE, read).await {
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(0),
            read => read,
        }
    }

    /// Writes what there is room for; an error when there is none and the client
    /// has gone, since nobody will make room.
    pub(crate) async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let write = |fd: &OwnedFd| match retry_on_intr(|| rustix::io::write(fd, bytes)) {
            Err(Errno::AGAIN) if !self.is_open() => Err(Errno::IO.into()),
            written => Ok(written?),
        };
        self.when(Interest::WRITABLE, write).await
    }

    /// Does something as soon as it does not have to wait.
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
                // That a client had gone stays told, though another one has come since, and
                // nothing can be waited for.
                Err(_) if ready.is_read_closed() || ready.is_write_closed() => sleep(LOOK).await,
                Err(_) => {}
            }
        }
    }
}

/// Has the system tell when there is something to read, or room to write.
#[allow(
    unsafe_code,
    reason = "only its caller knows that a descriptor stays what it is"
)]
fn watch(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open, and is the same descriptor, until it is dropped;
    // the `AsyncFd` owns it, and nothing here replaces it there.
    Ok(unsafe { AsyncFd::register(fd) }?)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write as _;
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// Longer than anything here takes: only so that a test that hangs fails.
    const HANGS: Duration = Duration::from_secs(60);

    fn client_of(pty: &Pty) -> File {
        let mut client = OpenOptions::new();
        let client = client.read(true).write(true).open(pty.path());
        client.expect("opened")
    }

    /// The system has told that the first one has gone, and before anybody looked the second
    /// one had come: what it does not say is waited for, and keeps nobody else waiting.
    #[test]
    fn a_client_that_comes_before_the_last_one_was_seen_to_go_is_waited_for() {
        let (done, ended) = mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async {
                let pty = Pty::open(115_200).expect("a terminal");
                drop(client_of(&pty));
                let gone = pty.fd.ready(Interest::READABLE).await.expect("told");
                assert!(gone.ready().is_read_closed());
                drop(gone);
                let mut second = client_of(&pty);
                second.write_all(&[7]).expect("written");
                let mut buffer = [0; 8];
                assert_eq!(pty.read(&mut buffer).await.expect("there"), 1);
                tokio::select! {
                    biased;
                    read = pty.read(&mut buffer) => panic!("nobody sent {read:?}"),
                    () = tokio::task::yield_now() => {}
                }
                loop {
                    tokio::select! {
                        biased;
                        written = pty.write(&[1; 4096]) => assert!(written.expect("open") > 0),
                        () = tokio::task::yield_now() => break,
                    }
                }
                drop(second);
                assert_eq!(pty.read(&mut buffer).await.expect("gone"), 0);
            });
            done.send(()).expect("awaited");
        });
        ended.recv_timeout(HANGS).expect("it hangs");
    }

    /// A client that reads nothing and goes must not keep the board for ever.
    #[tokio::test]
    async fn what_a_client_that_has_gone_did_not_read_is_not_waited_for() {
        let pty = Pty::open(115_200).expect("a terminal");
        let client = client_of(&pty);
        loop {
            tokio::select! {
                biased;
                written = pty.write(&[1; 4096]) => assert!(written.expect("it is open") > 0),
                () = tokio::task::yield_now() => break,
            }
        }
        drop(client);
        // The system may have made some room meanwhile; it does not for ever.
        let refused = async { while pty.write(&[1; 4096]).await.is_ok() {} };
        let refused = tokio::time::timeout(HANGS, refused).await;
        assert!(refused.is_ok(), "it hangs");
    }
}

//! Ends a process whose tests hang, so that they fail. Other crates' tests use it, too.

use std::io::Write as _;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Much longer than all tests of a process take.
const LIMIT: Duration = Duration::from_secs(180);

/// Tests begin in the order of their names, and this module's name is the first. The thread that it
/// leaves behind ends with the process.
#[test]
fn a_hang_ends_the_process() {
    let (watching, begins) = channel();
    std::thread::spawn(move || {
        watching.send(()).expect("the test waits");
        std::thread::sleep(LIMIT);
        // A macro's output would be captured, and lost.
        let _ = writeln!(std::io::stderr(), "the tests do not end within {LIMIT:?}");
        std::process::abort();
    });
    assert_eq!(begins.recv_timeout(LIMIT), Ok(()), "somebody watches");
}

//! Passes the revision of the sources and the version of the compiler to the program.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let revision = revision().unwrap_or_else(|| "unknown".into());
    println!("cargo:rustc-env=LOCKSTEP_REVISION={revision}");
    let compiler = compiler().unwrap_or_else(|| "unknown".into());
    println!("cargo:rustc-env=LOCKSTEP_RUSTC={compiler}");
}

/// Version of the compiler, without its name.
fn compiler() -> Option<String> {
    let rustc = std::env::var_os("RUSTC")?;
    let output = Command::new(rustc).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.trim().strip_prefix("rustc ")?;
    output.status.success().then(|| version.to_owned())
}

/// The commit that is checked out; `None` if these sources are not a clone.
///
/// An unpacked archive is not a clone, even if it lies inside the clone of another repository.
fn revision() -> Option<String> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let root = Path::new(&manifest).ancestors().nth(2)?;
    let git = |arguments: &[&str]| -> Option<String> {
        let git = Command::new("git")
            .current_dir(root)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .args(arguments)
            .output();
        let output = git.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    // Both change with every commit that is made or checked out.
    for name in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(&["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

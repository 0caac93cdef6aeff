//! Which instruction set the engine runs on.

use std::fmt;
use std::str::FromStr;

/// An implementation of the engine; all give the same decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// AVX-512 F, VL, BW, CD and VPOPCNTDQ, with BMI1, BMI2, LZCNT and POPCNT.
    Avx512,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// No instruction-set requirement.
    Portable,
}

impl Path {
    /// All paths, fastest first.
    pub const ALL: [Path; 3] = [Path::Avx512, Path::Avx2, Path::Portable];

    /// The fastest path this machine can run.
    pub fn best() -> Path {
        for path in Path::ALL {
            if path.available() {
                return path;
            }
        }
        Path::Portable
    }

    /// Whether this machine can run the path.
    pub fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => {
                Path::Avx2.available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Path::Avx512 | Path::Avx2 => false,
            Path::Portable => true,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Path::Avx512 => "avx512",
            Path::Avx2 => "avx2",
            Path::Portable => "portable",
        })
    }
}

/// A path that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// There is none of that name.
    #[error("there is no path '{0}'; there are avx512, avx2 and portable")]
    Unknown(String),
    /// It needs another processor.
    #[error("this machine lacks the instructions of {0}")]
    Unavailable(Path),
}

impl Path {
    /// The path of that name, if this machine can run it.
    ///
    /// # Errors
    /// When there is no such path, or not on this machine.
    pub fn named(name: &str) -> Result<Self, PathError> {
        let path: Self = name.parse()?;
        match path.available() {
            true => Ok(path),
            false => Err(PathError::Unavailable(path)),
        }
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let named = Path::ALL.into_iter().find(|path| path.to_string() == text);
        named.ok_or_else(|| PathError::Unknown(text.into()))
    }
}

//! The instruction sets that the engine can use.

use std::fmt;

use super::core::EngineError;

/// A variant of the engine for one instruction set; all make the same decisions.
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
        let mut paths = Path::ALL.into_iter();
        paths
            .find(|path| path.available())
            .unwrap_or(Path::Portable)
    }

    /// The path called `name`.
    ///
    /// # Errors
    /// When no path has the name, or this machine cannot run it.
    pub fn named(name: &str) -> Result<Self, EngineError> {
        let path = Path::ALL.into_iter().find(|path| path.to_string() == name);
        let path = path.ok_or_else(|| EngineError::UnknownPath(name.into()))?;
        match path.available() {
            true => Ok(path),
            false => Err(EngineError::Path(path)),
        }
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

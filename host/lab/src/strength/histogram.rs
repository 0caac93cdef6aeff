//! How the lines of many games are spread.

/// Most bins a histogram has.
const BINS: u128 = 12;

/// How many games lie where: bins of equal, round width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// From the lowest to the highest that holds a game, none left out.
    pub bins: Vec<Bin>,
}

/// One bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// Least number of lines that counts here.
    pub low: u64,
    /// Most lines that count here.
    pub high: u64,
    /// Games.
    pub games: u64,
}

impl Histogram {
    /// Counts games by their lines.
    pub fn of(lines: &[u64]) -> Self {
        let (Some(&least), Some(&most)) = (lines.iter().min(), lines.iter().max()) else {
            return Self { bins: Vec::new() };
        };
        let (least, most) = (u128::from(least), u128::from(most));
        let width = width(least, most);
        let first = least / width;
        let bin = |index: u128| Bin {
            low: narrow(index * width),
            high: narrow((index + 1) * width - 1),
            games: 0,
        };
        let mut bins: Vec<Bin> = (first..=most / width).map(bin).collect();
        for &lines in lines {
            bins[(u128::from(lines) / width - first) as usize].games += 1;
        }
        Self { bins }
    }
}

/// The least of 1, 2, 5, 10, 20, 50… that makes no more than [`BINS`] bins.
fn width(least: u128, most: u128) -> u128 {
    let mut power = 1;
    loop {
        for step in [1, 2, 5] {
            let width = step * power;
            if most / width - least / width < BINS {
                return width;
            }
        }
        power *= 10;
    }
}

/// The last bin may end beyond all numbers of lines there are.
fn narrow(lines: u128) -> u64 {
    u64::try_from(lines).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(lines: &[u64]) -> Vec<(u64, u64, u64)> {
        let bins = Histogram::of(lines).bins.into_iter();
        bins.map(|b| (b.low, b.high, b.games)).collect()
    }

    #[test]
    fn a_game_on_an_edge_belongs_to_the_bin_it_begins() {
        let lines = [0, 99, 100, 199, 200, 1_150];
        let mut expected: Vec<_> = (0..12).map(|i| (i * 100, i * 100 + 99, 0)).collect();
        (expected[0].2, expected[1].2) = (2, 2);
        (expected[2].2, expected[11].2) = (1, 1);
        assert_eq!(bins(&lines), expected);
        // One line more and twelve bins of 100 do not do.
        assert_eq!(bins(&[0, 1_200])[0], (0, 199, 1));
    }

    #[test]
    fn equal_games_are_one_bar() {
        assert_eq!(bins(&[0; 5]), [(0, 0, 5)]);
        assert_eq!(bins(&[417; 3]), [(417, 417, 3)]);
        assert_eq!(bins(&[417]), [(417, 417, 1)]);
        assert_eq!(bins(&[]), []);
    }

    #[test]
    fn few_lines_are_counted_one_by_one() {
        assert_eq!(bins(&[3, 5, 5]), [(3, 3, 1), (4, 4, 0), (5, 5, 2)]);
    }

    #[test]
    fn no_number_is_too_large() {
        let bins = bins(&[0, u64::MAX]);
        assert_eq!(bins.last().map(|b| (b.1, b.2)), Some((u64::MAX, 1)));
        assert!(bins.len() <= 12, "{bins:?}");
        assert_eq!(Histogram::of(&[u64::MAX]).bins.len(), 1);
    }

    #[test]
    fn every_game_is_counted_once_in_some_twelve_bins() {
        for most in 1..3_000 {
            let lines = [0, most / 2, most, most];
            let found = bins(&lines);
            assert!((2..=12).contains(&found.len()), "{most}: {found:?}");
            assert_eq!(found.iter().map(|b| b.2).sum::<u64>(), 4, "{most}");
            // Fewer than twelve only where 2.5 times as many are too many.
            assert!(most < 12 || found.len() >= 5, "{most}: {found:?}");
        }
    }
}

//! A scene on its way into the pixel clock's domain: `scene_sender` and `scene_receiver`.

use sim::Bits;

use super::picture::{any_panel, packed};
use crate::{Failure, Trial};

/// Bits of the sender's scene, and cycles of half a bit.
const BITS: u64 = 20;
const HALF: u64 = 4;

/// `scene_sender`: asked at any time, also while it sends.
pub fn sender(trial: &mut Trial) -> Result<(), Failure> {
    // Cycles since the scene was loaded, and its bits.
    let mut sending: Option<(u64, Vec<bool>)> = None;
    // The level of `ask_i` in the last cycles, the latest first.
    let mut asked = [false; 3];
    let (mut bit, mut strobe) = (false, false);
    for _ in 0..6_000 {
        if trial.random.below(500) == 0 {
            trial.power_up_reset()?;
            trial.put("ask_i", false);
            (sending, asked, bit, strobe) = (None, [false; 3], false, false);
        }
        let is_asked = asked[1] != asked[2];
        trial.expect("load_o", is_asked && sending.is_none())?;
        let since = sending.as_ref().map(|(since, _)| *since);
        let is_first = since.is_some_and(|since| since % (2 * HALF) == 1);
        trial.expect("next_o", is_first)?;
        trial.expect("bit_o", bit)?;
        trial.expect("strobe_o", strobe)?;
        match &sending {
            Some((since, bits)) if is_first => {
                let next = bits[(since / (2 * HALF)) as usize];
                trial.put("bit_i", next);
                bit = next;
            }
            _ => trial.garbage("bit_i"),
        }
        if since.is_some_and(|since| since % (2 * HALF) == HALF + 1) {
            strobe = !strobe;
        }
        let change = trial.random.chance(1);
        asked = [asked[0] != change, asked[0], asked[1]];
        trial.put("ask_i", asked[0]);
        if is_asked && sending.is_none() {
            let bits = (0..BITS).map(|_| trial.random.chance(50)).collect();
            sending = Some((0, bits));
        }
        trial.clock()?;
        if let Some((since, _)) = &mut sending {
            *since += 1;
            if *since == 2 * HALF * BITS + 1 {
                sending = None;
            }
        }
    }
    Ok(())
}

/// Cells of the receiver's board.
const CELLS: usize = 6;

/// A scene's bits, in the order in which they are sent.
fn bits_of(cells: &[u8], panel: &Bits) -> Vec<bool> {
    let cells = cells.iter().flat_map(|cell| [cell & 2 != 0, cell & 1 != 0]);
    let panel = (0..82).rev().map(|bit| panel.slice(bit, 1) == 1);
    cells.chain(panel).collect()
}

/// `scene_receiver`: whole scenes, some with bits too many, and some that are cut.
pub fn receiver(trial: &mut Trial) -> Result<(), Failure> {
    let (mut ask, mut strobe, mut is_shown) = (false, false, false);
    trial.put("strobe_i", false);
    trial.put("bit_i", false);
    for _ in 0..40 {
        if trial.random.chance(15) {
            strobe = false;
            trial.put("strobe_i", false);
            trial.clocks(3)?;
            trial.reset()?;
            (ask, is_shown) = (false, false);
        }
        trial.put("en_i", false);
        trial.put("blank_i", true);
        trial.clock()?;
        trial.expect("ask_o", ask)?;
        trial.put("en_i", true);
        trial.clock()?;
        ask = !ask;
        trial.expect("ask_o", ask)?;
        trial.put("blank_i", false);
        let cells: Vec<u8> = (0..CELLS).map(|_| trial.random.below(4) as u8).collect();
        let panel = packed(&any_panel(trial));
        let bits = bits_of(&cells, &panel);
        let is_cut = trial.random.chance(20);
        let sent = if is_cut {
            trial.random.index(bits.len())
        } else {
            bits.len()
        };
        for (place, bit) in bits[..sent].iter().enumerate() {
            let shows = is_shown || place + 1 == bits.len();
            send(trial, *bit, &mut strobe, [is_shown, shows])?;
            is_shown = shows;
        }
        if is_cut {
            continue;
        }
        while trial.random.chance(50) {
            let bit = trial.random.chance(50);
            send(trial, bit, &mut strobe, [true; 2])?;
        }
        trial.same("the panel", &trial.bits("panel_o"), &panel)?;
        for _ in 0..2 * CELLS {
            let addr = trial.random.index(CELLS);
            trial.put("cell_addr_i", addr as u64);
            trial.put("en_i", true);
            trial.clock()?;
            trial.expect("cell_o", u64::from(cells[addr]))?;
            trial.garbage("cell_addr_i");
            trial.put("en_i", false);
            trial.clock()?;
            trial.expect("cell_o", u64::from(cells[addr]))?;
        }
    }
    Ok(())
}

/// A bit, steady for three cycles before its strobe and three cycles after it, when it is taken.
///
/// `shown_o` before that and after.
fn send(trial: &mut Trial, bit: bool, strobe: &mut bool, shown: [bool; 2]) -> Result<(), Failure> {
    trial.put("bit_i", bit);
    let wait = |trial: &mut Trial, after: bool| {
        for cycle in 1..=trial.random.between(3, 5) {
            trial.garbage("en_i");
            trial.clock()?;
            trial.expect("shown_o", shown[usize::from(after && cycle >= 3)])?;
        }
        Ok(())
    };
    wait(trial, false)?;
    *strobe = !*strobe;
    trial.put("strobe_i", *strobe);
    wait(trial, true)
}

use super::*;

/// Sixteen clock cycles a bit.
const BIT: Time = 16 * CLOCK;

fn wave(symbols: &[Symbol]) -> Wave {
    let mut wave = Wave::new(true);
    wave.hold(true, BIT);
    for symbol in symbols {
        wave.send(*symbol, BIT);
    }
    wave.hold(true, 12 * BIT);
    wave
}

fn events(symbols: &[Symbol]) -> Vec<Event> {
    let events = receive(&wave(symbols), BIT);
    events.into_iter().map(|events| events.event).collect()
}

/// Pulses between two clock edges are not sampled.
#[test]
fn wave_clocked_samples_level_at_clock_edges() {
    let mut wave = Wave::new(true);
    for (level, quarters) in [(true, 5), (false, 3), (true, 1), (false, 2), (true, 9)] {
        wave.hold(level, quarters * CLOCK / 4);
    }
    // High until 1¼, low until 2, high until 2¼, low until 2¾, high until 5.
    assert_eq!(wave.clocked(), [(true, 5)]);
    wave.flip(CLOCK / 2, CLOCK);
    assert_eq!(wave.clocked(), [(true, 1), (false, 1), (true, 3)]);
}

#[test]
fn wave_flipped_twice_is_unchanged() {
    let wave = wave(&[Symbol::Byte(0x53)]);
    let mut turned = wave.clone();
    turned.flip(5 * BIT, BIT / 3);
    assert_ne!(turned, wave);
    turned.flip(5 * BIT, BIT / 3);
    assert_eq!(turned, wave);
}

/// After the line was high for a byte, events are no longer unsure.
#[test]
fn receive_event_within_clock_cycle_is_unsure() {
    let again = [Symbol::High(12 * BIT), Symbol::Byte(7)];
    let after = |symbols: &[Symbol]| events(&[symbols, &again].concat());
    let sure = Event::Byte(7, true);
    let open = [
        // About half a start bit.
        vec![Symbol::Low(BIT / 2 - CLOCK / 2)],
        // The end of the stop bit's sample.
        vec![Symbol::Low(19 * BIT / 2 + CLOCK / 2)],
        // Seen or not, and a start bit after it.
        vec![Symbol::Low(CLOCK / 2), Symbol::High(CLOCK), Symbol::Byte(9)],
        // The end of a break, or none.
        vec![
            Symbol::Damaged(9, 2 * BIT),
            Symbol::High(CLOCK / 2),
            Symbol::Low(BIT),
        ],
        vec![Symbol::Low(17 * BIT)],
    ];
    for symbols in open {
        let events = after(&symbols);
        assert!(events.contains(&Event::Unsure), "{symbols:x?}: {events:x?}");
        assert_eq!(events.last(), Some(&sure), "{symbols:x?}");
    }
    let none: [&[Symbol]; 3] = [
        &[Symbol::Low(CLOCK / 2)],
        &[Symbol::Low(BIT / 2 - CLOCK)],
        &[
            Symbol::Low(2 * CLOCK),
            Symbol::High(CLOCK),
            Symbol::Low(2 * CLOCK),
        ],
    ];
    for symbols in none {
        assert_eq!(after(symbols), [sure], "{symbols:x?}");
    }
    assert_eq!(
        after(&[Symbol::Low(2 * BIT)]),
        [Event::Byte(0xfe, true), sure]
    );
    let broken = [Event::Byte(0, false), Event::Break, sure];
    assert_eq!(after(&[Symbol::Low(18 * BIT)]), broken);
}

/// Three clock cycles of 72 and of 80.
#[test]
fn margins_of_eight_clock_cycles_per_bit() {
    assert_eq!(margins_ppm(8 * CLOCK), [41_666, 37_500]);
}

use super::*;

/// Changes of VGA's pins: two pictures and a bit, a pixel every `halves` halves of a clock cycle.
fn vga(halves: u64, pins: impl Fn(u32, u32) -> u32) -> Vec<Video> {
    let lines = (0..1_100_u32).flat_map(|y| (0..800_u32).map(move |x| (x, y % 525)));
    let times = (0..).step_by(usize::try_from(halves).expect("few"));
    let all = times.zip(lines);
    all.map(|(time, (x, y))| Video {
        time,
        pins: pins(x, y),
    })
    .collect()
}

/// The signal of the mode, lines and columns from the beginning of the sync pulses; the colour of a
/// visible pixel depends on its place.
fn proper(x: u32, y: u32) -> u32 {
    let visible = (144..784).contains(&x) && (35..515).contains(&y);
    let colour = if visible { (x - 144) * 7 + (y - 35) } else { 0 };
    u32::from(x >= 96) | u32::from(y >= 2) << 1 | (colour & 0xfff) << 2
}

fn shown(clock_hz: u32, halves: u64, pins: impl Fn(u32, u32) -> u32) -> Result<Frame, String> {
    let mut monitor = Monitor::new(Connector::Vga, clock_hz);
    let seen = monitor.see(&vga(halves, pins)).pop();
    seen.expect("a picture or a reason")
        .map_err(|e| e.to_string())
}

#[test]
fn vga_of_both_rates_is_shown() {
    for (clock_hz, halves) in [(100_000_000, 8), (25_000_000, 2), (25_175_000, 2)] {
        let frame = shown(clock_hz, halves, proper).expect("a picture");
        assert_eq!(frame.pixels.len(), WIDTH * HEIGHT);
        let (x, y) = (321, 123);
        let colour = x * 7 + y;
        let expected = [8, 4, 0].map(|low| (colour >> low & 0xf) as u8 * 0x11);
        assert_eq!(frame.pixels[WIDTH * y + x], expected);
    }
}

#[test]
fn vga_out_of_mode_is_refused() {
    type Pins = fn(u32, u32) -> u32;
    let wrong: [(&str, Pins); 5] = [
        ("HSYNC is low for 95", |x, y| {
            proper(x, y) | u32::from(x >= 95)
        }),
        ("HSYNC is low for 704", |x, y| proper(x, y) ^ 1),
        ("VSYNC is low for 3", |x, y| {
            proper(x, y) & !(u32::from(y < 3) << 1)
        }),
        ("is not black", |x, y| {
            proper(x, y) | u32::from(x == 143) << 2
        }),
        ("VSYNC changes 7 pixels", |x, y| {
            proper(x, y) & !2
                | u32::from((7..807).contains(&(800 * y + x).wrapping_sub(800)) || y > 1) << 1
        }),
    ];
    for (why, pins) in wrong {
        let error = shown(25_000_000, 2, pins).expect_err("no picture");
        assert!(error.contains(why), "{error}");
    }
    let error = shown(27_000_000, 2, proper).expect_err("no picture");
    assert!(error.contains("27000000 pixels a second"), "{error}");
}

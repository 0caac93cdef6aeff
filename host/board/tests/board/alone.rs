//! A board without a server: its thread, its line, its pace.

use bytes::Bytes;
use lockstep_board::{Pace, Power, Progress, VirtualBoard};
use protocol::Decoder;
use protocol::layout::{link as layout, tetris};
use protocol::payload::link::{Buttons, Info, Stats};

use crate::support::{BAUD, block_on, frame, ping, pong, power, set_rate};

async fn start() -> VirtualBoard {
    VirtualBoard::start(power()).await.expect("a board")
}

/// The progress once the model sleeps.
async fn asleep(board: &VirtualBoard) -> Progress {
    let mut progress = board.watch();
    let asleep = progress.wait_for(|now| now.asleep).await;
    *asleep.expect("the board runs")
}

fn send(board: &mut VirtualBoard, bytes: Vec<u8>) {
    board.send(Bytes::from(bytes));
}

/// The bytes up to the end of a frame.
async fn receive(board: &mut VirtualBoard) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&0) {
        bytes.extend(board.receive().await.expect("the board runs"));
    }
    bytes
}

/// The payload of the next frame with this sequence number and type.
async fn reply(board: &mut VirtualBoard, seq: u16, kind: u8) -> Vec<u8> {
    let mut decoder = Decoder::new();
    loop {
        for byte in board.receive().await.expect("the board runs") {
            if let Some(Ok(frame)) = decoder.push(byte)
                && (frame.seq, frame.kind) == (seq, kind)
            {
                return frame.payload.to_vec();
            }
        }
    }
}

/// The reply to a request without a payload.
async fn ask(board: &mut VirtualBoard, request: u8) -> Vec<u8> {
    send(board, [&[0], &frame(9, request, &[])[..]].concat());
    reply(board, 9, request | 0x80).await
}

/// `set_rate` requests change the core's rate, the board's `set_rate` the adapter's.
#[test]
fn board_core_and_adapter_have_own_rates() {
    block_on(async {
        let mut board = start().await;
        send(&mut board, set_rate(1, 12_000_000));
        assert!(receive(&mut board).await.ends_with(&[0]));
        // The core has another rate than the adapter.
        send(&mut board, ping(2, 3));
        let slept = asleep(&board).await;
        assert_eq!(slept.framing_errors, 0, "the core has sent something");
        // The adapter's bytes were a break at the core's rate, which reset it to the base rate.
        send(&mut board, ping(3, 3));
        assert_eq!(receive(&mut board).await, pong(3, 3));
        send(&mut board, set_rate(4, 12_000_000));
        receive(&mut board).await;
        board.set_rate(12_000_000);
        send(&mut board, ping(5, 3));
        assert_eq!(receive(&mut board).await, pong(5, 3));
    });
}

#[test]
fn board_rate_applies_after_queued_bytes() {
    block_on(async {
        let mut board = start().await;
        send(&mut board, ping(1, 1));
        for rate in [0, 49, u32::MAX] {
            board.set_rate(rate);
        }
        assert_eq!(receive(&mut board).await, pong(1, 1));
        send(&mut board, ping(2, 2));
        board.set_rate(BAUD / 4);
        send(&mut board, ping(3, 3));
        board.set_rate(BAUD);
        // The second reply arrives while the adapter is slow, and cannot be distinguished from the
        // following bytes. The third request is garbage to the core.
        send(&mut board, [&[0], &ping(4, 4)[..]].concat());
        let stats = ask(&mut board, layout::STATS.id).await;
        let stats = Stats::decode(&stats).expect("statistics");
        assert_eq!(stats.frames_good, 4);
        assert!(stats.malformed > 0, "{stats:?}");
        assert!(board.progress().framing_errors > 0);
    });
}

#[test]
fn board_reset_clears_statistics_and_power_cycle_changes_build() {
    block_on(async {
        let mut board = start().await;
        for frames in 1..3 {
            let stats = ask(&mut board, layout::STATS.id).await;
            assert_eq!(
                Stats::decode(&stats).expect("statistics").frames_good,
                frames
            );
        }
        board.reset();
        let stats = ask(&mut board, layout::STATS.id).await;
        assert_eq!(Stats::decode(&stats).expect("statistics").frames_good, 1);

        let designed = power().variant.build_id;
        let build = |info: Vec<u8>| Info::decode(&info).expect("info").build_id;
        assert_eq!(build(ask(&mut board, layout::INFO.id).await), designed);
        let before = asleep(&board).await.cycles;
        board.power_cycle(designed + 1);
        assert_eq!(build(ask(&mut board, layout::INFO.id).await), designed + 1);
        assert!(board.progress().cycles > before, "cycles are all cycles");
    });
}

/// Each press counts once, also while bytes come and go; the counts outlive a `reset` request.
#[test]
fn board_counts_presses() {
    block_on(async {
        let power = Power {
            variant: &sim::boards()[0],
            baud: layout::BASE_BAUD,
            ..power()
        };
        let mut board = VirtualBoard::start(power).await.expect("a board");
        let info = Info::decode(&ask(&mut board, layout::INFO.id).await).expect("info");
        assert!(info.has(layout::HAS_BUTTONS));
        for (pressed, counts) in [
            (&[0, 0, 3][..], [2, 0, 0, 1, 0, 0]),
            (&[4], [2, 0, 0, 1, 1, 0]),
        ] {
            for button in pressed {
                board.buttons().press(*button);
            }
            asleep(&board).await;
            ask(&mut board, layout::RESET.id).await;
            let buttons = ask(&mut board, layout::BUTTONS.id).await;
            assert_eq!(Buttons::decode(&buttons), Ok(Buttons { presses: counts }));
        }
        board.reset();
        let buttons = ask(&mut board, layout::BUTTONS.id).await;
        assert_eq!(Buttons::decode(&buttons), Ok(Buttons::default()));
    });
}

#[test]
fn board_drops_bytes_and_replies_of_last_client() {
    block_on(async {
        let mut board = start().await;
        send(&mut board, ping(1, 1));
        asleep(&board).await;
        for seq in 0..8 {
            send(&mut board, ping(seq, 2));
        }
        board.change_client();
        send(&mut board, [&[0], &ping(3, 3)[..]].concat());
        assert_eq!(receive(&mut board).await, pong(3, 3));
        let slept = asleep(&board).await;
        let given = 10 * ping(1, 1).len() as u64 + 1;
        assert_eq!((slept.done, board.backlog()), (given, 0), "dropped is done");
    });
}

/// The caller receives only when the backlog is full.
#[test]
fn board_keeps_output_until_received() {
    block_on(async {
        let mut board = start().await;
        let mut expected = Vec::new();
        let mut outputs = 0;
        for seq in 0..100 {
            while board.backlog() > 240 {
                if expected.is_empty() {
                    // All replies have arrived; the progress will follow.
                    std::thread::yield_now();
                    continue;
                }
                let received = board.receive().await.expect("the board runs");
                assert!(expected.starts_with(&received), "{received:?}");
                expected.drain(..received.len());
                outputs += 1;
            }
            send(&mut board, ping(seq, 1));
            expected.extend(pong(seq, 1));
        }
        assert!(outputs > 0, "there is room for everything");
        while !expected.is_empty() {
            let received = board.receive().await.expect("the board runs");
            assert!(expected.starts_with(&received), "{received:?}");
            expected.drain(..received.len());
        }
    });
}

/// The line is silent for three million clock cycles, at a raised rate.
#[test]
fn board_long_silent_work_is_simulated_to_its_answer() {
    const PIECES: u32 = 14_000;
    block_on(async {
        let mut board = start().await;
        send(&mut board, set_rate(1, 12_000_000));
        receive(&mut board).await;
        board.set_rate(12_000_000);
        // Weights of zero put each piece at the left, and games are short.
        send(&mut board, frame(2, tetris::SET_WEIGHTS.id, &[0; 56]));
        reply(&mut board, 2, tetris::SET_WEIGHTS_REPLY.id).await;
        let before = asleep(&board).await.cycles;
        let mut payload = [0; 50];
        payload[25] = 1;
        payload[26..30].copy_from_slice(&PIECES.to_le_bytes());
        payload[30..34].copy_from_slice(&u32::MAX.to_le_bytes());
        send(&mut board, frame(3, tetris::SELF_PLAY.id, &payload));
        let end = reply(&mut board, 3, tetris::SELF_PLAYED.id).await;
        assert_eq!(end[2..6], PIECES.to_le_bytes());
        let passed = board.progress().cycles - before;
        assert!(passed > 3_000_000, "{passed} cycles");
        send(&mut board, ping(4, 4));
        assert_eq!(receive(&mut board).await, pong(4, 4));
    });
}

#[test]
fn board_real_pace_never_runs_ahead_of_clock() {
    block_on(async {
        let begun = std::time::Instant::now();
        let real = Power {
            pace: Pace::Real,
            ..power()
        };
        let mut board = VirtualBoard::start(real).await.expect("a board");
        let mut progress = board.watch();
        for least in [1, 300_000] {
            let passed = progress.wait_for(|now| now.cycles > least).await;
            let cycles = passed.expect("the board runs").cycles;
            let elapsed = begun.elapsed().as_nanos() / 10;
            assert!(
                u128::from(cycles) <= elapsed + 8,
                "{cycles} cycles too early"
            );
        }
        send(&mut board, ping(1, 1));
        assert_eq!(receive(&mut board).await, pong(1, 1));
        assert!(!board.progress().asleep);
    });
}

#[test]
fn board_adapter_keeps_rate_over_clients_and_power_cycles() {
    block_on(async {
        let mut board = start().await;
        board.set_rate(BAUD / 4);
        // The second rate waits for bytes that are dropped with their client.
        send(&mut board, [0x55; 200].to_vec());
        board.set_rate(BAUD);
        board.change_client();
        send(&mut board, [&[0], &ping(1, 1)[..]].concat());
        assert_eq!(receive(&mut board).await, pong(1, 1));

        board.set_rate(BAUD / 4);
        send(&mut board, vec![0]);
        let given = 200 + 1 + ping(1, 1).len() as u64 + 1;
        let passed = |now: &Progress| now.asleep && now.done == given;
        let mut progress = board.watch();
        progress.wait_for(passed).await.expect("the board runs");
        board.power_cycle(1);
        // The core is back at its base rate and gets garbage.
        send(&mut board, ping(2, 2));
        board.set_rate(BAUD);
        let stats = ask(&mut board, layout::STATS.id).await;
        let stats = Stats::decode(&stats).expect("statistics");
        assert_eq!(stats.frames_good, 1);
    });
}

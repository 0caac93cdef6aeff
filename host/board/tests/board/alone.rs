//! A board without a server: its thread, its line, its time.

use bytes::Bytes;
use lockstep_board::{BoardError, Pace, Power, Progress, VirtualBoard};
use protocol::Decoder;
use protocol::layout::{link as layout, tetris};
use protocol::payload::link::{Info, Stats};
use sim::SimError;

use crate::support::{BAUD, block_on, frame, ping, pong, power, set_rate};

async fn start() -> VirtualBoard {
    VirtualBoard::start(power()).await.expect("a board")
}

fn send(board: &mut VirtualBoard, bytes: Vec<u8>) {
    board.send(Bytes::from(bytes));
}

/// All that comes until a frame has ended.
async fn receive(board: &mut VirtualBoard) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&0) {
        bytes.extend(board.receive().await.expect("it goes on"));
    }
    bytes
}

/// The payload of the next frame of that sequence number and type.
async fn reply(board: &mut VirtualBoard, seq: u16, kind: u8) -> Vec<u8> {
    let mut decoder = Decoder::new();
    loop {
        for byte in board.receive().await.expect("it goes on") {
            if let Some(Ok(frame)) = decoder.push(byte)
                && (frame.seq, frame.kind) == (seq, kind)
            {
                return frame.payload.to_vec();
            }
        }
    }
}

/// The reply to something that is asked without a payload.
async fn ask(board: &mut VirtualBoard, request: u8) -> Vec<u8> {
    send(board, [&[0], &frame(9, request, &[])[..]].concat());
    reply(board, 9, request | 0x80).await
}

/// Then it sleeps, and knows what it did.
#[test]
fn what_is_asked_is_answered_byte_for_byte() {
    block_on(async {
        let mut board = start().await;
        assert_eq!(board.backlog(), 0);
        for seq in 1..4 {
            send(&mut board, ping(seq, 77));
            assert_eq!(receive(&mut board).await, pong(seq, 77));
        }
        let slept = board.asleep().await.expect("it goes on");
        assert_eq!(slept.done, 3 * ping(1, 77).len() as u64);
        assert_eq!((slept.framing_errors, board.backlog()), (0, 0));
        // Nothing passes while it sleeps, and it wakes.
        assert_eq!(board.asleep().await.expect("it goes on"), slept);
        send(&mut board, ping(4, 5));
        assert_eq!(receive(&mut board).await, pong(4, 5));
    });
}

/// The core follows what it is asked by `set_rate`, the adapter what it is told:
/// only where both have the same rate are there frames.
#[test]
fn both_ends_of_the_line_have_rates_of_their_own() {
    block_on(async {
        let mut board = start().await;
        send(&mut board, set_rate(1, 12_000_000));
        assert!(receive(&mut board).await.ends_with(&[0]));
        // The core has another rate now, the adapter not.
        send(&mut board, ping(2, 3));
        let heard = board.asleep().await.expect("it goes on");
        assert_eq!(heard.framing_errors, 0, "it said something");
        // What the adapter sent was a break at the core's rate: it is back.
        send(&mut board, ping(3, 3));
        assert_eq!(receive(&mut board).await, pong(3, 3));
        send(&mut board, set_rate(4, 12_000_000));
        receive(&mut board).await;
        board.set_rate(12_000_000);
        send(&mut board, ping(5, 3));
        assert_eq!(receive(&mut board).await, pong(5, 3));
    });
}

/// A rate holds for what is sent after it, not for what is still on its way; one
/// that no adapter has changes nothing.
#[test]
fn a_rate_waits_its_turn() {
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
        // The answer to the second one comes while the adapter is slow, and is not
        // known from what follows. The third one is nothing the core understands.
        send(&mut board, [&[0], &ping(4, 4)[..]].concat());
        let stats = ask(&mut board, layout::STATS.id).await;
        let stats = Stats::decode(&stats).expect("statistics");
        assert_eq!(stats.frames_good, 4);
        assert!(stats.malformed > 0, "{stats:?}");
        assert!(board.progress().framing_errors > 0);
    });
}

#[test]
fn a_reset_button_zeroes_the_statistics_and_a_power_cycle_brings_another_build() {
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
        let before = board.asleep().await.expect("it goes on").cycles;
        board.power_cycle(designed + 1);
        assert_eq!(build(ask(&mut board, layout::INFO.id).await), designed + 1);
        assert!(board.progress().cycles > before, "cycles are all cycles");
    });
}

/// What one client left is not sent, and what was answered to it is not given to
/// the next one.
#[test]
fn clients_have_nothing_to_do_with_each_other() {
    block_on(async {
        let mut board = start().await;
        send(&mut board, ping(1, 1));
        board.asleep().await.expect("it goes on");
        for seq in 0..8 {
            send(&mut board, ping(seq, 2));
        }
        board.change_client();
        send(&mut board, [&[0], &ping(3, 3)[..]].concat());
        assert_eq!(receive(&mut board).await, pong(3, 3));
        let slept = board.asleep().await.expect("it goes on");
        let given = 10 * ping(1, 1).len() as u64 + 1;
        assert_eq!((slept.done, board.backlog()), (given, 0), "dropped is done");
    });
}

/// What the core sends waits to be fetched, and nothing is lost: whoever fetches it
/// only when there is no room to send may go on for ever.
#[test]
fn what_nobody_fetches_waits() {
    block_on(async {
        let mut board = start().await;
        let mut expected = Vec::new();
        let mut fetched = 0;
        for seq in 0..100 {
            while board.backlog() > 240 {
                if expected.is_empty() {
                    // All was answered, and will be said to have left.
                    std::thread::yield_now();
                    continue;
                }
                let heard = board.receive().await.expect("it goes on");
                assert!(expected.starts_with(&heard), "{heard:?}");
                expected.drain(..heard.len());
                fetched += 1;
            }
            send(&mut board, ping(seq, 1));
            expected.extend(pong(seq, 1));
        }
        assert!(fetched > 0, "there is room for everything");
        while !expected.is_empty() {
            let heard = board.receive().await.expect("it goes on");
            assert!(expected.starts_with(&heard), "{heard:?}");
            expected.drain(..heard.len());
        }
    });
}

/// Three million clock cycles in which nothing is on the line, at a raised rate.
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
        let before = board.asleep().await.expect("it goes on").cycles;
        let mut payload = [0; 49];
        payload[25..29].copy_from_slice(&PIECES.to_le_bytes());
        payload[29..33].copy_from_slice(&u32::MAX.to_le_bytes());
        send(&mut board, frame(3, tetris::SELF_PLAY.id, &payload));
        let end = reply(&mut board, 3, tetris::SELF_PLAYED.id).await;
        assert_eq!(end[2..6], PIECES.to_le_bytes());
        let passed = board.progress().cycles - before;
        assert!(passed > 3_000_000, "{passed} cycles");
        send(&mut board, ping(4, 4));
        assert_eq!(receive(&mut board).await, pong(4, 4));
    });
}

/// Time passes without being asked for, but never ahead of the wall clock.
#[test]
fn at_real_pace_time_passes_as_it_does() {
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
            let cycles = passed.expect("it goes on").cycles;
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
fn a_rate_that_the_core_cannot_have_is_refused() {
    for baud in [0, 299, 12_500_001] {
        let power = Power { baud, ..power() };
        let error = block_on(VirtualBoard::start(power)).err().expect("refused");
        assert!(
            matches!(error, BoardError::Model(SimError::Baud { .. })),
            "{error}"
        );
    }
}

/// The adapter is set to a rate, whoever is there and whatever the board does.
#[test]
fn the_adapter_keeps_its_rate() {
    block_on(async {
        let mut board = start().await;
        board.set_rate(BAUD / 4);
        // It waits for bytes that are dropped with their client.
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
        progress.wait_for(passed).await.expect("it goes on");
        board.power_cycle(1);
        // The core is back at its own, and does not understand this.
        send(&mut board, ping(2, 2));
        board.set_rate(BAUD);
        let stats = ask(&mut board, layout::STATS.id).await;
        let stats = Stats::decode(&stats).expect("statistics");
        assert_eq!(stats.frames_good, 1);
    });
}

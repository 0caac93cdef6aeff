"""The proofs of the RTL, which formal.py runs."""

import typing

# How a job is proved.
#   pdr: for ever, ABC finds the invariants (property directed reachability)
#   induction: for ever, by induction over k cycles; the invariants are among the assertions
#   bmc: in the first depth cycles after a reset
#   comb: no registers, so one cycle is all there is
ENGINES = {"comb": "abc bmc3", "pdr": "abc pdr", "induction": "abc bmc3", "bmc": "abc bmc3"}


class Job(typing.NamedTuple):
    name: str
    proves: str
    mode: str
    depth: int  # cycles of bmc and of the induction's base; covers have 3 more
    faults: tuple[str, ...]  # it has to fail on
    quick: bool = False
    top: str = ""  # module in rtl/formal/; else <name>_proof
    k: int = 1  # of the induction
    prepare: str = ""  # commands of ABC before its engine
    reach: int = 0  # of the covers, if that is more
    # Files of the design and those in rtl/formal/ that are read in their place
    instead: tuple[tuple[str, str], ...] = ()


JOBS = [
    Job("stream_buffer", "FIFO of two: nothing lost, doubled or out of order; ready and valid "
        "whenever there is room or an item", "pdr", 10,
        ("buffer-overwritten", "buffer-out-of-order", "buffer-second-survives-reset"), quick=True),
    Job("reply_buffer",
        "replies leave as they came, headers and bytes, none lost, doubled or out of order; room "
        "and offers as said; empty when as many left as came (4 words for 128)",
        "pdr", 10, ("replies-overwritten", "reply-words-skipped", "part-mark-lost",
        "empty-reply-has-bytes", "replies-empty-while-offered"), quick=True),
    Job("tetris_heights",
        "column heights and the stack's are as the board has them",
        "induction", 6, ("upper-half-low", "stack-without-last-column"), quick=True, k=3),
    Job("tetris_enum",
        "every candidate that fits once, in order, numbered from 0; no other; the "
        "count right",
        "pdr", 50, ("last-column-skipped", "first-column-skipped",
        "fourth-rotation-lost", "count-one-too-few")),
    Job("tetris_drop",
        "on any board: overlaps nothing, nor on its way down from above; rests on "
        "the floor or a filled cell; legal exactly when all cells are on the board; "
        "where the scan begins",
        "induction", 6, ("top-row-lost", "flat-bottom", "fourth-column-falls", "scan-from-piece",
        "scan-one-row-more")),
    Job("tetris_drop_order",
        "placements in the order of their candidates, none lost or doubled, none "
        "stuck",
        "pdr", 8, ("drop-never-waits",), quick=True),
    Job("tetris_best",
        "the answer arrived, and nothing that arrived is better, in any order of "
        "arrival; of equals the first; zeros without a legal one; done after the "
        "last",
        "induction", 6, ("tie-order-reversed", "near-ties", "illegal-may-win",
        "best-of-two-ago", "best-kept"), quick=True),
    Job("tetris_row_step",
        "by induction over the rows of any board: what each row adds to the "
        "features of its columns (transitions, holes, hole depth, cumulative wells, "
        "well sums, heights, bumpiness, differences) is what the definitions say; a "
        "full row changes nothing",
        "comb", 2, ("well-at-wall", "cleared-row-covers", "well-depth-saturates",
        "columns-count-to-fifteen", "floor-empty")),
    Job("tetris_eval",
        "the 14 features are an empty board's and the sums of what the rows add; "
        "rows cleared and eroded cells by their definitions",
        "induction", 5, ("landing-height-off-by-one", "full-row-transitions",
        "eroded-not-multiplied", "four-cells-are-none", "stale-run", "differences-of-three",
        "odd-holes-only", "long-columns-weigh-less", "full-row-in-wells",
        "hole-depth-seven-bits")),
    Job("tetris_rows",
        "each placement's rows from the top one down to 0, once, in order, merged with the board "
        "and marked; of an illegal one a single row; placements in order, none lost or doubled, "
        "no deadlock except while held; last rows at least the pace apart (4 cycles)",
        "induction", 16, ("fourth-row-lost", "pace-too-fast", "first-row-waits", "hold-ignored"),
        quick=True),
    Job("tetris_board",
        "from any board, any legal placement: the piece's cells are put, every full row goes, the "
        "others stay in their order; the cycles it takes; loads, clears and takes",
        "induction", 3, ("put-all-on-one-row", "put-without-top-row", "put-overwrites-row",
        "full-rows-kept", "rows-below-fall-too", "full-rows-of-before-kept",
        "top-row-doubled"), reach=20),
    Job("tetris_play",
        "a game asks for its pieces in order (memory or generator as stubs), one by one and no "
        "more; each decision signed, counted and put once; moves in order, none lost; checkpoints "
        "after every spacing; it ends after the last piece, a lost game that was given or a stop; "
        "sums; no deadlock (8 pieces for 160, 4 moves for 64; board and generator are stubs)",
        "induction", 3, ("pieces-swapped-in-byte", "pieces-of-next-game", "board-kept-at-game-over",
        "game-goes-on-when-lost", "checkpoint-missed-at-game-over",
        "checkpoints-one-more-apart", "play-not-cancelled", "moves-overrun",
        "lost-signed-as-a-move", "tally-of-scores-unsigned", "tally-without-lost",
        "tally-of-games-8-bits"),
        reach=60, instead=(("ai/tetris/tetris_board.sv", "tetris_board_stub.sv"),
        ("play/draw_sign.sv", "draw_sign_stub.sv"))),
    Job("tetris_landing_queue",
        "landings leave as they came, those that came together by lane, none lost, doubled or out "
        "of order; left exactly with the last of them; offered whenever one is inside (4 lanes, 8 "
        "steps for 16 to 64)",
        "induction", 6, ("lanes-queue-counts-twice", "lanes-highest-lane-first",
        "lanes-left-with-each", "lanes-queue-passes-waiting"), quick=True, reach=14),
    Job("tetris_lanes_best",
        "one answer for each board, in order, once all of it and its removals came, in 17 cycles "
        "then; it came for the board, from a lane or after removal, and nothing that came is "
        "better; of equals the lowest {rotation, column}; zeros without a legal one; with a board "
        "alone or several under way (4 lanes; 4 boards for 15)",
        "induction", 3, ("lanes-removals-not-awaited", "lanes-best-of-two-boards",
        "lanes-last-column-of-equals", "lanes-removal-passes-waiting"), reach=14),
    Job("tetris_steps",
        "after a start every placement of the piece that fits is given once, in a lane that takes "
        "its column, and no other one is; one at least in each cycle; the end with the last ones "
        "(1, 2, 4 and 8 lanes)",
        "pdr", 40, ("lanes-shared-step-left", "lanes-first-step-twice"), reach=40),
    Job("tetris_lane_side",
        "beside a piece, on any column: new well cells of the run that reaches below, what all new "
        "ones add to the cumulative wells and what the runs that begin there add to the well sums, "
        "row by row; the floor of a run",
        "comb", 2, ("lanes-side-counts-three", "lanes-side-sums-of-two", "lanes-floor-one-low"),
        quick=True),
    Job("tetris_context_pairs",
        "any differences of columns: sums of their sizes left and right of each column, which of "
        "-2 .. 2 occur there, diversity, pair by pair",
        "induction", 4, ("lanes-pairs-of-next-group",), k=2),
    Job("tetris_context_wells",
        "after the scan of any board, with anything in the registers before: each column's topmost "
        "well cell, its three topmost ones above the column's top, the distances of the near ones "
        "and the number of the far ones; the empty cells of each row, and how many rows below "
        "have no hole (one scan, two rows a cycle; heights and rows with holes as the definitions "
        "say)",
        "bmc", 17, ("lanes-well-above-two", "lanes-open-wells-repeat",
        "lanes-clean-rows-of-upper")),
    Job("tetris_context_sums",
        "two cycles after any group of rows the features are the sums of what the groups since the "
        "first gave, a cycle after it which rows have a hole; no sum is too narrow (two rows a "
        "cycle; what the groups give: any, with the sizes that boards have)",
        "induction", 3, ("lanes-floor-with-each-group", "lanes-sums-of-board-before",
        "lanes-eight-well-cells-lost"), reach=15),
    Job("tetris_lane_columns",
        "any placement on any board without rows removed: where it lands and whether it is legal; "
        "landing height, and the differences of column transitions, holes, hole depth, aggregate "
        "height and max height, cell by cell in each column of the piece (one placement through "
        "the lane's pipeline; heights and buried columns as the definitions say)",
        "bmc", 12, ("lanes-peak-ignores-third", "lanes-legal-row-short",
        "lanes-hole-depth-old-only", "lanes-highest-stays")),
    Job("tetris_lane_surface",
        "any placement on any heights: bumpiness and diversity are put together from the context's "
        "pairs left and right of the piece and the piece's own steps (one placement through the "
        "lane's pipeline)",
        "bmc", 12, ("lanes-right-step-turned", "lanes-left-step-at-wall")),
    Job("tetris_lane_wells",
        "any placement on any board without rows removed: the differences of cumulative wells and "
        "well sums, row by row and run by run in each column of the piece and beside it (one "
        "placement through the lane's pipeline; heights and the context's well cells as the "
        "definitions say)",
        "bmc", 12, ("lanes-product-without-four", "lanes-far-wells-once",
        "lanes-two-wells-lost-as-one")),
    Job("tetris_lane_rows",
        "any placement on any board: whether it fills a row or one was full; without rows removed, "
        "the difference of row transitions, and which rows have a new hole and how many of them "
        "had none, row by row (one placement through the lane's pipeline; the context as the "
        "definitions say)",
        "bmc", 12, ("lanes-removes-by-two-bits", "lanes-right-wall-empty",
        "lanes-clean-rows-of-lowest")),
    Job("tetris_maker",
        "from any board, full rows on it or not, any legal placement: the piece's cells are put, "
        "every full row goes, the others stay in their order; rows removed and eroded cells; "
        "offered n + 3 cycles after it was taken, with n rows removed, and held; the next one "
        "taken in the cycle after, or in the same (takes early); resets at any time",
        "induction", 3, ("lanes-maker-top-row-stays", "lanes-maker-remembers",
        "lanes-maker-bottom-row-erodes"), reach=12),
    Job("tetris_removals",
        "of every landing that is marked a board is offered, features are completed and a score is "
        "given, once each, in order, those that came together by lane: the board of its slot, its "
        "landing height, rows cleared and eroded cells, its placement with the score; the board n "
        "+ 4 cycles after the landing came or the one before was taken, with n rows removed, the "
        "score 6 after the features; left exactly with the last of those that came together; at "
        "most 4 boards wait for their features (4 lanes, 4 steps for 16 to 64; maker a stub: any "
        "rows removed; the score itself not looked at)",
        "induction", 3, ("lanes-made-counted-while-offered", "lanes-removal-height-of-row",
        "lanes-removal-row-of-next", "lanes-eroded-lost", "lanes-later-of-equals",
        "lanes-queue-passes-waiting"), reach=24,
        instead=(("ai/tetris/lanes/tetris_maker.sv", "tetris_maker_stub.sv"),)),
    Job("tetris_lane_score",
        "the score is the exact sum of weight times feature, for any weights and any features of 12 "
        "bits, by partial products of the weights' low and high parts (each of these is "
        "Yosys's own); no sum is too narrow, with bounds for each; 5 cycles after the features; "
        "the weights are those of the cycle before, and passed on a cycle later",
        "induction", 3, ("lanes-weight-low-short", "lanes-weight-high-unsigned",
        "lanes-last-feature-lost"), reach=9),
    Job("tetris_games",
        "boards are offered game after game, each once the game's last piece was put on it, and as "
        "it was left then, or as given at a start; the n-th decision goes to the game of the n-th "
        "board taken; results in order, unchanged; the piece that came with the board is put on "
        "that game's board, or the board is emptied; rows read out game after game; no deadlock; "
        "idle and deciding as said (any number of games up to 4, for 16; maker a stub: any boards)",
        "induction", 3, ("games-turn-not-around", "games-offered-early", "games-lost-board-kept",
        "games-put-on-next-board", "games-rows-nineteen", "games-board-of-start-kept",
        "games-busy-without-take"), reach=34,
        instead=(("ai/tetris/lanes/tetris_maker.sv", "tetris_maker_stub.sv"),)),
    Job("tetris_lookahead",
        "the answer is the best first placement by the definition, or without one that survives the "
        "one without lookahead: survivors, sums of one or seven pieces with what the first move "
        "adds (products as in `tetris_lane_score`), equal ones by {rotation, column}; its score the "
        "mean, rounded down; given once every landed one had its bests, within 60 cycles; starts at "
        "any time (lanes not there: bests at any time)",
        "induction", 3, ("lanes-survivors-ignored", "lanes-first-move-once",
        "lanes-mean-rounded-up", "lanes-plain-not-kept"), reach=32),
    Job("draw_sign",
        "what is drawn and what is signed are what SplitMix64 and the signature are, products by "
        "their digits; numbers come in order, none lost or doubled, at most 12 cycles after the "
        "request; a value changes the signature alone, in 4 cycles",
        "induction", 3, ("generator-step", "generator-second-factor", "draw-shift-one-less",
        "draw-second-shift", "product-carry-lost", "sign-shift-one-more", "value-seven-bits",
        "draw-of-eight"),
        reach=60),
    Job("tetris_reader",
        "every request, one at a time and no stream, gets one reply, header and bytes, as "
        "docs/wire.md says; the next is taken when it is over; what is offered is held; the "
        "payload read from its slot, none beyond its length; the AI core (a stub: any answers) "
        "gets one request for each decide, in order, with its board and piece and the weights set "
        "last, its answer taken with the last byte; cycles to the header; resets at any time",
        "induction", 12, ("piece-low-nibble", "next-piece-seven-bits", "weights-survive-reset",
        "weights-unasked", "refused-in-other-order", "weights-stand-still", "score-without-sign",
        "header-not-held", "payload-one-short", "payload-from-slot-0"),
        reach=125, instead=(("ai/tetris/tetris_ai.sv", "tetris_ai_stub.sv"),
        ("board_reader/tetris_play.sv", "tetris_play_stub.sv"))),
    Job("tetris_reader_streams",
        "requests at any time, of every kind, each read while the one before is served, in order, "
        "each byte once, from its slot, weights and what a self_play draws from once nobody needs "
        "the old ones; each gets its replies in order, from its own payload: parts numbered "
        "without a gap, each placement, move and checkpoint (AI core, game: any) sent once, in "
        "order, or dropped for a cancel; the end after them, with their number, whether it was "
        "cancelled, sums and the CRC of the board's rows; refusals; a game begun with its own "
        "board, pieces and draws; no deadlock; resets at any time",
        "induction", 12, ("weights-loaded-early", "load-released-early", "cancel-unheard",
        "cancelled-with-decision", "parts-from-one", "part-number-kept", "part-as-reply",
        "cut-kept", "lines-of-traces", "play-of-161", "play-bad-piece-above",
        "play-bad-piece-behind", "play-bad-piece-remembered", "play-pieces-from-fourth",
        "spacing-zero", "part-of-thirty-one", "board-crc-of-nineteen", "board-crc-goes-on",
        "placement-score-without-sign", "placement-well-sums-eight-bits", "moves-behind-last"),
        reach=290, instead=(("ai/tetris/tetris_ai.sv", "tetris_ai_stub_streams.sv"),
        ("board_reader/tetris_play.sv", "tetris_play_stub_streams.sv"))),
    Job("connect4_win",
        "four in a row exactly where a row, a column or a diagonal has four cells, by each of its "
        "lines, on any board",
        "comb", 2, ("connect4-diagonal-lost", "connect4-three-in-a-row",
        "connect4-top-row-never-wins"), quick=True),
    Job("connect4_search",
        "a search leaves board, score and side as it found them, at each level, by induction over "
        "the levels: from any legal position, with any weights and windows, a cancel at any time; "
        "a stone falls to the lowest free cell and counts what its cell is worth; no more than 41 "
        "frames on the stack; stones and cycles counted one by one in all 64 bits",
        "induction", 4, ("connect4-score-not-taken-back", "connect4-stone-not-taken-back",
        "connect4-frame-of-before", "connect4-score-not-turned", "connect4-score-unsigned",
        "connect4-trace-deeper-than-cells", "connect4-nodes-16-bits", "connect4-cycles-18-bits"),
        reach=90),
    Job("connect4_reader",
        "every request gets one reply, a refusal or a stream, in order, from its own payload, and "
        "nothing is sent otherwise; each read while the one before is served, weights once nobody "
        "needs the old ones; the core (a stub: any progress) gets one request, with its position "
        "and the weights set last; parts numbered without a gap, the first at once, one for each "
        "depth and interval with room, a trace's columns in order; the end after them; no deadlock; "
        "cancels and resets at any time (interval of 6 cycles)",
        "induction", 12, ("connect4-floating-stone", "connect4-stone-above-the-board",
        "connect4-over-before-board", "connect4-depth-of-43", "connect4-search-unset",
        "connect4-weights-while-searching", "connect4-first-part-waits",
        "connect4-parts-without-room", "connect4-parts-without-end", "connect4-part-overwritten",
        "connect4-candidates-lost", "connect4-cancelled-trace-told", "connect4-trace-unasked",
        "weights-survive-reset", "part-number-kept", "connect4-interval-stops"),
        reach=170, instead=(("ai/connect4/connect4_search.sv", "connect4_search_stub.sv"),)),
    Job("gomoku_fives",
        "five in a row exactly where a row, a column or a diagonal has five stones of the colour or "
        "more, by each five points, at each edge, on any board",
        "comb", 2, ("gomoku-four-wins", "gomoku-six-is-no-five"), quick=True),
    Job("gomoku_runs",
        "on any line each run of each colour where it begins, in the class of its length and its "
        "empty ends",
        "comb", 2, ("gomoku-four-wins", "gomoku-edge-is-open", "gomoku-six-is-no-five"),
        quick=True),
    Job("gomoku_shapes",
        "the shape of every point of any line is that of the definition, by filling its cells",
        "comb", 2, ("gomoku-fifth-cell-blocked", "gomoku-stones-on-their-own",
        "gomoku-open-ends-once", "gomoku-broken-pair-lost"), quick=True),
    Job("gomoku_lines",
        "make and unmake on a line, any of them: cells, keys of the points and counts of the "
        "classes in its word are those of the stones put and not taken back since a clear, and what "
        "an operation reports (counts before and after, keys' changes, flags, fives, line) is what "
        "the definitions say; operations follow each other as they may",
        "induction", 4, ("gomoku-stone-of-both-kept", "gomoku-counts-of-scores-kept",
        "gomoku-line-of-before", "gomoku-keys-without-other", "gomoku-key-of-stone-changes"),
        reach=24),
    Job("gomoku_maps",
        "any point is a candidate exactly if the flags reported last of its four lines say so: it is "
        "alive in some direction, and it has a FOUR or a FIVE in some direction if that is asked "
        "for; its key is the sum of the changes reported of its lines; nothing else changes it; "
        "clears at any time (any reports, as gomoku_board makes them)",
        "induction", 4, ("gomoku-key-without-rising", "gomoku-five-on-rising-unblocked",
        "gomoku-four-in-row-lost", "gomoku-candidates-stay"), reach=8),
    Job("gomoku_board",
        "after any operations the totals by class and colour are the sums of the lines' counts, and "
        "a score or a look changes none; a stone put and taken back leaves every total as it was, by "
        "induction over the stones put after it; counts, FIVEs, OPEN4s, runs and looks in their cycle "
        "and as long as said; each line asked is one of the point, at its place, and the maps are "
        "told what it reports; a kill forgets what is under way; the cells of an empty board (lines "
        "and maps are stubs: any answers)",
        "induction", 4, ("gomoku-counts-of-lines-four-bits", "gomoku-five-elsewhere-lost",
        "gomoku-threats-of-colour-zero", "gomoku-five-forgotten",
        "gomoku-open-four-in-row-lost", "gomoku-diagonals-too-long"), reach=32,
        instead=(("ai/gomoku/gomoku_lines.sv", "gomoku_lines_stub.sv"),
        ("ai/gomoku/gomoku_maps.sv", "gomoku_maps_stub.sv"))),
    Job("gomoku_search",
        "stones are put and taken back in turn: what is taken is what was put last, of its side; a "
        "node is searched with the stones that lead to it and no other; none is left at the end; no "
        "more than 23 frames on the stack, none taken from an empty one; a cancel at any time ends "
        "it in two cycles; board and pick are asked as they may be (board, pick, node are stubs: any "
        "answers)",
        "induction", 4, ("gomoku-next-taken", "gomoku-last-put-taken", "gomoku-ended-entered",
        "gomoku-cancel-in-play-unheard"), reach=130,
        instead=(("ai/gomoku/gomoku_board.sv", "gomoku_board_stub.sv"),
        ("ai/gomoku/gomoku_pick.sv", "gomoku_pick_stub.sv"),
        ("ai/gomoku/gomoku_node.sv", "gomoku_node_stub.sv"))),
    Job("gomoku_node",
        "the frame that a node is left with is the one it has again when its child is left (bounds, "
        "best value, candidates left, picked and next), and its stone; ply, root and horizon; no "
        "block forced after the last ply",
        "induction", 4, ("gomoku-frame-of-before", "gomoku-picked-of-child",
        "gomoku-pushed-left", "gomoku-depth-one-more"), reach=20),
    Job("request_loader",
        "each byte of a payload read once, in order, in its slot, none beyond its length nor "
        "while it is held; those kept are those that came; ready, loaded and released as said; "
        "resets at any time (4 bytes kept)",
        "induction", 8, ("loader-one-byte-short", "loader-hold-too-late", "loader-slot-kept",
        "loader-bytes-survive-reset", "loader-index-kept"), quick=True, reach=16),
    Job("reply_sender",
        "a reply's header with its number, then its bytes in order, each fetched once, the last "
        "one marked; a refusal's code and request; parts numbered from 0 on in each stream; ended "
        "with its last byte; resets at any time",
        "induction", 8, ("sender-part-as-reply", "sender-parts-go-on", "sender-refusal-turned",
        "sender-refusal-as-long", "sender-fourth-byte-late", "sender-fetches-refusal",
        "sender-survives-reset", "part-number-low-byte"), quick=True, reach=16),
    Job("request_mem",
        "what is written is what a read of that byte gives two cycles later (8 bytes for 512)",
        "induction", 8, ("slots-overlap",), quick=True),
    Job("request_queue",
        "no request lost or doubled, in order; refused as busy exactly without a "
        "slot; dropped only when full, and counted; resets; slots within the window "
        "and apart; credits and cancels reported (depth 4 for 16)",
        "induction", 16, ("queue-of-fifteen", "window-of-three", "slot-freed-twice",
        "busy-forgotten", "overrun-uncounted", "slots-survive-reset", "request-survives-reset",
        "reset-of-any-length", "credit-with-payload", "cancelling-for-ever",
        "cancel-of-refused"), quick=True),
    Job("command",
        "every reply in its turn: a request of the link, or one it refuses, after all before it or "
        "between the parts of the only one left, a cancel after all; the game's in the order of "
        "its requests, each with its own sequence number, parts with credit; two given to the game "
        "at most; what may leave does, within 16 cycles; resets at any time",
        "induction", 20, ("own-reply-early", "own-reply-between-decisions",
        "cancel-answered-early", "refused-cancel-waits", "refused-waits", "refused-overtakes",
        "cancel-between-decisions", "game-given-three", "second-sequence-lost",
        "reply-before-first-part", "stream-survives-reset", "credit-unneeded", "credit-kept",
        "part-with-credit-free", "loaded-request-blocks-parts"), quick=True, k=16),
    Job("cobs_decoder",
        "decodes as docs/wire.md says, from any bytes; in its reset state after "
        "every delimiter; no more bytes out than in",
        "induction", 8, ("error-sticky", "damaged-end-good", "damaged-byte-good", "group-past-end",
        "idle-line-counts", "group-kept"), quick=True),
    Job("cobs",
        "what cobs_encoder makes of frames of one to four bytes, with any pauses on both sides, "
        "cobs_decoder gives back; two bytes more on the line",
        "bmc", 16, ("encoder-does-not-wait",)),
    Job("frame_rx",
        "one verdict a frame, as in docs/wire.md (7 to 127 bytes, CRC); in its reset state after "
        "every delimiter; bytes written in order, inside the slot that was free",
        "induction", 12, ("crc-unchecked", "crc-half-checked", "too-short-accepted",
        "slot-chosen-early", "unstored-written", "too-long-accepted"), quick=True),
    Job("uart",
        "at 8 clocks a bit what uart_tx sends uart_rx receives: any byte, once, undamaged, with "
        "any pauses",
        "bmc", 105, ("no-stop-bit", "sampled-at-the-edge")),
    Job("uart_rate",
        "another rate holds from the end of a set_rate's reply on, until a break or a hold without "
        "a good frame and without anything to answer; a reply dropped or met by such an end changes "
        "nothing; the receiver has the rate from the reply's delimiter on (hold of 8 cycles)",
        "induction", 16, ("rate-survives-break", "rate-forgotten", "rate-kept",
        "base-rate-break-ignored", "receiver-switches-late", "hold-one-too-short",
        "good-frame-too-late", "rate-lost-at-work", "silence-uncounted", "rate-abort-ignored",
        "rate-abort-as-sent", "rate-survives-pin"), quick=True, reach=30),
    Job("uart_glitch",
        "at 8 clocks a bit low pulses shorter than half a bit, a bit apart, are not received",
        "pdr", 25, ("glitch-received",), quick=True),
    Job("debounce",
        "a button counts once it has been pressed for 5 cycles without a break, and only once until "
        "it has been released for as long; no shorter press or release does anything",
        "pdr", 20, ("debounce-short", "debounce-adds-up", "debounce-release",
        "debounce-unsynchronised"), quick=True),
    Job("video_timing",
        "of 640 x 480 and of a small picture: each line has its 800 pixels and each picture its 525 "
        "lines, sync pulses of their widths, low, porches and visible pixels at their places; VSYNC "
        "changes with an HSYNC; nothing changes between two pixels",
        "induction", 60, ("video-hsync-long", "video-vsync-early", "video-vsync-with-pixels",
        "video-line-short", "video-sync-positive", "video-last-line-dark",
        "video-pixel-each-cycle", "video-no-blank"), quick=True, reach=140),
    Job("tmds_encoder",
        "a byte's word decodes to it and has at most five transitions; ones and zeros sent since the "
        "last control word differ by at most ten; control words are those of DVI, and no byte's",
        "induction", 8, ("tmds-xor-of-four", "tmds-surplus-forgotten", "tmds-never-inverted",
        "tmds-surplus-kept", "tmds-control-swapped", "tmds-xnor-unmarked"), quick=True, k=3),
    Job("axil_regs",
        "AXI4-Lite as a subordinate has to keep it, with any master and any registers: what is "
        "offered is held; every write, its address and data in any order, and every read answered "
        "once, in order, with what the registers answered; no other answer; each offered to the "
        "registers once, with its own address, data and strobes",
        "induction", 8, ("write-without-data", "write-answer-overwritten",
        "write-answer-not-held", "write-data-used-twice", "write-address-lost",
        "write-refused-as-okay", "read-answer-overwritten", "read-answer-not-held"), quick=True),
]

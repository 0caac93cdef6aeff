"""Decides Tetris placements by landing height and holes: a backend for Lockstep.

lockstep play --controller lowest --backend software --backend "exec:python3 examples/tetris.py"
"""
import json, os, sys

# The rotations of each piece as rows of bits, bottom row first; bit c is column c.
PIECES = {
    "I": [[1, 1, 1, 1], [15]], "O": [[3, 3]], "S": [[3, 6], [2, 3, 1]], "Z": [[6, 3], [1, 3, 2]],
    "T": [[7, 2], [2, 3, 2], [2, 7], [1, 3, 1]], "J": [[7, 1], [3, 2, 2], [4, 7], [1, 1, 3]],
    "L": [[7, 4], [3, 1, 1], [1, 7], [2, 2, 3]],
}
if os.environ["LOCKSTEP_GAME"] != "tetris":
    sys.exit("this example plays Tetris alone")
weights = json.loads(os.environ["LOCKSTEP_CONTROLLER"]).get("weights", {})
if not weights or set(weights) - {"landing_height", "holes"}:
    sys.exit("this example knows the weights landing_height and holes alone")
# Scores are whole millionths; the landing height is doubled, so its weight is halved.
height, hole = round(weights.get("landing_height", 0) * 5e5), round(weights.get("holes", 0) * 1e6)

for line in sys.stdin:
    position = json.loads(line)
    board, best, best_score = position["board"], {"legal": False}, None
    columns = int(position.get("size", "10x20").split("x")[0])
    for rotation, shape in enumerate(PIECES[position["piece"]]):
        for column in range(columns + 1 - max(shape).bit_length()):
            piece, row = [bits << column for bits in shape], len(board)
            while row and not any(a & b for a, b in zip(board[row - 1:], piece)):
                row -= 1
            if row + len(piece) > len(board):
                continue
            placed = board[:]
            for at, bits in enumerate(piece, row):
                placed[at] |= bits
            left = [bits for bits in placed if bits + 1 != 1 << columns]
            above = empty = 0
            for bits in reversed(left):
                above |= bits
                empty += bin(above & ~bits).count("1")
            score = height * (2 * row + len(piece) - 1) + hole * empty
            if best_score is None or score > best_score:
                best, best_score = {"rotation": rotation, "column": column, "row": row,
                    "rows_cleared": len(board) - len(left), "score": score / 1e6}, score
    print(json.dumps(best), flush=True)

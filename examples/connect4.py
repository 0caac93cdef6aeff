"""Plays Connect Four: wins if it can, else prevents a win, else prefers the middle.

lockstep play --game connect4 --backend yellow=software \
              --backend "red=exec:python3 examples/connect4.py"
"""
import json, sys

LINES = (0, 1), (1, 0), (1, 1), (1, -1)


def wins(board, column, stone):
    """Whether a stone dropped there makes four in a row; the top row is row 0."""
    row = max(r for r in range(6) if board[r][column] == ".")
    filled = {(r, c) for r in range(6) for c in range(7) if board[r][c] == stone} | {(row, column)}
    return any({(r + k * dr, c + k * dc) for k in range(4)} <= filled
               for r, c in filled for dr, dc in LINES)


for line in sys.stdin:
    position = json.loads(line)
    board = position["board"]
    stones = "YR" if position["to_move"] == "yellow" else "RY"
    free = [column for column in (3, 2, 4, 1, 5, 0, 6) if board[0][column] == "."]
    threats = (column for stone in stones for column in free if wins(board, column, stone))
    print(json.dumps({"column": next(threats, free[0]), "value": 0}), flush=True)

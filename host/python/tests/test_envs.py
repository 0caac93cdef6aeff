"""The environments pass the checkers of their libraries."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import lockstep
from lockstep.envs import PIECES, StonesEnv, TetrisEnv


@pytest.mark.parametrize("board", ["10x20", "8x12"])
def test_tetris_passes_the_checker_of_gymnasium(board):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("lockstep/Tetris-v0", board=board, render_mode="ansi")
        check_env(env.unwrapped)


# It would have agents named player_0, advises against masks, and warns of the empty board.
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("game", ["connect4", "gomoku"])
def test_stones_pass_the_checker_of_pettingzoo(game):
    api_test(StonesEnv(game), num_cycles=200)
    seed_test(lambda: StonesEnv(game, opening=3), num_cycles=20)


def test_tetris_played_by_the_engine_clears_its_rows():
    env, engine, reward = TetrisEnv(), lockstep.open("engine", controller="dt-20"), 0
    observation, info = env.reset(seed=1)
    for _ in range(500):
        boards = (observation["board"].astype(np.uint16) << np.arange(10)).sum(1)[None].astype(np.uint16)
        found = engine.decide(boards, np.array([observation["piece"]], np.uint8))
        action = found["rotation"][0] * 10 + found["column"][0]
        assert info["action_mask"][action]
        observation, gained, lost, _, info = env.step(action)
        assert gained == found["rows_cleared"][0] and not lost
        reward += gained
    assert reward == info["score"] > 150


def test_tetris_action_that_is_not_legal_changes_nothing():
    env = TetrisEnv()
    before, info = env.reset(seed=3)
    illegal = np.flatnonzero(info["action_mask"] == 0)[0]
    after, reward, lost, _, _ = env.step(illegal)
    assert reward == -1 and not lost and (before["board"] == after["board"]).all()
    assert len(PIECES) == 7


def test_tetris_ends_when_no_placement_is_legal():
    env, lost = TetrisEnv(board="4x4"), False
    _, info = env.reset(seed=3)
    while not lost:
        assert info["action_mask"].any()
        _, _, lost, _, info = env.step(int(np.argmax(info["action_mask"])))
    assert not info["action_mask"].any()


def test_connect4_four_in_a_column_wins():
    env = StonesEnv("connect4")
    env.reset(seed=1)
    for action in [0, 1, 0, 1, 0, 1, 0]:
        masks = {agent: env.observe(agent)["action_mask"].any() for agent in env.agents}
        assert masks == {agent: agent == env.agent_selection for agent in env.agents}
        env.step(action)
    stones = {agent: env.observe(agent)["observation"].sum((0, 1)).tolist() for agent in env.agents}
    assert stones == {"yellow": [4, 3], "red": [3, 4]}, "own stones are the first plane"
    assert env.rewards == {"yellow": 1, "red": -1} and all(env.terminations.values())
    with pytest.raises(lockstep.Error, match="not legal"):
        env._game.play(0)

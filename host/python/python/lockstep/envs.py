"""Environments: Tetris for Gymnasium (`lockstep/Tetris-v0`), Connect Four and Gomoku for PettingZoo."""

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._lockstep import Game

PIECES = "IOTSZJL"


class TetrisEnv(gymnasium.Env):
    """Tetris by the rules of Lockstep: an action places the piece.

    Action `rotation * columns + column` (four rotations for every piece); `info["action_mask"]` says
    which are legal. The reward is the number of rows cleared. An action that is not legal changes
    nothing and has the reward -1. An episode ends when no placement is legal.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, board="10x20", piece_source="uniform", render_mode=None):
        self._setup = {"board": board, "piece_source": piece_source}
        columns, rows = (int(number) for number in board.split("x"))
        self.action_space = spaces.Discrete(4 * columns)
        self.observation_space = spaces.Dict(
            {"board": spaces.MultiBinary((rows, columns)), "piece": spaces.Discrete(len(PIECES))}
        )
        self.render_mode = render_mode
        self._columns = np.arange(columns, dtype=np.uint16)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._game = Game("tetris", int(self.np_random.integers(1 << 63)), setup=self._setup)
        return self._observation(), self._info()

    def step(self, action):
        score = self._game.score
        if self._game.legal[action]:
            self._game.play(int(action))
            reward = float(self._game.score - score)
        else:
            reward = -1.0
        info = self._info()
        return self._observation(), reward, not info["action_mask"].any(), False, info

    def render(self):
        rows = self._observation()["board"][::-1]
        return "\n".join("".join("#" if cell else "." for cell in row) for row in rows)

    def _observation(self):
        # Row 0 is the bottom row.
        cells = self._game.board[:, None] >> self._columns & 1
        piece = PIECES.index(self._game.position["piece"])
        return {"board": cells.astype(np.int8), "piece": np.int64(piece)}

    def _info(self):
        return {"action_mask": self._game.legal.astype(np.int8), "score": self._game.score}


class StonesEnv(AECEnv):
    """Connect Four (`connect4`) or Gomoku (`gomoku`): an action places a stone.

    The action is the column, in Gomoku the point `15 y + x`. The observation has two planes, own
    stones and those of the opponent. The winner's reward is 1, the loser's -1. `opening` stones are
    placed at random before the first move.
    """

    def __init__(self, game="connect4", opening=0, render_mode=None):
        self._name, self._setup = game, {"opening": opening}
        self.metadata = {"name": f"lockstep_{game}_v0", "render_modes": ["ansi"]}
        self.metadata["is_parallelizable"] = False
        self.render_mode = render_mode
        self.possible_agents = {"connect4": ["yellow", "red"], "gomoku": ["black", "white"]}[game]
        self._game = self._deal(1)
        actions, shape = len(self._game.legal), (*self._game.board.shape, 2)
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._game = self._deal(int(self._random.integers(1 << 63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._game.seat]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0
        self._game.play(int(action))
        outcome = self._game.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            for each in self.agents:
                self.rewards[each] = 0 if outcome == "draw" else 1 if each == outcome else -1
        self.agent_selection = self.possible_agents[self._game.seat]
        self._accumulate_rewards()

    def observe(self, agent):
        own = self.possible_agents.index(agent) + 1
        board, legal = self._game.board, self._game.legal
        planes = np.stack([board == own, board == 3 - own], axis=-1)
        is_to_move = agent == self.agent_selection
        mask = legal if is_to_move else np.zeros_like(legal)
        return {"observation": planes.astype(np.int8), "action_mask": mask.astype(np.int8)}

    def render(self):
        return "\n".join(self._game.position["board"])

    def close(self):
        pass

    def _deal(self, seed):
        return Game(self._name, seed, setup=self._setup)


gymnasium.register(id="lockstep/Tetris-v0", entry_point=TetrisEnv)

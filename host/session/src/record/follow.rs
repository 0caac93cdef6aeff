//! Checks a record against the game's rules.

use lockstep_games::{Match as _, Rules};

use super::{Entry, Head, outcome_name, seat_name};

/// Checks a record by the rules, decision by decision.
///
/// Games and moves must be numbered in order, every position must follow from the decision before
/// it, and random draws must come from the generator and the seed that the header names.
pub struct Follow<G: Rules> {
    head: Head<G>,
    /// Game and move of the entry before.
    last: Option<(u64, u64)>,
    /// The game in progress, if it is known how it was dealt.
    state: Option<G::Match>,
    /// The entry before, if it is not known how the game was dealt.
    before: Option<(G::Position, G::Decision)>,
    over: bool,
    games: u64,
}

impl<G: Rules> Follow<G> {
    /// A check of a record with that header, before its first entry.
    pub fn new(head: &Head<G>) -> Self {
        Self {
            head: head.clone(),
            last: None,
            state: None,
            before: None,
            over: false,
            games: 0,
        }
    }

    /// Games begun so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whether the game in progress is over by its rules.
    pub fn over(&self) -> bool {
        self.over
    }

    /// The game in progress; `None` if it is not known how it was dealt.
    pub fn state(&self) -> Option<&G::Match> {
        self.state.as_ref()
    }

    /// Returns the game in progress, as [`Self::state`].
    pub fn into_state(self) -> Option<G::Match> {
        self.state
    }

    /// Checks the next entry and plays its decision.
    ///
    /// # Errors
    /// When the entry does not follow from the entries before, or its decision is forbidden.
    pub fn entry(&mut self, entry: &Entry<G>) -> Result<(), String> {
        self.check(entry)?;
        self.play(entry)
    }

    /// As [`Self::entry`], without playing the decision.
    pub fn check(&mut self, entry: &Entry<G>) -> Result<(), String> {
        match self.last {
            Some((game, step)) if game == entry.game => self.next_move(step, entry)?,
            last => self.next_game(last.map_or(0, |(game, _)| game), entry)?,
        }
        self.last = Some((entry.game, entry.step));
        let seat = seat_name::<G>(&entry.position);
        match entry.seat.as_deref() == seat {
            true => Ok(()),
            false => Err(format!(
                "the seat to move is {}, and the line names {}",
                seat.unwrap_or("none"),
                entry.seat.as_deref().unwrap_or("none")
            )),
        }
    }

    fn next_move(&mut self, last: u64, entry: &Entry<G>) -> Result<(), String> {
        let Entry { game, step, .. } = *entry;
        if step != last + 1 {
            let expected = last + 1;
            return Err(format!(
                "move {step} of game {game}: expected move {expected}"
            ));
        }
        if self.over {
            return Err(format!(
                "move {step} of game {game}, which had ended before"
            ));
        }
        let follows = match (&self.state, &self.before) {
            (Some(state), _) => state.position() == entry.position,
            (None, Some((before, decision))) => {
                let follows = G::follows(before, decision, &entry.position);
                follows.map_err(|why| format!("the decision before it is forbidden: {why}"))?
            }
            (None, None) => true,
        };
        match follows {
            true => Ok(()),
            false => Err(format!(
                "the position does not follow from the decision before it{}",
                self.expected()
            )),
        }
    }

    /// The expected position, to be appended to a message.
    fn expected(&self) -> String {
        let position = self.state.as_ref().map(|state| state.position());
        let text = position.and_then(|position| serde_json::to_string(&position).ok());
        text.map_or(String::new(), |text| format!(": expected {text}"))
    }

    fn next_game(&mut self, last: u64, entry: &Entry<G>) -> Result<(), String> {
        let Entry { game, step, .. } = *entry;
        let origin = &self.head.origin;
        let excerpt = origin.excerpt.is_some();
        let later = (last + 1..game).find(|game| origin.holds(*game));
        let expected = later.unwrap_or(game.max(last + 1));
        if !origin.holds(game) {
            return Err(format!("game {game} is not of the shard of its header"));
        }
        if game < expected || game > expected && !excerpt {
            return Err(format!("game {game}: expected game {expected}"));
        }
        if step != 1 && !excerpt {
            return Err(format!(
                "game {game} begins with move {step}: expected move 1"
            ));
        }
        self.state = match self.head.dealt(game) {
            None => None,
            Some((setup, dealt)) => {
                let state = G::deal_at(setup, dealt - 1, step - 1, &entry.position);
                let begins = || G::deal(setup, dealt - 1).position() == entry.position;
                if state.is_none() || step == 1 && !begins() {
                    return Err(format!(
                        "expected a position that seed and generator deal at move {step} of game \
                         {game}"
                    ));
                }
                state
            }
        };
        self.before = None;
        self.over = false;
        self.games += 1;
        Ok(())
    }

    /// Plays the decision of the entry that was checked last.
    ///
    /// # Errors
    /// When the rules forbid it.
    pub fn play(&mut self, entry: &Entry<G>) -> Result<(), String> {
        let Some(state) = &mut self.state else {
            self.before = Some((entry.position.clone(), entry.decision.clone()));
            return Ok(());
        };
        let forbidden = |why: G::Error| format!("the decision is forbidden by the rules: {why}");
        self.over = !state.apply(&entry.decision).map_err(forbidden)?;
        let outcome = state.outcome().map(outcome_name::<G>);
        match entry.outcome.as_deref() == outcome {
            true => Ok(()),
            false => Err(format!(
                "by the rules the outcome is {}, and the line names {}",
                outcome.unwrap_or("open"),
                entry.outcome.as_deref().unwrap_or("none")
            )),
        }
    }
}

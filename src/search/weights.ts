/** Set by hand and checked on talk between people and on work with agents alike: they may be doubled or halved with little effect. */
export const weights = {
  /** How soon a repeated term stops to count more, and how much a long passage loses. */
  saturation: 0.8,
  lengthLoss: 0.7,
  /** Terms of neighbours against its own: the one before, the one before that, the one after. */
  previous: 0.6,
  beforePrevious: 0.3,
  next: 0.4,
  /** Of a neighbour only so many terms count. */
  neighbourTerms: 25,
  /** The length of neighbours beside its own, so that a short passage does not live off them. */
  neighbourLength: 2,
  /** Another ending, a compound, another spelling. */
  relative: 0.5,
  /** What was run or touched. */
  done: 0.5,
  /** Having all the words in a row, as they were asked for. */
  verbatim: 1,
  /** The session around it. */
  session: 0.2,
  /** The second best of the session for the best. */
  backing: 0.2,
  /** What is asked for by name is rather said by that person. */
  namedSpeaker: 1.8,
  /** People who talk to each other: who only asks does not answer. */
  asking: 0.4,
  /** Where no names stand before the words, what the human said against what was answered. */
  human: 1.8,
  /** A passage of the time that is asked for: as a factor, and without any of the words, as a share of the best score. */
  date: 0.8,
  dateAlone: 0.3,
  /** Naming a time where it is asked when. */
  time: 0.3,
  /** Being near in meaning, where there are vectors, as a share of the best score: more of it drowns the words. */
  similarity: 0.1,
  /** Being longer than twenty terms, per e-fold. */
  length: 0.1,
}

/**
 * Weights of ranking, set by hand and checked on conversations between people and on agent
 * sessions. Doubling or halving one has little effect.
 */
export const weights = {
  /** BM25: saturation of repeated terms (k1) and length normalisation (b). */
  saturation: 0.8,
  lengthLoss: 0.7,
  /** Weight of terms in the neighbours of a passage. */
  previous: 0.6,
  beforePrevious: 0.3,
  next: 0.4,
  afterNext: 0.2,
  /** Number of terms of a neighbour that count. */
  neighbourTerms: 25,
  /** Adds the length of neighbours, so that a short passage does not score by them alone. */
  neighbourLength: 2,
  /** A related term: another ending, a compound, another spelling. */
  relative: 0.5,
  /** Terms of tool inputs and paths. */
  done: 0.5,
  /** All query terms in a row, in the order of the query. */
  verbatim: 1,
  /** Score of the whole session. */
  session: 0.2,
  /** Score of the second best passage of the session, added to the best. */
  backing: 0.1,
  /** Spoken by a person whom the query names. */
  namedSpeaker: 1.8,
  /** The name itself as a term: it is in every passage that the person speaks or is spoken to. */
  speakerName: 0.8,
  /** Share that a passage of only questions keeps, in a conversation between people. */
  asking: 0.4,
  /** Spoken by the user, where speakers are not named. */
  human: 1.8,
  /** Time of the query: as a factor, and without matching terms, as a share of the best score. */
  date: 0.8,
  dateAlone: 0.3,
  /** Names a time where the query asks when. */
  time: 0.3,
  /** Vector similarity as a share of the best score; more of it would outweigh the words. */
  similarity: 0.1,
  /** Length of a passage, per e-fold. */
  length: 0.1,
}

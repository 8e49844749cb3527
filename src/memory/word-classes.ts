// Classes of English words that decide how a statement is read: what denies, what starts a clause,
// what says where and when, and what says nothing about the subject.
import { conceptOf } from '../text/synonyms.ts'

export function isDenial(word: string, next: string): boolean {
  // "Stop using npm" forbids, "stop the server" does not.
  return /^(?:stop|quit)$/.test(word) ? /ing$|^to$/.test(next) : denial.test(word)
}

const denial =
  /^(?:no|not|never|none|nothing|nobody|neither|nor|cannot|avoid|avoids|dont|forbid|forbids|forbidden|ban|bans|banned|disallow|disallows|disallowed|prohibit|prohibited|unsupported|\w+n't)$/

/** "It must not run" denies the clause; "use tabs not spaces" only what follows. */
export const auxiliary =
  /^(?:do|does|did|is|are|was|were|be|been|must|should|shall|can|could|may|might|will|would|have|has|had|need|needs|to|please|,|and|but|we|i|you|they|really|also|that|§.*)$/

/** A word that starts a new clause behind a comma or "and". */
export const clauseStart =
  /^(?:use|run|put|keep|write|add|make|do|we|you|i|it|they|always|instead|just|please|prefer|let|only|so|if|when|go|stick|switch|never|don't|avoid|stop|choose|pick|take|ask|deploy|commit|push|merge|install|call|store|log|the|our|this|that)$/

/** Words that turn the clause into its opposite, with their counterparts. */
export const opposites: ReadonlyMap<string, string> = new Map([
  ['disable', 'enable'],
  ['disables', 'enable'],
  ['disabled', 'enable'],
  ['exclude', 'include'],
  ['excludes', 'include'],
  ['excluded', 'include'],
  ['unsupported', 'support'],
  ['unused', 'used'],
  ['optional', 'required'],
  ['inactive', 'active'],
  ['deactivate', 'activate'],
  ['deactivated', 'activate'],
  ['private', 'public'],
  ['unnecessary', 'necessary'],
])

/** "You have to ask" names no direction. */
export const infinitive =
  /^(?:have|has|had|need|needs|needed|want|wants|ought|try|plan|plans|going|start|starting|supposed|allowed|able|required|necessary|used|free|how|what|ready)$/

export const prepositions = new Set(
  `about above across after against along around as at before behind below beneath beside between by during except for
  from if in inside into of off on onto over per since than through to toward towards under unless until upon via when
  whenever where while with within without`.split(/\s+/),
)
/** Prepositions that are part of what a rule says. */
export const conditionWords: ReadonlySet<string> = new Set([
  'before',
  'after',
  'without',
  'until',
  'unless',
  'except',
  'above',
  'below',
])
/** Prepositions with the same meaning. */
export const directions = new Map([
  ['into', 'to'],
  ['onto', 'to'],
  ['towards', 'to'],
  ['toward', 'to'],
  ['inside', 'in'],
  ['within', 'in'],
  ['via', 'with'],
  ['through', 'with'],
  ['while', 'when'],
  ['whenever', 'when'],
  ['if', 'when'],
])

/** Whether the word is the verb of a clause; nouns such as "builds" look like verbs. */
export function isVerb(word: string, previous: string): boolean {
  if (verbForm.test(word)) return true
  return previous === '' ? imperative.test(word) : beforeVerb.test(previous) && !beforeNoun.test(word)
}

const beforeVerb = /^(?:[,;:.!]|we|i|you|they|must|should|shall|to|always|never|not|please|don't|and)$/
const beforeNoun = /^(?:the|our|my|an?|all|every|each|this|that|we|i|you|they|in|on|for|at|when|if|before|after)$/
const imperative =
  /^(?:use|run|write|add|keep|put|store|log|indent|retry|answer|deploy|build|test|format|commit|push|merge|squash|rebase|open|review|ask|prefer|avoid|never|always|do|don't|make|check|call|install|import|start|stop|create|document|name|reply|respond|speak|cache|sort|send|read|tag|release|limit|set|wrap|mock|host|bundle|lint|publish|search)$/
const verbForm =
  /^(?:is|isn't|are|aren't|was|were|has|have|does|doesn't|do|don't|must|mustn't|should|shouldn't|shall|can|cannot|can't|will|won't|may|takes?|needs?|requires?|runs?|uses?|listens?|lives?|fails?|works?|costs?|supports?|stays?|goes|go|gets?|keeps?|writes?|reads?|stores?|owns?|handles?|belongs?|points?|serves?|breaks?|drops?|starts?|ends?|happens?|lasts?|expires?|follows?|reviews?|stands?|formats?|depends?|contains?|holds?|sits?|manages?|provides?|moved|switched|migrated|changed|replaced|went|became)$/

/** Light verbs, duties and fillers: they do not say what a rule is about. */
export const lightWords: ReadonlySet<string> = new Set(
  `acceptable allowed anymore anything available belong belongs become becomes being come comes currently done
  employ employs everything everywhere favor favour feel fine first free further gets goes going got happen
  happens having here i'd i'm instead it'll keep keeps kept kindly let like live lives longer mandatory migrated
  mind mostly moved necessary need needed needs occasionally often obligatory ok okay ones optional ought permitted
  please prefer preferred prefers put puts rather really remember require required requires reside resides
  simply sit sits something sometimes stay stays still store stored stores such supposed switched that's there
  thing things today us utilise utilize utilizes want wanted wants way we'll we've welcome whatever what's
  whenever would yes you'll you've`.split(/\s+/),
)

/** A rule for one of these says nothing about the others. */
export const environments: ReadonlySet<string> = new Set(
  'production staging development local ci qa sandbox preview canary test frontend backend'.split(' ').map(conceptOf),
)

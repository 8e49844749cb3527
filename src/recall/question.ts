// What a question asks for: why something happened, how it was fixed, what was decided, or anything
// else. It decides which sentences lead an answer.
import { askingWords } from '../text/asking-words.ts'
import { contentWords } from '../text/content-words.ts'
import { irregularForms } from '../text/irregular.ts'
import { stem } from '../text/stem.ts'
import { once } from './once.ts'

/**
 * A `topic` is a few words without a question. A `report` is long and asks nothing: a bug report or
 * the text of a task.
 */
export type QuestionIntent = 'cause' | 'fix' | 'decision' | 'state' | 'fact' | 'topic' | 'report'

export function intentOf(query: string): QuestionIntent {
  const asked = query.length <= maxQuestionLength ? query : query.match(/[^.?!\n]*\?/)?.[0]
  if (asked === undefined) return 'report'
  if (state.test(asked)) return 'state'
  if (decided.test(asked)) return 'decision'
  if (cause.test(asked)) return 'cause'
  if (fix.test(asked)) return 'fix'
  if (practice.test(asked)) return 'decision'
  if (symptom.test(asked)) return 'cause'
  return asks.test(asked) ? 'fact' : 'topic'
}

/** Whether what was answered leads the answer. */
export function asksForAnswer(intent: QuestionIntent): boolean {
  return intent === 'decision' || intent === 'state' || intent === 'fact'
}

export function isAsked(intent: QuestionIntent): boolean {
  return asksForAnswer(intent) || asksForCause(intent)
}

/** Whether causes and fixes lead the answer. */
export function asksForCause(intent: QuestionIntent): boolean {
  return intent === 'cause' || intent === 'fix'
}

/** Whether a talk explains it; a fact or a way stands in a single line. */
export function asksForExplanation(intent: QuestionIntent): boolean {
  return intent !== 'fact' && intent !== 'topic'
}

const maxQuestionLength = 120

const asks =
  /\?\s*$|^(?:(?:and|so|but|at|in|on|for|to|from|with|by) )?(?:what|which|who|whose|when|where|how|do|does|did|is|are|was|were|can|could|should|may|will|would|has|have)\b/i

/** How far something is: the end of a session says it. */
const state =
  /\b(?:where (?:did|do|are) (?:we|i|you|things) (?:leave|left|stop|stopped|stand|at|with)|how far (?:did|are|is) |(?:status|state) of|what(?:'s| is| was) (?:left|open|still open|unfinished|the status)|(?:is|are|was|were) .{1,60} (?:done|finished|merged|solved) (?:yet|already))\b/i

/** "Why do we …" asks for the reason of a decision, "why does it …" for a cause. */
const decided =
  /\b(?:decid\w+|decisions?|agree(?:d|ment)?|settled?|polic(?:y|ies)|conventions?|rules? (?:for|about|on)|our (?:rule|choice|plan|standard)|supposed to|why (?:do|don't|did|didn't|are|aren't|should|shouldn't|must) we|we (?:chose|choose|pick(?:ed)?))\b/i
/** "Which formatter do we use", "should we squash", "how are we naming branches". */
const practice =
  /\b(?:(?:do|don't|should|shouldn't|must|may) we|are we|we (?:use|want)|prefer(?:red|ence)?s?|wants?)\b/i
const cause =
  /\b(?:why|causes?|caused|causing|reasons?|culprit|what (?:broke|went wrong|was wrong|is wrong|happened)|how come|explanation|diagnosis)\b/i
const fix = /\b(?:fix(?:e[ds])?|solution|solved?|workarounds?|work around|resolved?|remedy|repair(?:ed)?|get rid of)\b/i

/** Whoever types an error wants to know where it comes from. */
const symptom =
  /\b(?:fail(?:s|ed|ing|ure)?|broken|breaks?|errors?|exceptions?|crash\w*|hangs?|hanging|slow\w*|flaky|leak\w*|corrupt\w*|dead ?lock\w*|time[ds]? ?out|timeouts?|regress\w*|(?:does|do|did)(?:n't| not) work|not working|stuck|stops?|wrong|late|lost|missing|rejects?|\w+Error|panics?|segfaults?|refused|denied|locked)\b/i

/** Whether a prompt reports that something does not work. */
export function reportsProblem(prompt: string): boolean {
  return symptom.test(prompt.slice(0, 2000))
}

/** The words that say what the question is about, without those that say what it asks for. */
export function subjectWords(query: string): Set<string> {
  const words = new Set(contentWords(query))
  const own = new Set([...words].filter((word) => !askingStems.has(word)))
  return own.size > 0 ? own : words
}

/** Returns the share of the subject of a question that a text mentions. */
export function subjectShare(query: string): (text: string) => number {
  const subject = [...subjectWords(query)]
  return (text) => (subject.length === 0 ? 0 : mentionsOf(text, subject).size / subject.length)
}

/** Its words, and the parts of identifiers: `map_cache` mentions the cache. */
export function mentionedWords(text: string): Set<string> {
  const words = new Set(contentWords(text))
  const identifiers = isAscii.test(text) ? (text.match(asciiIdentifiers) ?? []).join(' ') : text
  const parts = identifiers.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ')
  if (parts !== identifiers) for (const word of contentWords(parts)) words.add(word)
  return words
}

const isAscii = /^[\u0000-\u007f]*$/
/** Words that have several parts. */
const asciiIdentifiers = /[A-Za-z0-9]+_[A-Za-z0-9_]*|[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9_]*/g

/**
 * Those of the words that `mentionedWords` finds in the text, in a fraction of the time: only words of
 * the text that have the beginning of one of them are split and stemmed.
 */
export function mentionsOf(text: string, words: Iterable<string>): Set<string> {
  const found = new Set<string>()
  if (!isAscii.test(text)) {
    const mentioned = mentionedWords(text)
    for (const word of words) if (mentioned.has(word)) found.add(word)
    return found
  }
  const lower = text.toLowerCase()
  for (const word of words) if (isMentioned(text, lower, word)) found.add(word)
  return found
}

function isMentioned(text: string, lower: string, word: string): boolean {
  return beginningsOf(word).some((beginning) => hasWordAt(text, lower, beginning, word))
}

function hasWordAt(text: string, lower: string, beginning: string, word: string): boolean {
  for (let at = lower.indexOf(beginning); at >= 0; ) {
    let [start, end] = [at, at + beginning.length]
    while (start > 0 && isWordUnit(lower.charCodeAt(start - 1))) start--
    while (end < lower.length && isWordUnit(lower.charCodeAt(end))) end++
    if (wordsOfIdentifier(text.slice(start, end)).has(word)) return true
    at = lower.indexOf(beginning, end)
  }
  return false
}

/** Texts repeat their words. */
const wordsOfIdentifier = once(mentionedWords, 20_000)

/**
 * A word with this stem has one of these in it. A stem may end in another letter than its word ("empti",
 * "tri"), and irregular forms ("ran") are stemmed as the regular one.
 */
export function beginningsOf(word: string): readonly string[] {
  return [word.length > 2 ? word.slice(0, -1) : word, ...(irregularWith().get(word) ?? [])]
}

let irregular: Map<string, string[]> | undefined

/** Irregular forms by their stem. */
function irregularWith(): Map<string, string[]> {
  irregular ??= Map.groupBy(irregularForms.keys(), stem)
  return irregular
}

function isWordUnit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95
}

const askingStems = new Set(contentWords(askingWords))

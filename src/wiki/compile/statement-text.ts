// Renders memories as statements of an article: words, attribution, reason, how to apply, source, and
// what they replaced.
import { shortId } from '../../core/session.ts'
import { attributionText } from '../../memory/attribution.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import { isVerb, lightWords, prepositions } from '../../memory/word-classes.ts'
import { contentWords } from '../../text/content-words.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { splitSentences } from '../../text/sentences.ts'
import { statementStopWords, stopWords } from '../../text/stop-words.ts'
import { wikilink } from '../links.ts'
import type { Succession } from './successions.ts'

/** The day of the journal that has the message; undefined if there is none. */
export type JournalDayOf = (memory: Memory, evidence: Evidence) => string | undefined

const maxReason = 400
/** Earlier statements that are told below the valid one. */
const maxEarlier = 5
const maxEarlierLength = 300

/** A list item; reason, use and what it replaced are items below it. */
export function statementLines(
  { memory, earlier }: Succession,
  { journalDay, max }: { journalDay: JournalDayOf; max: number },
): string[] {
  const { apply, doubt } = memory
  const why = reasonOf(memory)
  const said = memory.counts.said > 1 ? ` (said ${memory.counts.said} times)` : ''
  return [
    `- ${statementWords(memory, max)}${statusMark(memory)}${said} ${citationOf([memory], journalDay)}`,
    ...(doubt === null ? [] : [`  - Doubtful: ${escapeMarkdown(doubt, maxReason)}`]),
    ...(why === undefined ? [] : [`  - Why: ${escapeMarkdown(why, maxReason)}`]),
    ...(apply === null || memory.text.includes(apply) ? [] : [`  - How to apply: ${escapeMarkdown(apply, maxReason)}`]),
    ...earlier.slice(0, maxEarlier).map((old) => `  - ${earlierWords(old, journalDay)}`),
  ]
}

/** `Until 2026-09-05: Use npm ([[journal/2026-09-01]])`; the valid statement says by what it was replaced. */
function earlierWords(old: Memory, journalDay: JournalDayOf): string {
  const words = `Until ${endOf(old)}: ${statementWords(old, maxEarlierLength)}`
  const days = old.evidence.some((evidence) => journalDay(old, evidence) !== undefined)
  return days ? `${words} ${citationOf([old], journalDay)}` : words
}

export function endOf({ supersededAt, confirmedAt }: Memory): string {
  return (supersededAt ?? confirmedAt).slice(0, 10)
}

/** Undefined if the reason adds nothing to the statement: "since it's no longer supported". */
export function reasonOf({ why, text }: Pick<Memory, 'why' | 'text'>): string | undefined {
  const reason = why?.replace(/^\s*(?:because|since)\s+/i, '').trim() ?? ''
  const told = new Set(contentWords(text))
  return contentWords(reason).every((word) => told.has(word)) ? undefined : reason
}

/** Words of others are not shown as the user's. */
export function statementWords(memory: Memory, max: number): string {
  const isUsers = memory.trust === 'user said' && memory.space === null
  const voice = isUsers ? '' : ` (${escapeMarkdown(attributionText(memory), 120)})`
  return `${sentenceCase(escapeMarkdown(memory.text, max))}${voice}`
}

/** Conversations begin in lower case. Only ordinary words are capitalised: any other may be a name, such as `pnpm`. */
function sentenceCase(text: string): string {
  const first = /^(\p{Ll}[\p{Ll}'’]*)(?=,? )/u.exec(text)?.[1] ?? ''
  return isOrdinaryWord(first) && !isCommand.test(text) ? text.replace(/^./u, (letter) => letter.toUpperCase()) : text
}

/** `go test -race fails`: a command with an option. */
const isCommand = /^(?:\S+ ){1,2}--?\w/

function isOrdinaryWord(word: string): boolean {
  const isKnown = [stopWords, statementStopWords, lightWords, prepositions].some((words) => words.has(word))
  return word !== '' && (isKnown || isVerb(word, ''))
}

/** The first sentence that says something alone. */
export function mainSentence(text: string): string {
  const sentences = splitSentences(text)
  return (
    sentences.find((sentence) => sentence.length >= minSentence && !isFragment.test(sentence)) ?? sentences[0] ?? text
  )
}

const minSentence = 15
const isFragment = /\?\s*$|^(?:yes|yeah|no|nope|right|exactly|correct|okay|ok|sure|thanks)\b[,.!]?\s*\S{0,10}$/i

/** What a person has confirmed is settled; a status that rules have guessed from its first wording does not count. */
export function isOpen({ status, because }: Memory): boolean {
  return status === 'hypothetical' && because !== 'person'
}

function statusMark(memory: Memory): string {
  if (isOpen(memory)) return ' (not settled)'
  return memory.status === 'tried-and-failed' ? ' (tried and failed)' : ''
}

/** Days of statements in brackets; the section with the sources has the sessions of each day. */
export function citationOf(memories: readonly Memory[], journalDay: JournalDayOf): string {
  const places = memories.flatMap((memory) => {
    const { evidence } = memory
    const found = [evidence[0], evidence.at(-1)].flatMap((one) => (one ? placeOf(one, memory, journalDay) : []))
    return found.length > 0 ? found : [{ day: dayOf(memory), source: 'told by hand' }]
  })
  const byDay = Map.groupBy(places, ({ day }) => day)
  const parts = [...byDay].map(([day, ofDay]) =>
    [day, ...new Set(ofDay.map(({ source }) => source))].filter((part) => part !== '').join(', '),
  )
  return `(${parts.join('; ')})`
}

function placeOf(evidence: Evidence, memory: Memory, journalDay: JournalDayOf): { day: string; source: string }[] {
  const { session, file, commit } = evidence
  const day = dayOf(memory)
  if (session !== null) {
    const journal = journalDay(memory, evidence)
    return [
      journal === undefined ? { day, source: inlineCode(sessionName(session)) } : { day: dayLink(journal), source: '' },
    ]
  }
  if (file !== undefined)
    return [{ day, source: `imported from ${inlineCode(file.split(/[\\/]/).slice(-2).join('/'))}` }]
  return commit === undefined ? [] : [{ day, source: `commit ${inlineCode(commit.slice(0, 10))}` }]
}

export function dayLink(day: string): string {
  return wikilink(`journal/${day}`, day)
}

/** Shortened id that `recollect show` accepts; whole where the end of it is the short form. */
export function sessionName(session: string): string {
  const short = `${session.slice(0, session.indexOf(':') + 1)}${shortId(session)}`
  return session.startsWith(short) ? short : session
}

export function dayOf({ validFrom }: Pick<Memory, 'validFrom'>): string {
  return validFrom.slice(0, 10)
}

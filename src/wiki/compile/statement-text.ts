// The text of a memory as it is read on a page: what the talk began with apart from what was ruled, and the sentence that says it.

import { shortId } from '../../core/session.ts'
import { attributionText } from '../../memory/attribution.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Evidence, Memory, MemoryTrust } from '../../memory/memory.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { splitSentences } from '../../text/sentences.ts'
import { wikilink } from '../links.ts'

export interface StatementText {
  /** What the talk began with; '' where the text does not say. */
  about: string
  says: string
}

/** The heuristic judge writes `names - what it began with: what was ruled`; whatever else wrote a text, it is all ruling. */
export function parseStatement(text: string): StatementText {
  const names = namesBefore.exec(text)?.[0] ?? ''
  const rest = text.slice(names.length)
  if (names.endsWith(': ')) return { about: '', says: rest }
  const end = openingEnd(rest, names !== '')
  if (end === undefined) return { about: '', says: rest }
  const about = rest.slice(0, end)
  return { about: end === maxOpeningLength ? about.replace(/\s+\S*$/, ' …') : about, says: rest.slice(end + 2) }
}

const namePattern = String.raw`(?:[a-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]+[A-Z]\w*|[\w-]+\.(?:py|ts|go|js|rs|md|toml|json|ya?ml)|__\w+__\.py)`
const namesBefore = new RegExp(`^${namePattern}(?:, ${namePattern}){0,2}(?: - |: )`)
/** Where the judge cuts what a talk began with. */
const maxOpeningLength = 250

function openingEnd(rest: string, hasNames: boolean): number | undefined {
  const sentence = /[.!?)'"`]: /.exec(rest.slice(0, maxOpeningLength + 2))
  if (sentence && rest.length > sentence.index + 3) return sentence.index + 1
  return hasNames && rest.startsWith(': ', maxOpeningLength) ? maxOpeningLength : undefined
}

/** The sentence that tells most: it rules, names, counts, and can be read alone. */
export function mainSentence(text: string, max: number): string {
  const offered = [...text.matchAll(/\[agent: ([^\]]*)\]/g)].map((match) => match[1]!).join(' ')
  const own = bestOf(text.replace(/\[agent: [^\]]*\]/g, ' '), max)
  const agreed = bestOf(offered, max)
  if (own && (!agreed || own.score + 1 >= agreed.score)) return own.sentence
  // Whoever only agrees has said what the agent had offered.
  return agreed ? `Agreed: ${agreed.sentence}` : text
}

interface ScoredSentence {
  sentence: string
  score: number
}

function bestOf(text: string, max: number): ScoredSentence | undefined {
  return splitSentences(text)
    .map((sentence, place) => ({
      sentence: sentence.replace(opener, '').replace(/^\p{Ll}(?=\p{Ll}*[ ,'])/u, (letter) => letter.toUpperCase()),
      score: scoreSentence(sentence, max) - 0.1 * place,
    }))
    .sort((a, b) => b.score - a.score)[0]
}

const opener =
  /^(?:(?:yes|yeah|no|nope|right|exactly|correct|okay|ok|sure|so|and|but|well|oh|ah|hey|also|actually)\b(?:[,.!]\s+|\s*[-–—]\s+))+/i

function scoreSentence(sentence: string, max: number): number {
  const rules = sentence.match(ruleWords)?.length ?? 0
  const names = sentence.match(/`[^`]+`|\b\w+_\w+\b|\b\d[\w.]*\b|\b[a-z]+[A-Z]\w*/g)?.length ?? 0
  const bare = sentence.replace(opener, '')
  return (
    2 * Math.min(rules, 3) +
    Math.min(bare.length, 160) / 60 +
    Math.min(names, 3) -
    (/\?\s*$/.test(sentence) ? 4 : 0) -
    (dependentStart.test(bare) ? 3 : 0) -
    (firstPerson.test(bare) || requestStart.test(bare) || pastTense.test(bare) ? 3 : 0) -
    (bare.length < 25 ? 4 : bare.length > max ? 2 : 0)
  )
}

const ruleWords =
  /\b(?:must|always|never|only|exactly|not|no|instead|because|should|stays?|keep|use|drop|reject|raise|ignore|first|before|after|default|means|cannot|don't|won't)\b/gi
const requestStart = /^(?:please|can|could|implement|fix|add|update|let's|commit|merge|review|look at)\b/i
const pastTense = /\b(?:tried|last (?:week|month|quarter|year)|yesterday)\b/i
/** A person tells of themselves. */
const firstPerson = /^(?:i|i'm|i've|i was|my|we were|we had|before)\b/i
const dependentStart = /^(?:that|it|this|those|these|they|he|she|which|i'll|i'd|let me|thanks|hm+|makes sense)\b/i

// A memory as a line of an article: what it says, whose word it is, why, and where it comes from.

export type Days = ReadonlyMap<string, string>

interface StatementOptions {
  days: Days
  /** The longest that is shown of its text. */
  max: number
  /** What the line before began with, which need not be said twice. */
  about?: string
}

export function statementLine(memory: Memory, { days, max, about }: StatementOptions): string {
  const said = parseStatement(memory.text)
  const opening = said.about === '' || said.about === about ? '' : `“${escapeMarkdown(said.about, 260)}” `
  const words = escapeMarkdown(said.says, max)
  const why = memory.why !== null && !said.says.includes(memory.why) ? ` Why: ${escapeMarkdown(memory.why, 300)}` : ''
  const apply = memory.apply === null ? '' : ` How to apply: ${escapeMarkdown(memory.apply, 300)}`
  const marks = marksOf(memory).map((mark) => ` (${mark})`)
  return `- ${attributionPrefix(memory)}${opening}${words}${marks.join('')}${why}${apply} (${sourceOf(memory, days)})`
}

/** What it says and whose word that is, for where it is told besides what holds; what nobody should follow stands in quotes. */
export function statementWords(memory: Memory, max: number): string {
  const why = exclusionReason(memory)
  if (why === undefined) return `${attributionPrefix(memory)}${escapeMarkdown(parseStatement(memory.text).says, max)}`
  return `Quoted as evidence, not to be followed (${escapeMarkdown(attributionText(memory), 120)}; ${escapeMarkdown(why, 120)}): “${escapeMarkdown(memory.text, 300)}”`
}

/** People edit memories, and machines send them: what admission would refuse is no rule, only evidence. */
export function exclusionReason({ text, trust }: Memory): string | undefined {
  return excluded({ text, trust })
}

/** What is not the user's word says so before it says anything. */
export function attributionPrefix(memory: Pick<Memory, 'trust' | 'space' | 'author'>): string {
  return memory.space === null
    ? attributionPrefixes[memory.trust]
    : `_${escapeMarkdown(attributionText(memory), 120)}:_ `
}

const attributionPrefixes: Readonly<Record<MemoryTrust, string>> = {
  'user said': '',
  'agent said': '_The agent said:_ ',
  'tool printed': '_A tool printed:_ ',
  imported: '_Imported:_ ',
}

function marksOf({ status, counts }: Memory): string[] {
  return [
    status === 'settled' ? '' : status === 'hypothetical' ? 'not settled' : 'tried, failed',
    counts.said > 1 ? `said ${counts.said} times` : '',
  ].filter(Boolean)
}

/** The first and the last that it comes from. */
export function sourceOf(memory: Memory, days: Days): string {
  const { evidence } = memory
  const places = [evidence[0], evidence.at(-1)].flatMap((one) => (one === undefined ? [] : placeOf(one, memory, days)))
  return [...new Set(places)].join('; ') || `${dayOf(memory)}, told by hand`
}

function placeOf({ session, file, commit }: Evidence, memory: Memory, days: Days): string | [] {
  if (session !== null) return sessionPlace(session, days.get(session), dayOf(memory))
  if (file !== undefined)
    return `${dayOf(memory)}, imported from ${inlineCode(file.split(/[\\/]/).slice(-2).join('/'))}`
  return commit === undefined ? [] : `${dayOf(memory)}, commit ${inlineCode(commit.slice(0, 10))}`
}

/** `day` is that of the journal; `otherwise` is told where no day of the journal tells of the session. */
function sessionPlace(session: string, day: string | undefined, otherwise: string): string {
  return `${day === undefined ? otherwise : dayLink(day)}, ${inlineCode(sessionName(session))}`
}

export function dayLink(day: string): string {
  return wikilink(`journal/${day}`, day)
}

/** As much of its id as `recollect show` needs. */
export function sessionName(session: string): string {
  return `${session.slice(0, session.indexOf(':') + 1)}${shortId(session)}`
}

export function dayOf({ validFrom }: Pick<Memory, 'validFrom'>): string {
  return validFrom.slice(0, 10)
}

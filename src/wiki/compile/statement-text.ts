// Renders memories as statements of an article: separates the opening of a conversation from the
// ruling, picks the main sentence, and adds attribution, reason and source.

import { shortId } from '../../core/session.ts'
import { attributionText } from '../../memory/attribution.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Evidence, Memory, MemoryTrust } from '../../memory/memory.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { splitSentences } from '../../text/sentences.ts'
import { wikilink } from '../links.ts'

interface StatementText {
  /** Opening of the conversation; may be empty. */
  about: string
  says: string
}

/**
 * Parses the form of the heuristic judge, `names - opening: ruling`; any other text is all ruling.
 */
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
/** The judge cuts the opening at this length. */
const maxOpeningLength = 250

function openingEnd(rest: string, hasNames: boolean): number | undefined {
  const sentence = /[.!?)'"`]: /.exec(rest.slice(0, maxOpeningLength + 2))
  if (sentence && rest.length > sentence.index + 3) return sentence.index + 1
  return hasNames && rest.startsWith(': ', maxOpeningLength) ? maxOpeningLength : undefined
}

/** Picks the sentence with the highest score: rules, names, numbers, and readable alone. */
export function mainSentence(text: string, max: number): string {
  const offered = [...text.matchAll(/\[agent: ([^\]]*)\]/g)].map((match) => match[1]!).join(' ')
  const own = bestOf(text.replace(/\[agent: [^\]]*\]/g, ' '), max)
  const agreed = bestOf(offered, max)
  if (own && (!agreed || own.score + 1 >= agreed.score)) return own.sentence
  // If the user only agreed, the proposal of the agent is the statement.
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
/** Sentences about the writer. */
const firstPerson = /^(?:i|i'm|i've|i was|my|we were|we had|before)\b/i
const dependentStart = /^(?:that|it|this|those|these|they|he|she|which|i'll|i'd|let me|thanks|hm+|makes sense)\b/i

export type Days = ReadonlyMap<string, string>

interface StatementOptions {
  days: Days
  /** Maximum length of the text. */
  max: number
  /** Opening of the previous line, to avoid a repetition. */
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

/**
 * Text with attribution, for superseded and doubtful memories; quotes what should not be followed.
 */
export function statementWords(memory: Memory, max: number): string {
  const why = exclusionReason(memory)
  if (why === undefined) return `${attributionPrefix(memory)}${escapeMarkdown(parseStatement(memory.text).says, max)}`
  return `Quoted as evidence, not to be followed (${escapeMarkdown(attributionText(memory), 120)}; ${escapeMarkdown(why, 120)}): “${escapeMarkdown(memory.text, 300)}”`
}

/** Why admission would refuse the memory, which people and other machines can change. */
export function exclusionReason({ text, trust }: Memory): string | undefined {
  return excluded({ text, trust })
}

/** Prefix for statements that are not the user's. */
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

/** The first and the last source. */
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

/** `day`: journal day, if there is one; `otherwise`: the day of the memory. */
function sessionPlace(session: string, day: string | undefined, otherwise: string): string {
  return `${day === undefined ? otherwise : dayLink(day)}, ${inlineCode(sessionName(session))}`
}

export function dayLink(day: string): string {
  return wikilink(`journal/${day}`, day)
}

/** Shortened id that `recollect show` accepts. */
export function sessionName(session: string): string {
  return `${session.slice(0, session.indexOf(':') + 1)}${shortId(session)}`
}

export function dayOf({ validFrom }: Pick<Memory, 'validFrom'>): string {
  return validFrom.slice(0, 10)
}

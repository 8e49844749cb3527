// Renders memories as statements of an article: words, attribution, reason, how to apply, source.
import { shortId } from '../../core/session.ts'
import { attributionText } from '../../memory/attribution.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { splitSentences } from '../../text/sentences.ts'
import { wikilink } from '../links.ts'

/** Journal day of each session. */
export type Days = ReadonlyMap<string, string>

const maxReason = 400

/** A list item; reason and use are items below it. */
export function statementLines(memory: Memory, { days, max }: { days: Days; max: number }): string[] {
  const { text, why, apply, doubt } = memory
  const marks = marksOf(memory).map((mark) => ` (${mark})`)
  return [
    `- ${statementWords(memory, max)}${marks.join('')} ${citationOf([memory], days)}`,
    ...(doubt === null ? [] : [`  - Doubtful: ${escapeMarkdown(doubt, maxReason)}`]),
    ...(why === null || text.includes(why) ? [] : [`  - Why: ${escapeMarkdown(why, maxReason)}`]),
    ...(apply === null || text.includes(apply) ? [] : [`  - How to apply: ${escapeMarkdown(apply, maxReason)}`]),
  ]
}

/** Words of others are not shown as the user's. */
export function statementWords(memory: Memory, max: number): string {
  const isUsers = memory.trust === 'user said' && memory.space === null
  const voice = isUsers ? '' : ` (${escapeMarkdown(attributionText(memory), 120)})`
  return `${sentenceCase(escapeMarkdown(memory.text, max))}${voice}`
}

/** Conversations begin in lower case; a name such as `pnpm` or `retry.ts` stays as it is. */
function sentenceCase(text: string): string {
  return text.replace(/^\p{Ll}(?=\p{Ll}* \p{Ll})/u, (letter) => letter.toUpperCase())
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

function marksOf({ status, counts }: Memory): string[] {
  return [
    status === 'settled' ? '' : status === 'hypothetical' ? 'not settled' : 'tried and failed',
    counts.said > 1 ? `said ${counts.said} times` : '',
  ].filter(Boolean)
}

/** Days of statements in brackets; the section with the sources has the sessions of each day. */
export function citationOf(memories: readonly Memory[], days: Days): string {
  const places = memories.flatMap((memory) => {
    const { evidence } = memory
    const found = [evidence[0], evidence.at(-1)].flatMap((one) => (one ? placeOf(one, memory, days) : []))
    return found.length > 0 ? found : [{ day: dayOf(memory), source: 'told by hand' }]
  })
  const byDay = Map.groupBy(places, ({ day }) => day)
  const parts = [...byDay].map(([day, ofDay]) =>
    [day, ...new Set(ofDay.map(({ source }) => source))].filter((part) => part !== '').join(', '),
  )
  return `(${parts.join('; ')})`
}

function placeOf({ session, file, commit }: Evidence, memory: Memory, days: Days): { day: string; source: string }[] {
  const day = dayOf(memory)
  if (session !== null) {
    const journal = days.get(session)
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

/** Shortened id that `recollect show` accepts. */
export function sessionName(session: string): string {
  return `${session.slice(0, session.indexOf(':') + 1)}${shortId(session)}`
}

export function dayOf({ validFrom }: Pick<Memory, 'validFrom'>): string {
  return validFrom.slice(0, 10)
}

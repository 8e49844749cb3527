// A memory as a line of an article: what it says, whose word it is, why, and where it comes from.

import { shortId } from '../../core/session.ts'
import { attributionText } from '../../memory/attribution.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Evidence, Memory, MemoryTrust } from '../../memory/memory.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { wikilink } from '../links.ts'
import { saidIn } from './said.ts'

export type Days = ReadonlyMap<string, string>

export interface LineOptions {
  days: Days
  /** The longest that is shown of its text. */
  max: number
  /** What the line before began with, which need not be said twice. */
  about?: string
}

export function statementLine(memory: Memory, { days, max, about }: LineOptions): string {
  const said = saidIn(memory.text)
  const opening = said.about === '' || said.about === about ? '' : `“${escapeMarkdown(said.about, 260)}” `
  const words = escapeMarkdown(said.says, max)
  const why = memory.why !== null && !said.says.includes(memory.why) ? ` Why: ${escapeMarkdown(memory.why, 300)}` : ''
  const apply = memory.apply === null ? '' : ` How to apply: ${escapeMarkdown(memory.apply, 300)}`
  const marks = marksOf(memory).map((mark) => ` (${mark})`)
  return `- ${voiceOf(memory)}${opening}${words}${marks.join('')}${why}${apply} (${sourceOf(memory, days)})`
}

/** What it says and whose word that is, for where it is told besides what holds; what nobody should follow stands in quotes. */
export function wordsOf(memory: Memory, max: number): string {
  const why = refusal(memory)
  if (why === undefined) return `${voiceOf(memory)}${escapeMarkdown(saidIn(memory.text).says, max)}`
  return `Quoted as evidence, not to be followed (${escapeMarkdown(attributionText(memory), 120)}; ${escapeMarkdown(why, 120)}): “${escapeMarkdown(memory.text, 300)}”`
}

/** People edit memories, and machines send them: what admission would refuse is no rule, only evidence. */
export function refusal({ text, trust }: Memory): string | undefined {
  return excluded({ text, trust })
}

/** What is not the user's word says so before it says anything. */
export function voiceOf(memory: Pick<Memory, 'trust' | 'space' | 'author'>): string {
  return memory.space === null ? voices[memory.trust] : `_${escapeMarkdown(attributionText(memory), 120)}:_ `
}

const voices: Readonly<Record<MemoryTrust, string>> = {
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

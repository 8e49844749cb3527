// The entry of a session as Markdown: a head that is made anew whenever the session grows, and parts, from its digest or from a
// model. Parts that would be empty are not there.

import { shortId } from '../core/session.ts'
import { formatUsd, plural, type Zone } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import type { JournalMemory, JournalSession } from '../store/wiki/journal.ts'
import { escapeMarkdown, unescapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'
import type { Exchange } from './conversation.ts'
import { fewer, happened } from './happened.ts'
import type { Material } from './material.ts'
import { promptSummary, replySummary } from './summaries.ts'

/** A paragraph, or a list. */
export interface Part {
  title: string
  says: string | readonly string[]
}

const maxExchanges = 10

export function digestParts({ session, digest, learned, exchanges, zone }: Material): Part[] {
  const goal = promptSummary(digest.goal, 400)
  const told = exchanges.length > 1 ? exchangeLines(exchanges, zone) : []
  const { decisions, lessons } = learnedParts(learned)
  return [
    { title: 'Asked', says: goal === titleText(session, digest) ? '' : goal },
    { title: 'Exchanges', says: fewer(told, maxExchanges) },
    { title: 'What happened', says: happened(digest, session.cwd, told.length > 0) },
    { title: 'Last answer', says: lastAnswer(digest.lastReply) },
    { title: 'Decisions', says: decisions },
    { title: 'Lessons', says: lessons },
    { title: 'Action items', says: openEnds(digest) },
  ]
}

export function learnedParts(learned: readonly JournalMemory[]): { decisions: string[]; lessons: string[] } {
  const texts = (isDecision: boolean) =>
    learned.filter(({ kind }) => (kind === 'decision') === isDecision).map(learnedText)
  return { decisions: texts(true), lessons: texts(false) }
}

/** `note` says what the reader must know of how it was written. */
export function entryText(material: Material, parts: readonly Part[], note = ''): string {
  return withHead(
    material,
    parts
      .map(partText)
      .filter((text) => text !== '')
      .join('\n\n'),
    note,
  )
}

/** The same parts under the head as it is now. */
export function withNewHead(material: Material, existing: string, note: string): string {
  return withHead(material, existing.split('\n\n').slice(2).join('\n\n'), note)
}

/** What the heading of an entry says, without the time. */
export function titleIn(text: string): string {
  return unescapeMarkdown(/^### (?:\d\d:\d\d )?(.*)/m.exec(text)?.[1]?.trim() ?? '')
}

function withHead({ session, digest, memoryIndex, zone }: Material, parts: string, note: string): string {
  const time = session.started ? `${clockTime(session.started, zone)} ` : ''
  const branch = session.branch && session.branch !== 'HEAD' ? ` (${escapeMarkdown(session.branch, 60)})` : ''
  const facts = [
    session.agent,
    session.projectName ? `${projectText(escapeMarkdown(session.projectName, 80), memoryIndex)}${branch}` : '',
    digest.outcome === 'unknown' ? '' : digest.outcome,
    digest.kinds.prompt ? plural(digest.kinds.prompt, 'prompt') : '',
    session.started ? lengthOf(digest.activeMs) : 'undated',
    session.costUsd ? formatUsd(session.costUsd) : '',
    `\`${oneLine(shortId(session.uid)).replaceAll('`', "'")}\``,
    note,
  ]
  const line = facts.filter((fact) => fact !== '').join(' · ')
  return `### ${time}${titleText(session, digest)}\n\n_${line}_\n\n${parts}`.trimEnd()
}

function projectText(name: string, memoryIndex: string | undefined): string {
  return memoryIndex && !/[[\]|]/.test(name) ? `[[${memoryIndex}|${name}]]` : name
}

/** A first line that only announces ("Implement the following plan:") is no title without what follows. */
function titleText({ title }: JournalSession, { goal, title: fallback }: Digest): string {
  const line = oneLine(title ?? fallback)
  return (/:$/.test(line) ? promptSummary(goal, 100) : escapeMarkdown(line, 100)) || 'Untitled'
}

function partText({ title, says }: Part): string {
  if (says.length === 0) return ''
  return typeof says === 'string'
    ? `**${title}:** ${says}`
    : `**${title}**\n\n${says.map((item) => `- ${item}`).join('\n')}`
}

/** A digest keeps the beginning of a reply: what is cut there ends in the middle of a word. */
function lastAnswer(reply: string): string {
  return replySummary(reply.length < 499 ? reply : reply.replace(/\s+\S*$/, ' …'), 400)
}

/** The first prompt stands above, and the last answer below. */
function exchangeLines(exchanges: readonly Exchange[], zone: Zone): string[] {
  return exchanges
    .map(({ at, prompt, replies }, index) => {
      const isLast = index === exchanges.length - 1
      const said = index === 0 ? '' : promptSummary(prompt, 140)
      const answered = isLast ? '' : replySummary(replies.at(-1) ?? '', 160)
      const time = at ? `${clockTime(at, zone)} ` : ''
      if (said === '') return index === 0 && answered ? `${time}${answered}` : ''
      return `${time}“${said}”${answered ? ` ${answered}` : ''}`
    })
    .filter((line) => line !== '')
}

function learnedText({ text, why, status }: JournalMemory): string {
  const mark = status === 'settled' ? '' : status === 'hypothetical' ? ' (not settled)' : ' (tried, failed)'
  return `${escapeMarkdown(text, 400)}${mark}${why ? ` Why: ${escapeMarkdown(why, 240)}` : ''}`
}

/** What a session left undone, as its outcome tells. */
function openEnds({ outcome, because, tests }: Digest): string[] {
  if (outcome === 'success') return []
  const failing = tests.lastFailed > 0 ? ` (${plural(tests.lastFailed, 'test')} failing)` : ''
  return [`Left open: ${escapeMarkdown(because, 160)}${failing}.`]
}

function clockTime(iso: string, zone: Zone): string {
  return zone.minute(iso).slice(11)
}

function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'under a minute'
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

// Renders the entry of a session as Markdown: a head that is updated whenever the session grows,
// and parts from the digest or from a model. Empty parts are left out.

import { shortId } from '../core/session.ts'
import { formatUsd, plural, type Zone } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import type { JournalMemory, JournalSession } from '../store/wiki/journal.ts'
import { escapeMarkdown, unescapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'
import { describeActivity, elideMiddle } from './activity.ts'
import type { JournalExchange } from './conversation.ts'
import type { EntryInputs } from './inputs.ts'
import { promptSummary, replySummary } from './summaries.ts'

/** The content is a paragraph or a list. */
export interface EntryPart {
  title: string
  content: string | readonly string[]
}

const maxExchanges = 10

export function digestParts({ session, digest, learned, exchanges, zone }: EntryInputs): EntryPart[] {
  const goal = promptSummary(digest.goal, 400)
  const lines = exchanges.length > 1 ? exchangeLines(exchanges, zone) : []
  const { decisions, lessons } = learnedParts(learned)
  return [
    { title: 'Asked', content: goal === titleText(session, digest) ? '' : goal },
    { title: 'Exchanges', content: elideMiddle(lines, maxExchanges) },
    { title: 'What happened', content: describeActivity(digest, session.cwd, lines.length > 0) },
    { title: 'Last answer', content: lastAnswer(digest.lastReply) },
    { title: 'Decisions', content: decisions },
    { title: 'Lessons', content: lessons },
    { title: 'Action items', content: openItems(digest) },
  ]
}

export function learnedParts(learned: readonly JournalMemory[]): { decisions: string[]; lessons: string[] } {
  const texts = (isDecision: boolean) =>
    learned.filter(({ kind }) => (kind === 'decision') === isDecision).map(learnedText)
  return { decisions: texts(true), lessons: texts(false) }
}

/** `note` tells the reader who wrote the entry. */
export function entryText(material: EntryInputs, parts: readonly EntryPart[], note = ''): string {
  return prependHead(
    material,
    parts
      .map(partText)
      .filter((text) => text !== '')
      .join('\n\n'),
    note,
  )
}

/** Keeps the parts and updates the head. */
export function replaceHead(material: EntryInputs, existing: string, note: string): string {
  return prependHead(material, existing.split('\n\n').slice(2).join('\n\n'), note)
}

/** The heading of an entry without the time. */
export function entryTitle(text: string): string {
  return unescapeMarkdown(/^### (?:\d\d:\d\d )?(.*)/m.exec(text)?.[1]?.trim() ?? '')
}

function prependHead({ session, digest, memoryIndex, zone }: EntryInputs, parts: string, note: string): string {
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

/** A first line that ends with a colon ("Implement the following plan:") needs the next lines. */
function titleText({ title }: JournalSession, { goal, title: fallback }: Digest): string {
  const line = oneLine(title ?? fallback)
  return (/:$/.test(line) ? promptSummary(goal, 100) : escapeMarkdown(line, 100)) || 'Untitled'
}

function partText({ title, content: says }: EntryPart): string {
  if (says.length === 0) return ''
  return typeof says === 'string'
    ? `**${title}:** ${says}`
    : `**${title}**\n\n${says.map((item) => `- ${item}`).join('\n')}`
}

/** A digest keeps the first 500 characters of a reply, so the last word may be incomplete. */
function lastAnswer(reply: string): string {
  return replySummary(reply.length < 499 ? reply : reply.replace(/\s+\S*$/, ' …'), 400)
}

/** Leaves out the first prompt and the last reply: the entry has parts for both. */
function exchangeLines(exchanges: readonly JournalExchange[], zone: Zone): string[] {
  return exchanges
    .map(({ at, prompt, replies }, index) => {
      const isLast = index === exchanges.length - 1
      const asked = index === 0 ? '' : promptSummary(prompt, 140)
      const answered = isLast ? '' : replySummary(replies.at(-1) ?? '', 160)
      const time = at ? `${clockTime(at, zone)} ` : ''
      if (asked === '') return index === 0 && answered ? `${time}${answered}` : ''
      return `${time}“${asked}”${answered ? ` ${answered}` : ''}`
    })
    .filter((line) => line !== '')
}

function learnedText({ text, why, status }: JournalMemory): string {
  const mark = status === 'settled' ? '' : status === 'hypothetical' ? ' (not settled)' : ' (tried, failed)'
  return `${escapeMarkdown(text, 400)}${mark}${why ? ` Why: ${escapeMarkdown(why, 240)}` : ''}`
}

/** Derived from the outcome. */
function openItems({ outcome, because, tests }: Digest): string[] {
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

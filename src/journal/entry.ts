// Renders the entry of a session on one day as Markdown: a head that is updated whenever the session
// grows, and parts from the digest or from a model. Empty parts are left out.

import { shortId } from '../core/session.ts'
import { formatUsd, plural, type Zone } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import type { Outcome } from '../digest/outcome.ts'
import type { ThreadPart } from '../digest/prompt-notes.ts'
import { requestGist } from '../digest/request-gist.ts'
import type { JournalMemory, JournalSession, Spend } from '../store/wiki/journal.ts'
import { escapeMarkdown, unescapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'
import { describeActivity, timesText } from './activity.ts'
import { tellDecisions } from './decisions.ts'
import type { EntryInputs } from './inputs.ts'
import { openItems, unansweredReasons } from './open-items.ts'
import { firstSentences, isCut, replySentences } from './prose.ts'

/** The content is a paragraph or a list. */
export interface EntryPart {
  title: string
  content: string | readonly string[]
}

export function digestParts(inputs: EntryInputs): EntryPart[] {
  const { session, digest, isTested, causes } = inputs
  const known = learnedParts(inputs.learned)
  const open = openItems(inputs)
  return [
    { title: 'Asked', content: askedLines(inputs) },
    { title: 'Done', content: describeActivity(digest, { cwd: session.cwd, isTested }) },
    { title: 'Answer', content: escapeMarkdown(answer(inputs, [...causes, ...open]), maxLine) },
    {
      title: 'Decided',
      content: [...known.decided, ...escaped(tellDecisions(inputs.decisions).map(({ text }) => text))],
    },
    { title: 'Found', content: [...known.found, ...escaped(causes)] },
    { title: 'Left open', content: escaped(open) },
  ]
}

/** Causes, workarounds and facts were found; everything else says how it is to be. */
export function learnedParts(learned: readonly JournalMemory[]): { decided: string[]; found: string[] } {
  const texts = (isWanted: boolean) =>
    learned.filter(({ kind }) => ['debugging', 'workaround', 'fact'].includes(kind) === isWanted).map(learnedText)
  return { decided: texts(false), found: texts(true) }
}

/** What was asked over the day; a single request that is the title is not repeated. */
export function askedLines({ session, segment, digest, carriedOver, decisions }: EntryInputs): string | string[] {
  if (digest.kind === 'health-check' || digest.kind === 'empty') return ''
  const earlier = carriedOver === '' ? '' : `${firstSentences(carriedOver, 240)} (asked on ${segment.previousDay})`
  const answers = new Set(tellDecisions(decisions).flatMap(({ seq, isWholePrompt }) => (isWholePrompt ? seq : [])))
  const requests = digest.thread.filter(({ seq, text }) => !answers.has(seq) && !asksNothing(text))
  const texts = [earlier, ...requests.map(requestText)].filter((text) => text !== '')
  const lines = [...new Map(texts.toReversed().map((text) => [plain(text), text])).values()]
    .toReversed()
    .map((text) => escapeMarkdown(text, maxLine))
  if (lines.length > 1) return lines
  const [only = ''] = lines
  return plain(only) === plain(titleText(session, digest)) ? '' : only
}

/** Only agrees, calls a command, or is a line of output that names a path. */
function asksNothing(prompt: string): boolean {
  return saysNothing.test(prompt) || /^[A-Z][\w ]{2,40}: \S*[\\/]\S+$/.test(prompt)
}

/** Of a prompt that is only pasted, its beginning says little, unless it is an error. */
function requestText({ text: prompt, isPasted }: ThreadPart): string {
  if (isPasted) return namesError.test(prompt) ? `Pasted output: “${firstSentences(prompt, maxRequest)}”` : ''
  const text = firstSentences(requestGist(prompt, maxRequest), maxRequest)
  if (!isCut(text) || !looksPasted.test(text)) return text
  return /^Traceback\b/.test(text) ? 'Pasted a traceback.' : 'Pasted code or output.'
}

const maxRequest = 240
const namesError = /\b(?:error|fail\w*|fatal|panic|exception|denied|cannot|not found)\b/i

const looksPasted = /(?:\bFile "[^"]+", line \d+|\w\(.*?\).*\w\(.*?\).*\w\(.*?\)|(?:\w+: \w+ = .*){3})/

const saysNothing =
  /^\/\S+$|^(?:(?:yes|yep|yeah|ok(?:ay)?|sure|go(?: on| ahead)?|continue|proceed|next|do (?:it|that)|please|pls|y|k|ja|weiter|oui|sí|si|retry|try again)\b[\s,.!]*)+$/i

/** Longer than any line that is whole. */
const maxLine = 900

function plain(text: string): string {
  return unescapeMarkdown(text)
    .replace(/[\s.:!?"'`“”]+/g, ' ')
    .trim()
    .toLowerCase()
}

/**
 * What the agent said at the end; if that is only "Committed." or thanks, what it said before. A
 * question is left open instead, and nothing of `told` is repeated.
 */
function answer({ digest, lastReply, earlierReplies, isAnswered }: EntryInputs, told: readonly string[]): string {
  if (!isAnswered || digest.kind === 'health-check') return ''
  const last = replySentences(lastReply, 320, told)
  if (last === '' && replySentences(lastReply, 320) !== '') return ''
  const isThin = last.length < minAnswer && (digest.commits.length > 0 || last === '')
  const texts = isThin ? earlierReplies.map((reply) => replySentences(reply, 320, told)) : []
  return texts.find(({ length }) => length >= minAnswer) ?? last
}

const minAnswer = 40

export function escaped(texts: readonly string[]): string[] {
  return texts.map((text) => escapeMarkdown(text, maxLine)).filter((text) => text !== '')
}

/** `note` tells the reader who wrote the entry. */
export function entryText(inputs: EntryInputs, parts: readonly EntryPart[], note = ''): string {
  return prependHead(
    inputs,
    parts
      .map(partText)
      .filter((text) => text !== '')
      .join('\n\n'),
    note,
  )
}

/** Keeps the parts and updates the head. */
export function replaceHead(inputs: EntryInputs, existing: string, note: string): string {
  return prependHead(inputs, existing.split('\n\n').slice(2).join('\n\n'), note)
}

const outcomeTexts: Record<Outcome, string> = {
  success: 'done',
  waiting: 'waits for your answer',
  open: 'not finished',
  fail: 'failed',
  abandoned: 'stopped',
  unknown: '',
}
const noAnswer = 'no answer'
const headingEnd = new RegExp(
  ` \\((?:${[...Object.values(outcomeTexts), noAnswer].filter(Boolean).join('|')}|continued [\\d-]{10})\\)$`,
)

/** Without an answer nobody has stopped anything. */
function outcomeText({ outcome, because }: Digest): string {
  return outcome === 'abandoned' && unansweredReasons.has(because) ? noAnswer : outcomeTexts[outcome]
}

/** The heading of an entry without time and outcome. */
export function entryTitle(text: string): string {
  const heading = /^### (?:\d\d:\d\d )?(.*)/m.exec(text)?.[1]?.trim() ?? ''
  return unescapeMarkdown(heading.replace(headingEnd, ''))
}

function prependHead(inputs: EntryInputs, parts: string, note: string): string {
  const { session, segment, digest, memoryIndex, zone } = inputs
  const start = segment.startMs === null ? null : new Date(segment.startMs).toISOString()
  const time = start ? `${clockTime(start, zone)} ` : ''
  const known = session.events === 0 ? '' : outcomeText(digest)
  const outcome = segment.nextDay ? `continued ${segment.nextDay}` : known
  const branch = session.branch && session.branch !== 'HEAD' ? ` (${escapeMarkdown(session.branch, 60)})` : ''
  const facts = [
    session.agent,
    session.lineage === 'subagent' ? 'subagent' : '',
    session.projectName ? `${projectText(escapeMarkdown(session.projectName, 80), memoryIndex)}${branch}` : '',
    segment.previousDay === null || !session.started ? '' : `since ${zone.minute(session.started)}`,
    digest.kinds.prompt ? plural(digest.kinds.prompt, 'prompt') : '',
    start ? lengthOf(digest.activeMs) : 'undated',
    spendText(segment.spend),
    ...interventions(digest),
    `\`${oneLine(shortId(session.uid)).replaceAll('`', "'")}\``,
    note,
  ]
  const line = facts.filter((fact) => fact !== '').join(' · ')
  const heading = `### ${time}${titleText(session, digest)}${outcome ? ` (${outcome})` : ''}`
  return `${heading}\n\n_${line}_\n\n${parts}`.trimEnd()
}

function projectText(name: string, memoryIndex: string | undefined): string {
  return memoryIndex && !/[[\]|]/.test(name) ? `[[${memoryIndex}|${name}]]` : name
}

/** How often the person stopped the agent, refused a call, or went back. */
function interventions({ counts }: Digest): string[] {
  return [
    counts.interrupts > 0 ? `stopped ${timesText(counts.interrupts)}` : '',
    counts.denials > 0 ? `${plural(counts.denials, 'call')} refused` : '',
    counts.undone > 0 ? `${plural(counts.undone, 'prompt')} taken back` : '',
  ]
}

/** Empty if nothing was spent or no price is known. */
export function spendText({ costUsd, unpriced }: Spend): string {
  if (costUsd === 0) return ''
  return unpriced > 0 ? `at least ${formatUsd(costUsd)}` : formatUsd(costUsd)
}

function titleText({ title, events }: JournalSession, { title: fallback }: Digest): string {
  const untitled = events === 0 ? 'No messages recorded' : 'Untitled'
  return escapeMarkdown(oneLine(title || fallback).replace(/[:：]$/, ''), 100) || untitled
}

function partText({ title, content }: EntryPart): string {
  if (content.length === 0) return ''
  if (typeof content === 'string') return `**${title}:** ${content}`
  if (content.length === 1) return `**${title}:** ${content[0]}`
  return `**${title}**\n\n${content.map((item) => `- ${item}`).join('\n')}`
}

function learnedText({ text, why, status }: JournalMemory): string {
  const mark = status === 'settled' ? '' : status === 'hypothetical' ? ' (not settled)' : ' (tried, failed)'
  const reason = why ? ` Why: ${escapeMarkdown(why, 400)}` : ''
  return `${escapeMarkdown(text, maxLine)}${mark}${reason}`
}

function clockTime(iso: string, zone: Zone): string {
  return zone.minute(iso).slice(11)
}

function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'under a minute'
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

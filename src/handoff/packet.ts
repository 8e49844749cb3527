// The packet: what an agent needs to continue a session that it cannot load, on one screen. Made of
// the digest and, if the text is still stored, of what was decided, failed and left open.

import { type Clock, isoTime } from '../core/clock.ts'
import { pathInside } from '../core/paths.ts'
import { shortId } from '../core/session.ts'
import { ownCommand } from '../core/shell/command-line.ts'
import { plural, type Zone } from '../core/units.ts'
import { readDigest } from '../digest/digest.ts'
import { gistOfReply } from '../digest/reply-end.ts'
import { evidenceNotice, tellName, wrapEvidence } from '../gate/evidence.ts'
import { tellLines, tellMemory, tellWords } from '../gate/gate.ts'
import { isProvisionalCommit } from '../journal/activity.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesOfSession } from '../store/memories/memories.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { leftOffIn } from '../store/sessions/summaries.ts'
import { estimateTokens } from '../text/tokens.ts'
import { ellipsizeSentence, oneLine, shortLine } from '../text/truncate.ts'
import { nextStep, type PacketFacts, readFacts, toldFacts } from './packet-facts.ts'
import { sessionEvents } from './session-events.ts'
import { summaryWords } from './summary.ts'

export const maxPacketTokens = 1500

export interface PacketContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
}

export interface Packet {
  text: string
  tokens: number
  /** The text of the session was deleted: only the digest is left. */
  isDigestOnly: boolean
}

export function packetOf({ ledger, clock, zone }: PacketContext, session: SessionView): Packet {
  const facts = toldFacts(readFacts(sessionEvents(ledger, session.id), session, readDigest(ledger, session.id)))
  const { id, agent, project, title, started } = session
  const source = { session: id, agent, project, date: started, title }
  const sections = sectionsOf(ledger, session, facts)
  const at = zone.minute(isoTime(clock.nowMs()))
  const render = () => wrapEvidence(source, [headOf(session, facts, zone, at), ...sections.flatMap(linesOf)].join('\n'))
  const whole = () => `${evidenceNotice}\n\n${render()}`
  while (estimateTokens(whole()) > maxPacketTokens && shrink(sections));
  const text = whole()
  return { text, tokens: estimateTokens(text), isDigestOnly: facts.isDigestOnly }
}

interface PacketSection {
  title: string
  lines: string[]
  /** As many lines stay, however little space there is. */
  min: number
}

function linesOf({ title, lines }: PacketSection): string[] {
  if (lines.length === 0) return []
  return lines.length === 1 ? [`${title}: ${lines[0]}`] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}

/** Takes the last line of the longest section. Returns whether there was one to take. */
function shrink(sections: PacketSection[]): boolean {
  const [longest] = sections
    .filter(({ lines, min }) => lines.length > min)
    .toSorted((a, b) => b.lines.join('\n').length - a.lines.join('\n').length)
  longest?.lines.pop()
  return longest !== undefined
}

function headOf(session: SessionView, { isDigestOnly }: PacketFacts, zone: Zone, at: string): string {
  const { agent, cwd, branch, started, ended } = session
  const times = [started, ended].flatMap((time) => (time === null ? [] : zone.minute(time)))
  const facts = [
    agent,
    [...new Set(times)].join(' to '),
    cwd ? `in ${tellName(cwd)}` : '',
    branch ? `branch ${tellName(branch)}` : '',
  ]
  const rest = isDigestOnly ? ' Its text was deleted to save space: this is its digest.' : ''
  return `Session of ${facts.filter((fact) => fact !== '').join(', ')}. Handed over ${at}: files may have changed since.${rest}`
}

function sectionsOf(ledger: Ledger, session: SessionView, facts: PacketFacts): PacketSection[] {
  const { decisions, causes, open, errors, todo } = facts
  const { goal, asked } = requestsOf(session, facts)
  const step = nextStep(facts)
  return [
    { title: 'Goal', lines: [ellipsizeSentence(goal, 600)].filter(Boolean), min: 1 },
    { title: 'Asked, in order', lines: asked.map((text) => ellipsizeSentence(text, 260)), min: 1 },
    { title: 'Summary that the agent wrote when it compacted', lines: summaryLines(facts.summary), min: 12 },
    { title: 'State', lines: stateLines(ledger, session, facts), min: 2 },
    { title: 'Plan', lines: todo.map(({ text, status }) => `[${status}] ${shortLine(text, 160)}`), min: 0 },
    {
      title: 'Decided',
      lines: decidedIn(keptIn(ledger, session.id), decisions).map((text) => ellipsizeSentence(text, 260)),
      min: 2,
    },
    { title: 'Found', lines: causes.map((text) => ellipsizeSentence(text, 260)), min: 1 },
    { title: 'Files changed', lines: fileLines(facts, session.cwd), min: 4 },
    {
      title: 'Left open',
      lines: open.filter((text) => !isTold(text, step)).map((text) => ellipsizeSentence(text, 260)),
      min: 1,
    },
    { title: 'Last errors', lines: errors, min: 1 },
    { title: 'Next step', lines: [step], min: 1 },
    { title: 'The whole session', lines: [ownCommand('show', shortId(session.id), '--full')], min: 1 },
  ]
}

function summaryLines(summary: string): string[] {
  const lines = summaryWords(summary)
    .split('\n')
    .map((line) => oneLine(line.replace(/^[\s#*-]+/, '')))
  return lines.filter((line) => line !== '').map((line) => ellipsizeSentence(line, 260))
}

const maxAsked = 7

/** Of several requests the title says best what they are about. */
function requestsOf({ title }: SessionView, { digest }: PacketFacts): { goal: string; asked: string[] } {
  const main = oneLine(digest.goal)
  const thread = digest.thread.map(({ text }) => oneLine(text)).filter((text) => text !== '')
  if (thread.length < 2) return { goal: main || thread[0] || oneLine(tellName(title ?? digest.title)), asked: [] }
  const all = thread.includes(main) || main === '' ? thread : [thread[0]!, main, ...thread.slice(1)]
  const asked = all.length > maxAsked ? [all[0]!, ...all.slice(1 - maxAsked)] : all
  const named = oneLine(tellName(title ?? digest.title))
  return { goal: named === '' || named.includes('…') ? main || thread[0]! : named, asked }
}

function isTold(text: string, step: string): boolean {
  return step.includes(text.replace(/^[“"]/, '').slice(0, 50))
}

/** A memory that was kept is clearer than the words that it comes from. */
function decidedIn(kept: readonly string[], decisions: readonly string[]): string[] {
  const isKept = (text: string) => kept.some((memory) => memory.includes(text.replace(/^“|”\.?$/g, '').trim()))
  return [...new Set([...kept, ...decisions.filter((text) => !isKept(text))])]
}

/** Memories that a model or a person has kept from this session. */
function keptIn(ledger: Ledger, session: string): string[] {
  return memoriesOfSession(ledger, session)
    .filter(({ state, supersededBy }) => state === 'kept' && !supersededBy)
    .flatMap((memory) => {
      const one = tellMemory(memory)
      return 'told' in one ? [oneLine(one.told.text)] : []
    })
}

function stateLines(ledger: Ledger, session: SessionView, { digest, isTested }: PacketFacts): string[] {
  const { outcome, because, commits, commitCount, tests } = digest
  const summary = tellWords(leftOffIn(ledger, session.id) ?? '', 'agent')
  const leftOff = 'told' in summary && summary.told !== '' ? summary.told : undefined
  const said = leftOff ?? tellLines(gistOfReply(digest.lastReply, digest.lastReplyEnd, 420), 'agent')
  const [count, word] = isTested ? [tests.lastPassed, 'passed'] : [tests.lastFailed, 'failed']
  const last = commits
    .filter((subject) => !isProvisionalCommit.test(subject) && 'told' in tellWords(subject, 'agent'))
    .slice(-4)
  const more = commitCount > last.length ? `, ${plural(commitCount - last.length, 'commit')} before` : ''
  return [
    `${outcome}: ${because}`,
    said === '' ? '' : `${leftOff === undefined ? 'the agent said last' : 'left off'}: ${oneLine(said)}`,
    isTested === undefined ? '' : `last test run: ${count > 0 ? `${plural(count, 'test')} ` : ''}${word}`,
    last.length > 0 ? `committed: ${last.map((subject) => shortLine(subject, 90)).join('; ')}${more}` : '',
  ].filter((line) => line !== '')
}

const maxFiles = 14

/** Files without a later commit first: they are the work in progress. */
function fileLines({ files }: PacketFacts, cwd: string | null): string[] {
  const inFolder = (path: string) => (cwd === null ? path : (pathInside(cwd, path) ?? path))
  const ordered = files.toSorted((a, b) => Number(b.isUncommitted) - Number(a.isUncommitted) || b.times - a.times)
  const lines = ordered.slice(0, maxFiles).map(({ path, change, added, removed, isUncommitted }) => {
    const counts = change === 'delete' ? ' deleted' : added + removed > 0 ? ` +${added} -${removed}` : ''
    return `${shortLine(tellName(inFolder(path)), 120)}${counts}${isUncommitted ? ', no commit seen' : ''}`
  })
  return files.length > maxFiles ? [...lines, `and ${files.length - maxFiles} more`] : lines
}

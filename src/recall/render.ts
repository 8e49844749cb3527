// Renders a source in an answer: date, origin, speaker, and whether a later source amends it.

import { shortId } from '../core/session.ts'
import { tellMemory } from '../gate/gate.ts'
import { validityMarks } from '../memory/age.ts'
import { againstText, originText } from '../memory/attribution.ts'
import type { Memory } from '../memory/memory.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { QuotedPiece } from './argument.ts'
import { commitBody, commitPieces, commitSubject } from './commit-pieces.ts'
import { selectSentences } from './select-sentences.ts'
import type { SourceCommit } from './sources.ts'
import type { LaterTopic } from './supersession.ts'

/** Names the event that `recollect show` opens. */
export function talkHeading(session: string, at: string, later: LaterTopic | null, seq: number): string {
  return `[${dayOf(at)} ${agentOf(session)} ${shortId(session)}#${seq}${laterNote(later)}]`
}

/** One line for each speaker and each cause or fix; sentences of a message that follow are joined. */
export function renderTalk(heading: string, parts: QuotedPiece[][]): string {
  const lines = [heading]
  for (const part of parts)
    for (const [index, piece] of part.entries()) {
      const last = part[index - 1]
      if (last?.seq === piece.seq && last.part === piece.part)
        lines.push(`${lines.pop()}${gapBetween(last, piece)} ${piece.text}`)
      else lines.push(`${speakerOf(piece, index === 0)}: ${questionPrefix(piece)}${piece.text}`)
    }
  return lines.join('\n')
}

/** List items have no full stop. */
function gapBetween(last: QuotedPiece, next: QuotedPiece): string {
  return last.place + 1 < next.place ? ' …' : /[\p{L}\p{N}`)"']$/u.test(last.text) ? ';' : ''
}

function speakerOf({ role, part, isPasted, followed }: QuotedPiece, isFirst: boolean): string {
  if (part === 'fix') return isFirst && followed.length > 0 ? `fix (${followed.join(', ')})` : 'fix'
  if (part === 'cause' && role === 'user') return 'person said'
  if (part === 'cause') return followed.length > 0 ? `agent found (${followed.join(', ')})` : 'agent said'
  if (part === 'answer' && followed.length > 0) return `agent (${followed.join(', ')})`
  return role === 'assistant' ? 'agent' : isPasted ? 'pasted by the person' : 'person'
}

function questionPrefix({ role, asked }: QuotedPiece): string {
  return asked === '' ? '' : `[${role === 'user' ? 'agent' : 'person'}: ${asked}] `
}

/**
 * The message, whole if it fits, and a later commit that changed the same files without
 * explanation.
 */
export function renderCommit(
  commit: SourceCommit,
  unexplained: SourceCommit | undefined,
  later: LaterTopic | null,
  query: string,
  budget: number,
): string {
  const heading = `[${dayOf(commit.at)} commit ${commit.hash.slice(0, 10)}${laterNote(later)}] ${commitSubject(commit)}`
  const note =
    unexplained === undefined
      ? ''
      : `\n(changed later without explanation by ${unexplained.hash.slice(0, 10)} of ${dayOf(unexplained.at)}: ${commitSubject(unexplained)})`
  const left = budget - estimateTokens(heading + note) - 2
  if (left < 0) return ''
  const body = commitBody(commit)
  const kept =
    estimateTokens(indent(body)) <= left ? body : joinPieces(selectSentences(commitPieces(commit, query), left))
  return `${heading}${kept === '' ? '' : `\n${indent(kept)}`}${note}`
}

/** Indents every line, so that no quoted line can imitate a heading. */
function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}

function joinPieces(pieces: QuotedPiece[]): string {
  return pieces
    .map(({ text, place }, index) => (index > 0 && pieces[index - 1]!.place + 1 < place ? `… ${text}` : text))
    .join(' ')
}

/** '' if the gate holds it back. */
export function renderMemory(memory: Memory, later: LaterTopic | null, nowMs: number): string {
  const one = tellMemory(memory)
  if ('held' in one) return ''
  const { text, why, apply } = one.told
  const { id, kind, status, confirmedAt, supersededAt, evidence } = memory
  const against = againstText(memory)
  const from = evidence.find(({ session }) => session !== null)?.session
  const marks = [
    `memory ${id}`,
    kind,
    originText(memory),
    ...validityMarks(memory, nowMs),
    ...(status === 'settled' ? [] : [status]),
    ...(from ? [`from ${agentOf(from)} ${shortId(from)}`] : []),
    ...(supersededAt === null ? [] : [`superseded on ${dayOf(supersededAt)}, no longer holds`]),
    ...(against ? [against] : []),
  ]
  const parts = [text, why && !text.includes(why) ? `Why: ${why}` : '', apply ? `How to apply: ${apply}` : '']
  const said = parts.filter((part) => part !== '').join(' ')
  return `[${dayOf(confirmedAt)} ${marks.join(', ')}${laterNote(later)}]\n${indent(said.replace(/\s+/g, ' '))}`
}

function laterNote(later: LaterTopic | null): string {
  if (later === null) return ''
  const day = dayOf(later.topic.at)
  return later.amends ? `; amended on ${day}: superseded where it differs` : `; there is a later word of ${day}`
}

function dayOf(at: string): string {
  return at.slice(0, 10)
}

function agentOf(session: string): string {
  return session.slice(0, session.indexOf(':'))
}

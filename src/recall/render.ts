// How a source reads in an answer: when, where from, who said it, and what has been said on it since.

import { shortId } from '../core/session.ts'
import { againstText, attributionText } from '../memory/attribution.ts'
import type { Memory } from '../memory/memory.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { Piece } from './argument.ts'
import { bodyOf, commitPieces, subjectOf } from './commit-pieces.ts'
import { pick } from './select-sentences.ts'
import type { Commit } from './source.ts'
import type { Later } from './supersession.ts'

export function talkHeading(session: string, at: string, later: Later | null): string {
  return `[${dayOf(at)} ${agentOf(session)} ${shortId(session)}${since(later)}]`
}

export function renderTalk(heading: string, pieces: Piece[]): string {
  const lines = [heading]
  for (const [index, piece] of pieces.entries()) {
    const last = pieces[index - 1]
    if (last?.seq === piece.seq) lines.push(`${lines.pop()}${last.place + 1 === piece.place ? '' : ' …'} ${piece.text}`)
    else lines.push(`${speakerOf(piece)}: ${asked(piece)}${piece.text}`)
  }
  return lines.join('\n')
}

function speakerOf({ role, isPasted }: Piece): string {
  return role === 'assistant' ? 'agent' : isPasted ? 'pasted by the person' : 'person'
}

function asked({ asked }: Piece): string {
  return asked === '' ? '' : `[agent: ${asked}] `
}

/** The message, whole where there is room, and which later commit changed the same files without a word on it. */
export function renderCommit(
  commit: Commit,
  unexplained: Commit | undefined,
  later: Later | null,
  query: string,
  budget: number,
): string {
  const heading = `[${dayOf(commit.at)} commit ${commit.hash.slice(0, 10)}${since(later)}] ${subjectOf(commit)}`
  const note =
    unexplained === undefined
      ? ''
      : `\n(changed later without explanation by ${unexplained.hash.slice(0, 10)} of ${dayOf(unexplained.at)}: ${subjectOf(unexplained)})`
  const left = budget - estimateTokens(heading + note) - 2
  if (left < 0) return ''
  const body = bodyOf(commit)
  const kept = estimateTokens(indented(body)) <= left ? body : joined(pick(commitPieces(commit, query), left))
  return `${heading}${kept === '' ? '' : `\n${indented(kept)}`}${note}`
}

/** No line of it can be taken for one of ours. */
function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

function joined(pieces: Piece[]): string {
  return pieces
    .map(({ text, place }, index) => (index > 0 && pieces[index - 1]!.place + 1 < place ? `… ${text}` : text))
    .join(' ')
}

export function renderMemory(memory: Memory, later: Later | null): string {
  const { id, kind, status, text, why, apply, confirmedAt, supersededAt, doubt, evidence } = memory
  const against = againstText(memory)
  const from = evidence.find(({ session }) => session !== null)?.session
  const marks = [
    `memory ${id}`,
    kind,
    attributionText(memory),
    ...(status === 'settled' ? [] : [status]),
    ...(from ? [`from ${agentOf(from)} ${shortId(from)}`] : []),
    ...(supersededAt === null ? [] : [`superseded on ${dayOf(supersededAt)}, no longer holds`]),
    ...(doubt ? [`doubtful: ${doubt}`] : []),
    ...(against ? [against] : []),
  ]
  const parts = [text, why && !text.includes(why) ? `Why: ${why}` : '', apply ? `How to apply: ${apply}` : '']
  const said = parts.filter((part) => part !== '').join(' ')
  return `[${dayOf(confirmedAt)} ${marks.join(', ')}${since(later)}]\n${indented(said.replace(/\s+/g, ' '))}`
}

function since(later: Later | null): string {
  if (later === null) return ''
  const day = dayOf(later.subject.at)
  return later.amends ? `; amended on ${day}: superseded where it differs` : `; there is a later word of ${day}`
}

function dayOf(at: string): string {
  return at.slice(0, 10)
}

function agentOf(session: string): string {
  return session.slice(0, session.indexOf(':'))
}

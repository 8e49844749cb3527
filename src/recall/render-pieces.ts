// Renders a piece in an answer: who said or did it, as far as agents may be told.
import { shortId } from '../core/session.ts'
import { tellName } from '../gate/evidence.ts'
import { tellCommand, tellExplanation, tellLines, tellWords } from '../gate/gate.ts'
import { printedForm } from '../gate/printed.ts'
import { commandParts } from '../session/command-parts.ts'
import { symbolsIn } from '../session/symbols.ts'
import { humanText } from '../text/human-text.ts'
import { ellipsize, truncate } from '../text/truncate.ts'
import type { FoundPiece } from './find-pieces.ts'
import { renderMemory } from './render.ts'

export interface PieceGroup {
  kind: 'exchange' | 'memory' | 'commit'
  id: string
  /** '' if the line has one of its own. */
  heading: string
  at: string
  seq: number | null
  session: string | null
}

/** The pieces of a session, and of a commit, are told below one heading. */
export function groupOf(piece: FoundPiece): PieceGroup {
  switch (piece.kind) {
    case 'memory': {
      const { id, confirmedAt, evidence } = piece.memory
      const session = evidence.find((one) => one.session !== null)?.session ?? null
      return { kind: 'memory', id, heading: '', at: confirmedAt, seq: null, session }
    }
    case 'commit': {
      const { hash, at } = piece.commit
      const heading = `[${at.slice(0, 10)} commit ${hash.slice(0, 10)}]`
      return { kind: 'commit', id: hash, heading, at, seq: null, session: null }
    }
    default: {
      const { session, at, seq } = piece
      const agent = session.slice(0, session.indexOf(':'))
      const heading = `[${(at ?? 'undated').slice(0, 10)} ${agent} ${shortId(session)}#${seq}]`
      return { kind: 'exchange', id: session, heading, at: at ?? '', seq, session }
    }
  }
}

/** Of a longer piece the beginning is told. */
const maxLength = 300

/** '' if nothing of it may be told. */
export function lineOf(piece: FoundPiece, nowMs: number): string {
  switch (piece.kind) {
    case 'memory':
      return renderMemory(piece.memory, null, nowMs)
    case 'commit':
      return indented('', tellLines(piece.text, 'agent'))
    case 'said':
      return saidLine(piece.text)
    case 'replied':
      return 'told' in tellWords(piece.text, 'agent') ? indented('agent: ', piece.text) : ''
    case 'edited':
      return editedLine(piece.path ?? '', piece.text)
    case 'failed':
      return printedForm(piece.text) === '' ? '' : indented('error: ', printedForm(truncate(piece.text, maxLength)))
    case 'ran':
      return ranLine(piece.text)
    default:
      return piece satisfies never
  }
}

/** What the person pasted may be the output of a program, and is told as words of an agent. */
function saidLine(text: string): string {
  const { spans } = humanText(text)
  const own = spans.map(({ start, end }) => text.slice(start, end)).join('\n')
  if ('held' in tellWords(own, 'person')) return ''
  if ('told' in tellWords(text, 'agent'))
    return indented(own.trim() === '' ? 'pasted by the person: ' : 'person: ', text)
  return own.trim() === '' ? '' : indented('person: ', own)
}

/** Of code the names that it defines; of a document its words. */
function editedLine(path: string, text: string): string {
  const told = tellName(path)
  if (told !== path || path === '') return ''
  if (isDocument.test(path)) return 'told' in tellExplanation(text, '') ? indented(`edited ${path}:\n`, text) : ''
  const names = symbolsIn(text).filter((name) => tellName(name) === name)
  return `edited ${path}${names.length > 0 ? `: ${names.join(', ')}` : ''}`
}

const isDocument = /\.(?:mdx?|txt|rst|adoc)$/i

/** The commands of a line that would be run again; of another line the whole, if it is harmless. */
function ranLine(line: string): string {
  const { folder, parts } = commandParts(line, null)
  const told = parts.filter(({ text, program }) => 'told' in tellCommand(text, [program])).map(({ text }) => text)
  if (told.length > 0) return indented(`ran${folder === '' ? '' : ` in ${folder}`}: `, told.join(' && '))
  return 'told' in tellCommand(line, []) ? indented('ran: ', line) : ''
}

/** Further lines are indented, so that none can imitate a heading. */
function indented(label: string, text: string): string {
  return `${label}${ellipsize(text, maxLength)}`.replace(/\n+/g, '\n  ')
}

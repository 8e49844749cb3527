// Our block in a file of instructions. What stands outside of its markers is somebody's and stays as it is; the begin marker
// says what is needed to take the block out to the byte, because the file may come from another machine, through git.
import { createHash } from 'node:crypto'
import { lineEnding } from '../../core/lines.ts'

/** What a file says then: undefined where the file goes. */
export type Placed = { kind: 'placed'; text: string | undefined } | { kind: 'refused'; reason: string }

/** In place of the block that is there, else at the end. Lines that a person wrote between the markers move below it. */
export function putBlock(text: string | undefined, body: string): Placed {
  const found = findBlocks(text ?? '')
  if (found.kind === 'refused') return found
  const [first, ...others] = found.blocks
  if (!first) return { kind: 'placed', text: appended(text, body) }
  const rest = others.reduceRight(withoutBlock, text!)
  const before = rest.slice(0, first.start)
  const after = rest.slice(first.end)
  const below = first.theirs === '' ? after : first.lineEnd + first.theirs + after.replace(/^\r?\n/, '')
  return { kind: 'placed', text: before + blockOf(body, first) + below }
}

/** A file that was made for the block, and holds nothing else, goes. */
export function removeBlock(text: string): Placed {
  const found = findBlocks(text)
  if (found.kind === 'refused') return found
  const rest = found.blocks.reduceRight(withoutBlock, text)
  const isLeft = rest.trim() !== '' || !found.blocks.some(({ isNew }) => isNew)
  return { kind: 'placed', text: isLeft ? rest : undefined }
}

export function hasBlock(text: string): boolean {
  return text.search(marker) >= 0
}

/** What the lines of a text say, whatever an editor or git made of their ends. */
export function sealOf(text: string): string {
  return hashOf(saidIn(text).map(({ said }) => said))
}

interface Block {
  /** Where the begin marker's line begins, and where the end marker ends, without its line end. */
  start: number
  end: number
  /** Line ends that were put before it: removing takes them along. */
  gap: number
  /** There was no file before. */
  isNew: boolean
  /** Whole lines of a person between the markers. */
  theirs: string
  lineEnd: string
}

/** A byte order mark may stand before a marker; an indent, too, where somebody has moved it. */
const marker = /(?<=(?:^|\n)\uFEFF?)[ \t]*<!-- recollect:practices (begin|end)\b(.*?)-->[ \t]*(?=\r?\n|$)/
const attributes = /^ lines=(\d{1,4}) hash=([0-9a-f]{8}) gap=([012])( new)? $/

type Found = { kind: 'found'; blocks: Block[] } | { kind: 'refused'; reason: string }

function findBlocks(text: string): Found {
  const markers = [...text.matchAll(new RegExp(marker, 'g'))]
  const blocks: Block[] = []
  for (let at = 0; at < markers.length; at += 2) {
    const [begin, end] = [markers[at]!, markers[at + 1]]
    if (begin[1] !== 'begin' || end?.[1] !== 'end') return refused('a marker of the block has lost the other one')
    const [, lines, hash, gap, isNew] = attributes.exec(begin[2]!) ?? []
    if (hash === undefined) return refused('the begin marker of the block was changed')
    const beginEnd = begin.index + begin[0].length
    const theirs = insertedIn(text.slice(beginEnd, end.index), { lines: Number(lines), hash })
    if (theirs === undefined) return refused('the lines of the block were changed')
    blocks.push({
      start: begin.index,
      end: end.index + end[0].length,
      gap: Number(gap),
      isNew: isNew !== undefined,
      theirs,
      lineEnd: text[beginEnd] === '\r' ? '\r\n' : '\n',
    })
  }
  return { kind: 'found', blocks }
}

function refused(reason: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason }
}

/** Lines that were put between ours in one place, as they are; '' for none, undefined where ours themselves are others. */
function insertedIn(inside: string, ours: { lines: number; hash: string }): string | undefined {
  const lines = saidIn(inside)
  const more = lines.length - ours.lines
  if (lines.length === 0) return ''
  // From the end: who adds a line mostly adds it there.
  for (let from = ours.lines; from >= 0 && more >= 0; from--) {
    const left = [...lines.slice(0, from), ...lines.slice(from + more)]
    if (hashOf(left.map(({ said }) => said)) !== ours.hash) continue
    return more === 0 ? '' : inside.slice(lines[from]!.start, lines[from + more - 1]!.end)
  }
  return undefined
}

/** The lines that say something; a formatter may put empty ones between them. */
function saidIn(text: string): { said: string; start: number; end: number }[] {
  return [...text.matchAll(/[^\n]*\n|[^\n]+$/g)].flatMap(({ 0: line, index }) => {
    const said = line.trim()
    return said === '' ? [] : { said, start: index, end: index + line.length }
  })
}

function appended(text: string | undefined, body: string): string {
  const before = text ?? ''
  const gap = before === '' || before === '\uFEFF' || /(?:^|\n)\r?\n$/.test(before) ? 0 : before.endsWith('\n') ? 1 : 2
  const lineEnd = lineEnding(before)
  return before + lineEnd.repeat(gap) + blockOf(body, { gap, isNew: text === undefined, lineEnd }) + lineEnd
}

function blockOf(body: string, { gap, isNew, lineEnd }: Pick<Block, 'gap' | 'isNew' | 'lineEnd'>): string {
  const said = saidIn(body).map((line) => line.said)
  const begin = `<!-- recollect:practices begin lines=${said.length} hash=${hashOf(said)} gap=${gap}${isNew ? ' new' : ''} -->`
  return [begin, '', ...body.trim().split(/\r?\n/), '', '<!-- recollect:practices end -->'].join(lineEnd)
}

/**
 * The gap goes with the block, unless something else stands at one of its sides by now: then it holds two paragraphs apart, and
 * nobody can say whose it is.
 */
function withoutBlock(text: string, { start, end, gap, theirs, lineEnd }: Block): string {
  const before = text.slice(0, start)
  const rest = theirs + text.slice(end).replace(/^\r?\n/, '')
  const space = lineEnd.repeat(gap)
  const isOurs = /\n\r?\n$/.test(before) && before.endsWith(space) && /^(?:\r?\n|$)/.test(rest)
  return (isOurs ? before.slice(0, before.length - space.length) : before) + rest
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8)
}

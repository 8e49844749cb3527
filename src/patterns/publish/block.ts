// Inserts, replaces and removes our block in an instruction file. Text outside of the markers is
// not changed. The begin marker has all data for a byte-exact removal, because the file may come
// from another machine through git.
import { createHash } from 'node:crypto'
import { lineEnding } from '../../core/vault/lines.ts'

/** New content of the file; undefined where it is to be deleted. */
export type FileUpdate = { kind: 'placed'; text: string | undefined } | { kind: 'refused'; reason: string }

/**
 * Replaces the existing block or appends one. Lines of a person between the markers move below it.
 */
export function putBlock(text: string | undefined, body: string): FileUpdate {
  const found = findBlocks(text ?? '')
  if (found.kind === 'refused') return found
  const [first, ...others] = found.blocks
  if (!first) return { kind: 'placed', text: appendBlock(text, body) }
  const rest = others.reduceRight(withoutBlock, text!)
  const before = rest.slice(0, first.start)
  const after = rest.slice(first.end)
  const below = first.theirs === '' ? after : first.lineEnd + first.theirs + after.replace(/^\r?\n/, '')
  return { kind: 'placed', text: before + renderBlock(body, first) + below }
}

/** Deletes a file that was created for the block and has no other content. */
export function removeBlock(text: string): FileUpdate {
  const found = findBlocks(text)
  if (found.kind === 'refused') return found
  const rest = found.blocks.reduceRight(withoutBlock, text)
  const isLeft = rest.trim() !== '' || !found.blocks.some(({ isNew }) => isNew)
  return { kind: 'placed', text: isLeft ? rest : undefined }
}

export function hasBlock(text: string): boolean {
  return text.search(marker) >= 0
}

/** Hash of the lines, independent of line ends and blank lines. */
export function sealOf(text: string): string {
  return linesHash(contentLines(text).map(({ said }) => said))
}

interface Block {
  /** Start of the begin marker line, and end of the end marker without its line end. */
  start: number
  end: number
  /** Line ends that were inserted before it; removed with it. */
  gap: number
  /** The file was created for the block. */
  isNew: boolean
  /** Lines of a person between the markers. */
  theirs: string
  lineEnd: string
}

/** Allows a byte order mark, and an indent where a person has moved the marker. */
const marker = /(?<=(?:^|\n)\uFEFF?)[ \t]*<!-- recollect:practices (begin|end)\b(.*?)-->[ \t]*(?=\r?\n|$)/
const attributes = /^ lines=(\d{1,4}) hash=([0-9a-f]{8}) gap=([012])( new)? $/

type BlockSearch = { kind: 'found'; blocks: Block[] } | { kind: 'refused'; reason: string }

function findBlocks(text: string): BlockSearch {
  const markers = [...text.matchAll(new RegExp(marker, 'g'))]
  const blocks: Block[] = []
  for (let at = 0; at < markers.length; at += 2) {
    const [begin, end] = [markers[at]!, markers[at + 1]]
    if (begin[1] !== 'begin' || end?.[1] !== 'end') return refused('a marker of the block has lost the other one')
    const [, lines, hash, gap, isNew] = attributes.exec(begin[2]!) ?? []
    if (hash === undefined) return refused('the begin marker of the block was changed')
    const beginEnd = begin.index + begin[0].length
    const theirs = userLinesIn(text.slice(beginEnd, end.index), { lines: Number(lines), hash })
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

/** Lines inserted in one place between ours; '' for none, undefined where ours were changed. */
function userLinesIn(inside: string, ours: { lines: number; hash: string }): string | undefined {
  const lines = contentLines(inside)
  const more = lines.length - ours.lines
  if (lines.length === 0) return ''
  // From the end, where lines are usually added.
  for (let from = ours.lines; from >= 0 && more >= 0; from--) {
    const left = [...lines.slice(0, from), ...lines.slice(from + more)]
    if (linesHash(left.map(({ said }) => said)) !== ours.hash) continue
    return more === 0 ? '' : inside.slice(lines[from]!.start, lines[from + more - 1]!.end)
  }
  return undefined
}

/** Lines with content; formatters may add blank ones. */
function contentLines(text: string): { said: string; start: number; end: number }[] {
  return [...text.matchAll(/[^\n]*\n|[^\n]+$/g)].flatMap(({ 0: line, index }) => {
    const said = line.trim()
    return said === '' ? [] : { said, start: index, end: index + line.length }
  })
}

function appendBlock(text: string | undefined, body: string): string {
  const before = text ?? ''
  const gap = before === '' || before === '\uFEFF' || /(?:^|\n)\r?\n$/.test(before) ? 0 : before.endsWith('\n') ? 1 : 2
  const lineEnd = lineEnding(before)
  return before + lineEnd.repeat(gap) + renderBlock(body, { gap, isNew: text === undefined, lineEnd }) + lineEnd
}

function renderBlock(body: string, { gap, isNew, lineEnd }: Pick<Block, 'gap' | 'isNew' | 'lineEnd'>): string {
  const said = contentLines(body).map((line) => line.said)
  const begin = `<!-- recollect:practices begin lines=${said.length} hash=${linesHash(said)} gap=${gap}${isNew ? ' new' : ''} -->`
  return [begin, '', ...body.trim().split(/\r?\n/), '', '<!-- recollect:practices end -->'].join(lineEnd)
}

/**
 * Removes the gap with the block, unless it separates two paragraphs by now, because then its owner
 * is unknown.
 */
function withoutBlock(text: string, { start, end, gap, theirs, lineEnd }: Block): string {
  const before = text.slice(0, start)
  const rest = theirs + text.slice(end).replace(/^\r?\n/, '')
  const space = lineEnd.repeat(gap)
  const isOurs = /\n\r?\n$/.test(before) && before.endsWith(space) && /^(?:\r?\n|$)/.test(rest)
  return (isOurs ? before.slice(0, before.length - space.length) : before) + rest
}

function linesHash(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8)
}

// Renders a guide of the documentation for a terminal: paragraphs are wrapped again, and cells of
// tables are wrapped within their columns.
import { displayWidth } from '../text/display-width.ts'
import { type Terminal, wrapText } from './terminal.ts'
import { maxColumns, pageText } from './wiki/page-text.ts'

export function guideText(markdown: string, terminal: Pick<Terminal, 'columns' | 'style'>): string {
  const columns = Math.min(terminal.columns, maxColumns)
  return blocksOf(markdown)
    .map((block) => {
      if (block.kind === 'table') return tableText(block.rows, columns, terminal.style.bold)
      if (block.kind === 'code') return codeText(block.text, columns)
      return pageText(linkNames(block.text), { ...terminal, columns, nowMs: 0 })
    })
    .filter((text) => text !== '')
    .join('\n\n')
}

type Block = { kind: 'text' | 'code'; text: string } | { kind: 'table'; rows: string[][] }

/** Blocks are separated by blank lines, except inside code. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const part of markdown.split(/(^```[\s\S]*?^```$)/m)) {
    if (part.startsWith('```')) blocks.push({ kind: 'code', text: part.split('\n').slice(1, -1).join('\n') })
    else for (const text of part.split(/\n\s*\n/)) if (text.trim() !== '') blocks.push(blockOf(text.trim()))
  }
  return blocks
}

function blockOf(text: string): Block {
  const lines = text.split('\n')
  if (lines.length < 2 || !lines.every((line) => line.startsWith('|'))) return { kind: 'text', text: joined(lines) }
  const rows = lines.filter((_, index) => index !== 1).map(cellsOf)
  return { kind: 'table', rows }
}

/** Lines that only continue the one before are joined; list items and headings begin new ones. */
function joined(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    const isNew = text === '' || /^\s*(?:[-*+>]|\d+[.)]|#{1,6}) /.test(line) || /(?:^|\n)#{1,6} [^\n]*$/.test(text)
    return isNew ? `${text}${text === '' ? '' : '\n'}${line}` : `${text} ${line.trim()}`
  }, '')
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\|\s?|\s?\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      linkNames(cell.trim())
        .replace(/\\\|/g, '|')
        .replace(/`|\*\*/g, ''),
    )
}

/** A link to another guide names the command that shows it. */
function linkNames(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\((?:\.\.\/)?(?:docs\/)?([\w-]+)\.md(?:#[^)]*)?\)/g, (_, shown: string, guide: string) =>
      shown === `${guide}.md` ? `"recollect help ${guide}"` : `${shown} ("recollect help ${guide}")`,
    )
    .replace(/\[([^\]]+)\]\(#[^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\((https?:[^)]*)\)/g, '$1 <$2>')
}

/** Lines stay whole, except for what explains a command behind it: that is wrapped in its own column. */
function codeText(code: string, columns: number): string {
  return code
    .split('\n')
    .flatMap((text) => {
      const line = text === '' ? '' : `  ${text}`
      const [, command, explanation] = /^(.*\S) {2,}((?:# |-- )?[A-Za-z].*)$/.exec(line) ?? []
      if (displayWidth(line) <= columns || !command || !explanation || isDrawing.test(line)) return [line]
      const column = line.length - explanation.length
      const isBelow = columns - column < minExplanation
      const indent = ' '.repeat(isBelow ? 6 : column)
      const lines = wrapText(explanation, columns - indent.length).map((part) => `${indent}${part}`)
      return isBelow ? [command, ...lines] : [command.padEnd(column) + lines[0]!.trimStart(), ...lines.slice(1)]
    })
    .join('\n')
}

const isDrawing = /[\u2500-\u257f]/
const minExplanation = 30
const gap = 2

function tableText(rows: readonly string[][], columns: number, bold: (text: string) => string): string {
  const widths = fitted(rows, columns)
  return rows
    .map((row, index) => {
      const cells = widths.map((width, at) => wrapCell(row[at] ?? '', width))
      const height = Math.max(...cells.map((lines) => lines.length))
      const lines = Array.from({ length: height }, (_, line) =>
        widths
          .map((width, at) => padded(cells[at]![line] ?? '', width))
          .join(' '.repeat(gap))
          .trimEnd(),
      )
      return index === 0 ? lines.map(bold).join('\n') : lines.join('\n')
    })
    .join('\n')
}

/** The widest columns give way until the table fits. */
function fitted(rows: readonly string[][], columns: number): number[] {
  const count = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(3, ...rows.map((row) => displayWidth(row[at] ?? ''))),
  )
  const room = columns - gap * (count - 1)
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= minWidth) break
    widths[widest]!--
  }
  return widths
}

const minWidth = 8

/** `wrapText` has a least width for sentences, which is too much for a narrow column. */
function wrapCell(text: string, width: number): string[] {
  if (width >= 20) return wrapText(text, width)
  return text.match(new RegExp(`.{1,${width}}(?:\\s+|$)|\\S{1,${width}}`, 'gu'))?.map((part) => part.trimEnd()) ?? ['']
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

// Terminal output: colours, aligned tables, one line of progress. Everything that a command writes
// passes here, and control characters of foreign text are removed here, so no command can forget it.
import { randomInt } from 'node:crypto'
import { formatDuration, formatSize } from '../core/units.ts'
import { escapeControlsInJson, removeControls } from '../text/control-characters.ts'

export interface Terminal {
  /** Writes results to standard output. */
  print(text: string): void
  /** Writes messages to standard error. */
  say(text: string): void
  json(value: unknown): void
  /** One value of JSON lines. */
  jsonLine(value: unknown): void
  style: Style
  columns: number
  progress(): Progress
}

export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  blue(text: string): string
}

export interface Progress {
  show(label: string, done: number, of: number, unit?: 'bytes' | 'sessions' | 'projects'): void
  end(): void
}

export function createTerminal(
  out: NodeJS.WriteStream,
  err: NodeJS.WriteStream,
  options: { colour: boolean },
): Terminal {
  const paint = (code: number) => (text: string) => (options.colour ? `${mark(code)}${text}${mark(0)}` : text)
  const json = (value: unknown, indent?: number) => escapeControlsInJson(JSON.stringify(value, null, indent))
  return {
    print: (text) => void out.write(`${printable(text)}\n`),
    say: (text) => void err.write(`${printable(text)}\n`),
    json: (value) => void out.write(`${json(value, out.isTTY ? 2 : undefined)}\n`),
    jsonLine: (value) => void out.write(`${json(value)}\n`),
    style: { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), blue: paint(34) },
    columns: out.columns ?? 140,
    progress: () => createProgress(err),
  }
}

/** A number that foreign text cannot know tells our own colours from escape sequences in it. */
const markNumber = randomInt(1e9, 1e10)
const mark = (code: number) => `\u001b[${code};${markNumber}m`
const marks = new RegExp(`(\\u001b\\[\\d+;${markNumber}m)`)

/** Foreign text without control characters, and our colours as the terminal expects them. */
export function printable(text: string): string {
  return text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? part.replace(`;${markNumber}`, '') : removeControls(part)))
    .join('')
}

/** The same, but with our marks: for text that is measured before it is printed. */
function cleanCell(text: string): string {
  return text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? part : removeControls(part)))
    .join('')
}

/** One line that is redrawn, with rate and remaining time. Prints nothing without a terminal. */
function createProgress(err: NodeJS.WriteStream): Progress {
  const begun = performance.now()
  let shownAt = 0
  let isShown = false
  return {
    show(label, done, of, unit = 'bytes') {
      const now = performance.now()
      if (!err.isTTY || now - shownAt < 100) return
      shownAt = now
      isShown = true
      const rate = done / Math.max(1, now - begun)
      const left = rate > 0 ? formatDuration((of - done) / rate) : '?'
      const amount =
        unit === 'bytes' ? `${formatSize(done)} of ${formatSize(of)}, ${formatSize(rate * 1000)}/s` : `${done} of ${of}`
      const bar = '█'.repeat(Math.round((20 * done) / Math.max(1, of))).padEnd(20, '░')
      err.write(`\r\u001b[K${removeControls(label)} ${bar} ${amount}, ${left} left`)
    },
    end() {
      if (isShown) err.write('\r\u001b[K')
    },
  }
}

export interface Column {
  title: string
  align?: 'left' | 'right'
  /** Shortened first when the line is too long. */
  isFlexible?: boolean
}

export function table(columns: Column[], given: string[][], width: number): string {
  const rows = given.map((row) => row.map(cleanCell))
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => plainLength(row[index]!))),
  )
  const excess = widths.reduce((sum, one) => sum + one + 2, -2) - width
  const flexible = columns.findIndex((column) => column.isFlexible)
  if (excess > 0 && flexible >= 0) widths[flexible] = Math.max(28, widths[flexible]! - excess)
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => {
        const fitted = fit(cell, widths[index]!)
        const space = ' '.repeat(widths[index]! - plainLength(fitted))
        return columns[index]!.align === 'right' ? space + fitted : fitted + space
      })
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...rows.map(line)].join('\n')
}

/** Lines of at most `columns` characters, and at most 100: longer ones are hard to read. */
export function wrapText(text: string, columns: number): string[] {
  const width = Math.max(40, Math.min(100, columns))
  return text
    .split('\n')
    .flatMap((line) =>
      (line.match(new RegExp(`.{1,${width}}(?:\\s+|$)|\\S{1,${width}}\\s*`, 'gu')) ?? ['']).map((part) =>
        part.trimEnd(),
      ),
    )
}

function fit(text: string, width: number): string {
  return plainLength(text) <= width ? text : `${text.slice(0, width - 1)}…`
}

function plainLength(text: string): number {
  return text.split(marks).reduce((sum, part, index) => (index % 2 === 1 ? sum : sum + part.length), 0)
}

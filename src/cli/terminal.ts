// Terminal output: colours, aligned tables, one line of progress. Everything that a command writes
// passes here, and control characters of foreign text are removed here, so no command can forget it.
import { randomInt } from 'node:crypto'
import { uptimeMs } from '../core/clock.ts'
import { formatDuration, formatSize } from '../core/units.ts'
import { escapeControlsInJson, removeControls } from '../text/control-characters.ts'
import { displayWidth, fitWidth, splitWidth } from '../text/display-width.ts'
import { type Column, columnWidths, gap } from './column-widths.ts'
import type { OutputStream } from './output-stream.ts'
import { createHeldOutput, type Screen } from './pager.ts'

export interface Terminal {
  /** Writes results to standard output. */
  print(text: string): void
  /** Writes sentences to standard output, wrapped. */
  tell(text: string): void
  /** Writes messages to standard error, wrapped if that is a terminal. */
  say(text: string): void
  json(value: unknown): void
  /** One value of JSON lines. */
  jsonLine(value: unknown): void
  style: Style
  columns: number
  progress(): Progress
  /** Holds what is printed until `release`, which shows it in a pager if it is long. */
  hold(): void
  release(): void
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
  out: OutputStream,
  err: OutputStream,
  options: Omit<Screen, 'rows' | 'pager'> & Partial<Screen> & { colour: boolean },
): Terminal {
  const { rows = 24, columns, pager } = options
  const output = createHeldOutput(out, err, { rows, columns, pager })
  const paint = (code: number) => (text: string) => (options.colour ? `${mark(code)}${text}${mark(0)}` : text)
  const json = (value: unknown, indent?: number) => escapeControlsInJson(JSON.stringify(value, null, indent))
  return {
    print: (text) => output.out(`${printable(text)}\n`),
    tell: (text) => output.out(`${printable(wrapMessage(text, columns))}\n`),
    say: (text) => output.err(`${printable(err.isTTY ? wrapMessage(text, columns) : text)}\n`),
    json: (value) => output.out(`${json(value, out.isTTY ? 2 : undefined)}\n`),
    jsonLine: (value) => output.out(`${json(value)}\n`),
    style: { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), blue: paint(34) },
    columns,
    progress: () => createProgress(err, columns),
    hold: output.hold,
    release: output.release,
  }
}

/**
 * A number that foreign text cannot know tells our own colours from escape sequences in it. It is
 * made with the first colour, because loading `node:crypto` takes milliseconds.
 */
let colourMarks: { number: number; pattern: RegExp } | undefined

function mark(code: number): string {
  if (!colourMarks) {
    const number = randomInt(1e9, 1e10)
    colourMarks = { number, pattern: new RegExp(`(\\u001b\\[\\d+;${number}m)`) }
  }
  return `\u001b[${code};${colourMarks.number}m`
}

/** Every second part is a mark. */
function splitAtMarks(text: string): string[] {
  return colourMarks ? text.split(colourMarks.pattern) : [text]
}

/** Foreign text without control characters, and our colours as the terminal expects them. */
export function printable(text: string): string {
  return splitAtMarks(text)
    .map((part, index) => (index % 2 === 1 ? part.replace(`;${colourMarks!.number}`, '') : removeControls(part)))
    .join('')
}

/** The same, but with our marks: for text that is measured before it is printed. */
function cleanCell(text: string): string {
  return splitAtMarks(text)
    .map((part, index) => (index % 2 === 1 ? part : removeControls(part)))
    .join('')
}

/**
 * One line that is redrawn, with rate and remaining time. Prints nothing without a terminal. A line that
 * the terminal breaks could not be redrawn.
 */
function createProgress(err: OutputStream, columns: number): Progress {
  const begun = uptimeMs()
  let shownAt = 0
  let isShown = false
  return {
    show(label, done, of, unit = 'bytes') {
      const now = uptimeMs()
      if (!err.isTTY || now - shownAt < 100) return
      shownAt = now
      isShown = true
      const rate = done / Math.max(1, now - begun)
      const left = rate > 0 ? formatDuration((of - done) / rate) : '?'
      const amount =
        unit === 'bytes' ? `${formatSize(done)} of ${formatSize(of)}, ${formatSize(rate * 1000)}/s` : `${done} of ${of}`
      const bar = '█'.repeat(Math.round((20 * done) / Math.max(1, of))).padEnd(20, '░')
      const line = `${removeControls(label)} ${bar} ${amount}, ${left} left`
      err.write(`\r\u001b[K${fitWidth(line, columns - 1)}`)
    },
    end() {
      if (isShown) err.write('\r\u001b[K')
    },
  }
}

/** At most `width` wide, as far as ids and numbers allow it. */
export function table(columns: Column[], given: string[][], width: number): string {
  const rows = given.map((row) => row.map(cleanCell))
  const widths = columnWidths(
    columns,
    rows.map((row) => row.map(plainText)),
    width,
  )
  const line = (cells: string[]) =>
    cells
      .flatMap((cell, index) => {
        const wide = widths[index]
        if (wide === undefined) return []
        const fitted = fit(cell, wide)
        const space = ' '.repeat(Math.max(0, wide - shownWidth(fitted)))
        return [columns[index]!.align === 'right' ? space + fitted : fitted + space]
      })
      .join(' '.repeat(gap))
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...rows.map(line)].join('\n')
}

/**
 * Lines of at most `columns` characters, and at most 100: longer ones are hard to read. A longer word
 * is broken, unless it is something to copy, such as a path.
 */
export function wrapText(text: string, columns: number, { keepsWords = false } = {}): string[] {
  const width = Math.max(20, Math.min(100, columns))
  return text.split('\n').flatMap((line) => fill(wordsOf(line, width, keepsWords), width))
}

/** Sentences in lines of at most `columns` characters. A command at the end of a line is not broken. */
export function wrapMessage(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (shownWidth(line) <= columns) return [line]
      const [command = ''] = / recollect [a-z-][^,;:"]*$/.exec(line) ?? []
      const words = wordsOf(line.slice(0, line.length - command.length), columns, true)
      const indent = ' '.repeat(/^\s*(?:[-*] |\d{1,3}[.)] )?/.exec(line)![0].length)
      return fill(command === '' ? words : [...words, command], columns, indent)
    })
    .join('\n')
}

/** Words, each with the blanks before it. Scripts that do not separate words by blanks are always broken. */
function wordsOf(line: string, width: number, keepsWords: boolean): string[] {
  const words = line.match(/\s*\S+/g) ?? ['']
  return words.flatMap((word) => (keepsWords && shownWidth(word) <= word.length ? [word] : splitWidth(word, width)))
}

/** Puts as many words into a line as fit. The first one has its own indent. */
function fill(words: readonly string[], width: number, indent = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && shownWidth(line + word) > width) {
      lines.push(line)
      line = indent + word.trimStart()
    } else line += word
  }
  return [...lines, line]
}

/** Shortens the text between our marks; of a time only the day is left. */
function fit(text: string, width: number): string {
  const plain = plainText(text)
  if (displayWidth(plain) <= width) return text
  const short = isDay.test(plain.slice(0, width)) ? plain.slice(0, width) : fitWidth(plain, width)
  const parts = splitAtMarks(text)
  return parts.length === 1 ? short : `${parts[1]}${short}${parts.at(-2)}`
}

const isDay = /^\d{4}-\d\d-\d\d$/

function shownWidth(text: string): number {
  return displayWidth(plainText(text))
}

function plainText(text: string): string {
  return splitAtMarks(text)
    .filter((_, index) => index % 2 === 0)
    .join('')
}

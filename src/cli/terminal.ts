// Terminal output: colours, aligned tables, one line of progress, and text without control codes.
import { formatDuration, formatSize } from '../core/units.ts'

export interface Terminal {
  /** Writes results to standard output. */
  print(text: string): void
  /** Writes messages to standard error. */
  say(text: string): void
  json(value: unknown): void
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
  const paint = (code: number) => (text: string) => (options.colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    print: (text) => void out.write(`${text}\n`),
    say: (text) => void err.write(`${text}\n`),
    json: (value) => void out.write(`${JSON.stringify(value, null, out.isTTY ? 2 : undefined)}\n`),
    style: { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), blue: paint(34) },
    columns: out.columns ?? 140,
    progress: () => createProgress(err),
  }
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
      err.write(`\r\u001b[K${label} ${bar} ${amount}, ${left} left`)
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

export function table(columns: Column[], rows: string[][], width: number): string {
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

function fit(text: string, width: number): string {
  return plainLength(text) <= width ? text : `${text.slice(0, width - 1)}…`
}

/** Replaces control codes, which a terminal would execute. Keeps line ends and tabs. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

function plainLength(text: string): number {
  return text.replace(/\u001b\[\d+m/g, '').length
}

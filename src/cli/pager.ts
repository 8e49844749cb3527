// Holds the output of a command until it ends, and shows it in a pager if it is longer than the
// screen. Only for commands that print and ask nothing.
import { runProgram } from '../core/shell/run-program.ts'
import { displayWidth } from '../text/display-width.ts'
import type { OutputStream } from './output-stream.ts'

export interface Screen {
  rows: number
  columns: number
  /** A shell command, with its environment; undefined if there is no terminal or no pager. */
  pager: { command: string; env: NodeJS.ProcessEnv } | undefined
}

export interface HeldOutput {
  /** From here on, output is held until `release`. */
  hold(): void
  release(): void
  out(text: string): void
  err(text: string): void
}

export function createHeldOutput(out: OutputStream, err: OutputStream, screen: Screen): HeldOutput {
  let held: { out: string; err: string } | undefined
  return {
    hold() {
      if (screen.pager) held ??= { out: '', err: '' }
    },
    release() {
      if (!held) return
      const { out: text, err: notes } = held
      held = undefined
      if (lineCount(text, screen.columns) < screen.rows || !showInPager(text, screen.pager!)) out.write(text)
      if (notes !== '') err.write(notes)
    },
    out(text) {
      if (held) held.out += text
      else out.write(text)
    },
    err(text) {
      if (held) held.err += text
      else err.write(text)
    },
  }
}

/** Lines on the screen: long ones are wrapped by the terminal. */
export function lineCount(text: string, columns: number): number {
  return text
    .split('\n')
    .slice(0, -1)
    .reduce((count, line) => count + Math.max(1, Math.ceil(displayWidth(withoutStyle(line)) / columns)), 0)
}

function withoutStyle(line: string): string {
  return line.replace(/\u001b\[[\d;]*m/g, '')
}

/** False if there is no such program. Leaving the pager early is no error. */
function showInPager(text: string, { command, env }: NonNullable<Screen['pager']>): boolean {
  const { status, error } = runProgram('sh', ['-c', command], {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    env,
  })
  return !error && status !== 126 && status !== 127
}

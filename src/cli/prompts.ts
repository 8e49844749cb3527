// Asks the user: for consent to changes outside our own folder, for a secret, and for a text in an
// editor.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { temporaryPath } from '../core/leftovers.ts'
import { windowsQuote } from '../core/shell/command-line.ts'
import { runProgram } from '../core/shell/run-program.ts'
import { printable, type Terminal } from './terminal.ts'

export interface ConsentOptions {
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

export type Consent = 'given' | 'missing' | 'refused' | 'not asked'

export async function askForConsent({ say }: Terminal, options: ConsentOptions): Promise<Consent> {
  if (options.dryRun) return 'not asked'
  if (options.yes) return 'given'
  if (options.json || !isInteractive()) {
    say('Nothing was changed. Add --yes to apply the changes.')
    return 'missing'
  }
  if (await askYesNo('Apply these changes?')) return 'given'
  say('Nothing was changed.')
  return 'refused'
}

/** A person can be asked. */
export function isInteractive(): boolean {
  // In this order, because making the stream of standard input takes milliseconds.
  return process.stderr.isTTY === true && process.stdin.isTTY === true
}

/** The exit code of a command that asked for consent. */
export function exitCodeOf(consent: Consent): 0 | 1 | 2 {
  return consent === 'missing' ? 2 : consent === 'refused' ? 1 : 0
}

/** No unless the user says yes. */
export async function askYesNo(question: string): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await askQuestion(`${question} [y/N] `))
}

/** Returns '' when the user ends the input instead of answering. */
export async function askQuestion(question: string): Promise<string> {
  return (await answerOrEnd(question)) ?? ''
}

/** Returns undefined when the user ends the input. `text` stands there to be edited. */
export async function answerOrEnd(question: string, text = ''): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined))
    lines.question(printable(question), (answer) => {
      resolve(answer)
      lines.close()
    })
    if (text !== '') lines.write(printable(text))
  })
}

// A secret from a person at a terminal: nothing of it is shown.

export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY)
    throw new UserError('Cannot ask for the key without a terminal', 'Set RECOLLECT_KEY, or add --key-file <file>.')
  // Raw mode comes before the question: a key pasted at once would be echoed otherwise.
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  stderr.write(printable(question))
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = ''
      stdin.on('data', (piece: string) => {
        for (const character of piece) {
          if (character === '\r' || character === '\n') return resolve(typed)
          if (character === '\u0003' || character === '\u0004')
            return reject(new UserError('Cancelled: no key was entered', 'Nothing was changed.', 1))
          typed = character === '\u007f' || character === '\b' ? typed.slice(0, -1) : typed + character
        }
      })
    })
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stdin.removeAllListeners('data')
    stderr.write('\n')
  }
}

// Single keys, for reviews. Keys that are typed ahead are kept.

export interface KeyReader {
  /** The next key; undefined after Ctrl-C, Ctrl-D or the end of input. */
  next(question: string): Promise<string | undefined>
  /** Has the user edit a text on one line; undefined if the user ends the input. */
  editLine(question: string, text: string): Promise<string | undefined>
  close(): void
}

export function openKeyReader(): KeyReader {
  const { stdin, stderr } = process
  const typed: string[] = []
  let onKey: (() => void) | undefined
  let isEnded = false
  const read = (piece: string) => {
    // An arrow or function key is one key.
    typed.push(...(piece.match(/\u001b(?:\[[\d;]*[A-Za-z~]|O.)?|./gsu) ?? []))
    onKey?.()
  }
  const end = () => {
    isEnded = true
    onKey?.()
  }
  const listen = () => {
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.on('data', read).on('end', end)
    stdin.resume()
  }
  const stop = () => {
    stdin.off('data', read).off('end', end)
    stdin.setRawMode(false)
    stdin.pause()
  }
  listen()
  return {
    async next(question) {
      stderr.write(printable(question))
      while (typed.length === 0 && !isEnded) await new Promise<void>((resolve) => (onKey = resolve))
      onKey = undefined
      const key = typed.shift()
      const isEnd = key === undefined || key === '\u0003' || key === '\u0004'
      stderr.write(isEnd ? '\n' : `${printable(key)}\n`)
      return isEnd ? undefined : key
    },
    async editLine(question, text) {
      stop()
      try {
        return await answerOrEnd(question, text)
      } finally {
        listen()
      }
    },
    close: stop,
  }
}

// A text in the person's own editor.

/**
 * Opens the text in VISUAL or EDITOR and returns the result. As in git, these may have arguments.
 */
export function editText({ machine, layout }: App, name: string, text: string): string {
  if (!isInteractive() && !machine.env.VISUAL && !machine.env.EDITOR)
    throw new UserError('There is no terminal for an editor', 'Set EDITOR to a program that needs none.')
  const editor = machine.env.VISUAL || machine.env.EDITOR || (machine.platform === 'win32' ? 'notepad' : 'vi')
  const folder = temporaryPath(join(layout.run, 'edit')) // a later sweep removes what a killed process leaves
  mkdirSync(folder, { mode: 0o700 })
  const file = join(folder, name)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const { status, error } =
      machine.platform === 'win32'
        ? runProgram(`${editor} ${windowsQuote(file)}`, [], { stdio: 'inherit', shell: true })
        : runProgram('sh', ['-c', `${editor} "$1"`, editor, file], { stdio: 'inherit' })
    if (error || status !== 0)
      throw new UserError(
        `The editor "${editor}" failed: ${error ? error.message : `exit code ${status}`}`,
        'Set VISUAL or EDITOR to your editor.',
      )
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

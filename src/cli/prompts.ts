// Asks the user: for consent to changes outside our own folder, for a model that costs money, for a
// secret, and for a text in an editor.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { runProgram } from '../core/run-program.ts'
import { formatUsd, plural } from '../core/units.ts'
import { modelsMayJudge } from '../learn/context.ts'
import { ledgerUnlessDamaged } from './command.ts'
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
  if (options.json || !process.stdin.isTTY || !process.stderr.isTTY) {
    say('Nothing was changed. Add --yes to apply the changes.')
    return 'missing'
  }
  if (/^\s*y(?:es)?\s*$/i.test(await askQuestion('Apply these changes? [y/N] '))) return 'given'
  say('Nothing was changed.')
  return 'refused'
}

/** The exit code of a command that asked for consent. */
export function exitCodeOf(consent: Consent): 0 | 1 | 2 {
  return consent === 'missing' ? 2 : consent === 'refused' ? 1 : 0
}

/** Returns '' when the user ends the input instead of answering. */
export async function askQuestion(question: string): Promise<string> {
  return (await answerOrEnd(question)) ?? ''
}

/** Returns undefined when the user ends the input. */
export async function answerOrEnd(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined))
    lines.question(printable(question), (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

// A model that costs money, or that the user did not choose, is never used silently: a person at a
// terminal is asked, once.

export async function askForModelConsent(app: App, { say }: Terminal): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || !modelsMayJudge(app)) return
  const [{ setConsent, undecidedProviders: undecided }, { modelContext }, { isPaid }] = await Promise.all([
    import('../models/consent.ts'),
    import('../models/context.ts'),
    import('../models/pricing-class.ts'),
  ])
  const ledger = ledgerUnlessDamaged(app)
  if (!ledger) return
  try {
    const { dailyUsd, dailyCalls } = app.config.models
    for (const name of await undecided(await modelContext({ ...app, ledger }))) {
      const cost = isPaid(name, app.config)
        ? `for at most ${formatUsd(dailyUsd)} and ${plural(dailyCalls, 'call')} a day`
        : 'at no cost'
      say(
        `Recollect can ask ${name} what in your sessions is worth remembering, with\nsecrets removed, ${cost}. Without it, rules decide.`,
      )
      const isYes = /^\s*y(?:es)?\s*$/i.test(await askQuestion(`May it ask ${name}? [y/N] `))
      setConsent(ledger, app.clock, name, isYes ? 'allowed' : 'refused')
      say(`You can change that: recollect models ${isYes ? 'deny' : 'allow'} ${name}`)
    }
  } finally {
    ledger.close()
  }
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

// A text in the person's own editor.

/**
 * Opens the text in VISUAL or EDITOR and returns the result. As in git, these may have arguments.
 */
export function editText({ machine, layout }: App, name: string, text: string): string {
  const editor = machine.env.VISUAL || machine.env.EDITOR || (machine.platform === 'win32' ? 'notepad' : 'vi')
  const folder = mkdtempSync(join(layout.run, 'edit-'))
  const file = join(folder, name)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const { status, error } =
      machine.platform === 'win32'
        ? runProgram(`${editor} "${file}"`, [], { stdio: 'inherit', shell: true })
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

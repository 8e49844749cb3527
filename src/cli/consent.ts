// Nothing outside of our own folder is changed before a person has seen it and said yes.
import type { Terminal } from './terminal.ts'

export interface ConsentOptions {
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

export type Consent = 'given' | 'missing' | 'refused' | 'not asked'

export async function consentTo({ say }: Terminal, options: ConsentOptions): Promise<Consent> {
  if (options.dryRun) return 'not asked'
  if (options.yes) return 'given'
  if (options.json || !process.stdin.isTTY || !process.stderr.isTTY) {
    say('Nothing was done. Add --yes to do it.')
    return 'missing'
  }
  if (/^\s*y(?:es)?\s*$/i.test(await answerTo('Do this? [y/N] '))) return 'given'
  say('Nothing was done.')
  return 'refused'
}

/** What a command ends with where it has not been done. */
export function exitCodeOf(consent: Consent): 0 | 1 | 2 {
  return consent === 'missing' ? 2 : consent === 'refused' ? 1 : 0
}

/** Nothing, when the user ends the input instead of answering. */
export async function answerTo(question: string): Promise<string> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

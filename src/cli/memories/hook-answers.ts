// `recollect recall --hook <agent>`: run by the hook before every prompt if the user enabled it.
// Prints an answer or nothing, also after an error: a failure must not delay or stop the prompt.
import { existsSync } from 'node:fs'
import { createApp } from '../../app.ts'
import { recallForPrompt } from '../../brief/per-prompt.ts'
import { parsePrompt, promptResponse } from '../../brief/prompt-payload.ts'
import { openDatabase } from '../../core/sqlite.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { Terminal } from '../terminal.ts'

export async function answerHook(agent: string, terminal: Terminal): Promise<void> {
  try {
    const answer = answerTo(await payload(), agent)
    if (answer) terminal.print(answer)
  } catch {
    // No answer on any error; `recollect doctor` reports the causes.
  } finally {
    process.stdin.destroy()
  }
}

function answerTo(payload: string, agent: string): string | undefined {
  const app = createApp()
  const { config, layout, machine, clock, zone } = app
  if (!config.recall.perPrompt || machine.env.RECOLLECT_INTERNAL || !existsSync(layout.ledger)) return undefined
  const event = app.agents.find(({ id }) => id === agent)?.hooks?.prompt?.event
  const prompt = parsePrompt(payload, agent)
  if (!event || !prompt) return undefined
  // Opened without migration and with a short timeout: the user is waiting for the prompt.
  const ledger: Ledger = { ...openDatabase(layout.ledger, { pragmas: ['busy_timeout = 200'] }), layout }
  try {
    const text = recallForPrompt({ ledger, nowMs: clock.nowMs(), zone, rules: config.projects }, prompt)
    return text === '' ? undefined : promptResponse(event, text)
  } finally {
    ledger.close()
  }
}

const maxWaitMs = 1500
const maxLength = 1_000_000

/** Reads all of standard input so that the agent is not blocked; keeps at most `maxLength`. */
async function payload(): Promise<string> {
  let text = ''
  const timer = setTimeout(() => process.stdin.destroy(), maxWaitMs)
  try {
    for await (const chunk of process.stdin.setEncoding('utf8')) if (text.length < maxLength) text += chunk
  } finally {
    clearTimeout(timer)
  }
  return text
}

// `recollect recall --hook <agent>`: run by the hook before every prompt, where the user has switched that on. It prints an answer
// or nothing at all, whatever happens: neither the person nor the agent may be kept waiting by it.
import { existsSync } from 'node:fs'
import { createApp } from '../../app.ts'
import { recallForPrompt } from '../../brief/per-prompt.ts'
import { promptAnswer, promptIn } from '../../brief/prompt-payload.ts'
import { openDatabase } from '../../core/sqlite.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { Terminal } from '../terminal.ts'

export async function answerHook(agent: string, terminal: Terminal): Promise<void> {
  try {
    const answer = answerTo(await payload(), agent)
    if (answer) terminal.print(answer)
  } catch {
    // Nothing is the right answer to everything that goes wrong here; `recollect doctor` looks for what is wrong.
  } finally {
    process.stdin.destroy()
  }
}

function answerTo(payload: string, agent: string): string | undefined {
  const app = createApp()
  const { config, layout, machine, clock, zone } = app
  if (!config.recall.perPrompt || machine.env.RECOLLECT_INTERNAL || !existsSync(layout.ledger)) return undefined
  const event = app.agents.find(({ id }) => id === agent)?.hooks?.prompt?.event
  const prompt = promptIn(payload, agent)
  if (!event || !prompt) return undefined
  // As it is: no migration and no long wait before somebody's prompt.
  const ledger: Ledger = { ...openDatabase(layout.ledger, { pragmas: ['busy_timeout = 200'] }), layout }
  try {
    const text = recallForPrompt({ ledger, nowMs: clock.nowMs(), zone, rules: config.projects }, prompt)
    return text === '' ? undefined : promptAnswer(event, text)
  } finally {
    ledger.close()
  }
}

const maxWaitMs = 1500
const maxLength = 1_000_000

/** All of standard input is taken, so that the agent can go on; a payload that is too long is no prompt of a person. */
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

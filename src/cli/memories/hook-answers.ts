// What the program answers for a hook. `recollect recall --hook <agent>` adds memories to a prompt, if
// the user enabled that; `recollect brief --hook <agent>` composes the brief of a session that
// continues, in place of the prepared one that lists it. Both print an answer or nothing, also after
// an error: a failure must not delay or stop the agent.
import { existsSync } from 'node:fs'
import { type App, createApp } from '../../app.ts'
import { composeBrief } from '../../brief/brief.ts'
import { recallForPrompt } from '../../brief/per-prompt.ts'
import { parsePrompt, promptResponse } from '../../brief/prompt-payload.ts'
import { projectOf } from '../../core/project/project.ts'
import { ignoresMemoryIn } from '../../digest/digest.ts'
import { type Ledger, openLedgerForHook } from '../../store/ledger.ts'
import type { Terminal } from '../terminal.ts'

export function answerPrompt(agent: string, terminal: Terminal): Promise<void> {
  return answer(terminal, (app, payload) => {
    const event = app.agents.find(({ id }) => id === agent)?.hooks?.prompt?.event
    const prompt = parsePrompt(payload, agent)
    if (!app.config.recall.perPrompt || !event || !prompt) return undefined
    return withOpenLedger(app, promptWaitMs, (ledger) => {
      const context = { ledger, nowMs: app.clock.nowMs(), zone: app.zone, rules: app.config.projects }
      const text = recallForPrompt(context, prompt)
      return text === '' ? undefined : promptResponse(event, text)
    })
  })
}

/**
 * Prints the brief as a JSON string, after a compaction behind what that dropped. Standard input has
 * the fields that the hook has stored.
 */
export function answerStart(agent: string, terminal: Terminal): Promise<void> {
  return answer(terminal, (app, payload) => {
    const native = /"(?:session_?id|conversation_id)"\s*:\s*"([^"\\]+)"/i.exec(payload)?.[1]
    const session = `${agent}:${native}`
    const { key } = projectOf(process.cwd(), undefined, app.config.projects)
    return withOpenLedger(app, startWaitMs, async (ledger) => {
      // The hook prints the prepared brief if it gets no answer, so this one is empty.
      if (ignoresMemoryIn(ledger, session)) return '""'
      const isCompacted = /"source"\s*:\s*"compact"/.test(payload) && app.config.recall.uncompacts
      const dropped = isCompacted && native ? await droppedIn(app, ledger, session, payload) : ''
      const brief = composeBrief(app.briefContext(ledger), key, session, Buffer.byteLength(JSON.stringify(dropped)))
      const parts = [dropped, brief?.text ?? ''].filter((part) => part !== '')
      return parts.length === 0 ? undefined : JSON.stringify(parts.join('\n'))
    })
  })
}

/** Without what it dropped, the brief is still an answer. */
async function droppedIn(app: App, ledger: Ledger, session: string, payload: string): Promise<string> {
  try {
    const [, path] = /"transcript_?path"\s*:\s*("(?:[^"\\]|\\.)*")/i.exec(payload) ?? []
    const { giveBack } = await import('../../compaction/give-back.ts')
    const { readUncaptured } = await import('../../capture/read-uncaptured.ts')
    const at = session.indexOf(':')
    const place = path && { path: JSON.parse(path) as string, native: session.slice(at + 1) }
    const later = place ? await readUncaptured(app.context(ledger), session.slice(0, at), place) : []
    return giveBack({ ...app, ledger }, session, later).text
  } catch {
    return ''
  }
}

type Answer = string | undefined

async function answer(
  terminal: Terminal,
  answerTo: (app: App, payload: string) => Promise<Answer> | Answer,
): Promise<void> {
  try {
    const app = createApp()
    const text = app.machine.env.RECOLLECT_INTERNAL ? undefined : await answerTo(app, await readPayload())
    if (text) terminal.print(text)
  } catch {
    // No answer on any error; `recollect doctor` reports the causes.
  } finally {
    process.stdin.destroy()
  }
}

/** How long a locked ledger is waited for: the user is waiting for the agent; a compaction is slow itself. */
const promptWaitMs = 200
const startWaitMs = 1000

async function withOpenLedger<T>(
  { layout }: App,
  waitMs: number,
  task: (ledger: Ledger) => T | Promise<T>,
): Promise<T | undefined> {
  if (!existsSync(layout.ledger)) return undefined
  const ledger = openLedgerForHook(layout, waitMs)
  try {
    return await task(ledger)
  } finally {
    ledger.close()
  }
}

const maxWaitMs = 1500
const maxLength = 1_000_000

/** Reads all of standard input so that the agent is not blocked; keeps at most `maxLength`. */
async function readPayload(): Promise<string> {
  let text = ''
  const timer = setTimeout(() => process.stdin.destroy(), maxWaitMs)
  try {
    for await (const chunk of process.stdin.setEncoding('utf8')) if (text.length < maxLength) text += chunk
  } finally {
    clearTimeout(timer)
  }
  return text
}

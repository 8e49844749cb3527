// Detects patterns in a hundred thousand digests, compared with reading and parsing the same rows;
// each in its own process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { isoTime } from '../src/core/clock.ts'
import { digestOf } from '../src/digest/digest.ts'
import { type DigestState, foldEvent, newDigestState } from '../src/digest/digest-state.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { saveDigest } from '../src/store/sessions/digests.ts'
import type { EventSummary } from '../src/store/sessions/events.ts'
import { growSession, openSession, updateSessionDetails } from '../src/store/sessions/sessions.ts'
import { saveUsage } from '../src/store/sessions/usage.ts'
import { measure, peakMemoryArgs } from './measure.ts'

const sessions = 100_000
const child = join(import.meta.dirname, 'patterns-child.ts')
const firstMs = Date.parse('2025-01-01T08:00:00Z')

export function patterns(): void {
  const home = mkdtempSync(join(tmpdir(), 'recollect-bench-patterns-'))
  const machine = { home, env: { RECOLLECT_HOME: join(home, '.recollect') }, platform: process.platform }
  try {
    const ledger = createApp({ machine }).ledger()
    const bytes = fill(ledger)
    ledger.close()
    console.log(`${sessions} digests, ${(bytes / sessions / 1000).toFixed(1)} KB each`)
    const [floor, detected] = measure(
      [
        { name: 'read and parse', args: [...peakMemoryArgs, child, 'floor', home] },
        { name: 'detect', args: [...peakMemoryArgs, child, 'detect', home] },
      ],
      3,
    )
    row('read and parse', floor!.ms, `${floor!.maxRssMb} MB at most`)
    row(
      'detect',
      detected!.ms,
      `${detected!.maxRssMb} MB at most; ${(detected!.ms / floor!.ms).toFixed(2)} times the floor (10 s at most)`,
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function fill(ledger: Ledger): number {
  let bytes = 0
  for (let from = 0; from < sessions; from += 5000) {
    ledger.transaction(() => {
      for (let number = from; number < from + 5000; number++) bytes += addSession(ledger, number)
    })
  }
  return bytes
}

const agents = ['claude-code', 'codex', 'gemini-cli']

function addSession(ledger: Ledger, number: number): number {
  const agent = agents[number % agents.length]!
  const startedMs = firstMs + number * 300_000
  const state = stateOf(number, startedMs)
  const { id } = openSession(ledger, `${agent}:s${number}`, agent, isoTime(startedMs))
  updateSessionDetails(ledger, id, agent, { cwd: `/home/dev/app${number % 40}` })
  const toolCalls = state.kinds.tool_call ?? 0
  growSession(ledger, id, {
    events: 1,
    inherited: 0,
    prompts: 2,
    toolCalls,
    toolErrors: 1,
    started: startedMs,
    ended: startedMs + 240_000,
    forkedFrom: null,
  })
  for (let response = 0; response < 5; response++) {
    const usage = { key: `${number}-${response}`, ts: isoTime(startedMs), model: 'made-up', input: 10, output: 10 }
    const rest = { cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, reasoning: 0 }
    saveUsage(ledger, agent, id, { ...usage, ...rest }, ((number * 7919) % 1000) / 100)
  }
  const { title, outcome, kind } = digestOf(state)
  saveDigest(ledger, { session: id, through: 1, title, outcome, kind, state, digestedAt: isoTime(startedMs) })
  return JSON.stringify(state).length
}

/** A typical session: a task, reads, edits, unique and common failures, a correction, a commit. */
function stateOf(number: number, startedMs: number): DigestState {
  const state = newDigestState()
  let seq = 0
  const take = (event: Partial<EventSummary> & Pick<EventSummary, 'kind'>) =>
    foldEvent(state, {
      id: '',
      role: 'assistant',
      text: '',
      ts: isoTime(startedMs + seq * 2000),
      seq: seq++,
      ...event,
    })
  const run = (command: string, error = '') => {
    const call = `c${seq}`
    take({ kind: 'tool_call', tool: 'Bash', call, input: { command } })
    take({ kind: 'tool_result', tool: 'Bash', call, text: error, ...(error && { error: 'failed' as const, exit: 1 }) })
  }
  const edit = (path: string) => {
    const call = `c${seq}`
    take({ kind: 'tool_call', tool: 'Edit', call, input: { file_path: path } })
    take({ kind: 'edit', call, files: [{ path, change: 'update', added: 3, removed: 1 }] })
    take({ kind: 'tool_result', tool: 'Edit', call })
  }
  take({
    kind: 'prompt',
    role: 'user',
    text: `Make module ${number % 997} of the shop faster, as ticket ${number} says`,
  })
  for (let turn = 0; turn < 6 + (number % 5); turn++) {
    const file = `/home/dev/app${number % 40}/src/part${(number * 31 + turn) % 2000}/file${turn}.ts`
    run(`sed -n 1,200p ${file}`)
    edit(file)
    run(`npm run check${turn % 3}`, (number + turn) % 4 === 0 ? `Error: cannot do ${words(number * 17 + turn)}` : '')
  }
  run('npm test', number % 3 === 0 ? 'TypeError: total is not a function' : '')
  take({
    kind: 'prompt',
    role: 'user',
    text: number % 2 ? `no, keep the ${words(number)} as they were` : 'and the docs',
  })
  run('git add -A && git commit -m done && git push')
  take({ kind: 'reply', text: 'Done.' })
  return state
}

function words(seed: number): string {
  return [seed % 211, (seed * 7) % 1009, (seed * 13) % 307]
    .map((number) => `${'wxyz'[number % 4]}${lettersOf(number)}`)
    .join(' ')
}

function lettersOf(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

function row(name: string, ms: number, note: string): void {
  console.log(`${name.padEnd(20)} ${`${(ms / 1000).toFixed(2)} s`.padStart(8)}  ${note}`)
}

// Measures the page over 50,000 sessions and one of 100,000 events: time of the server and size of
// every view, and the memory of `recollect serve` after all of them were opened.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { sweep } from '../src/sweep.ts'
import { layOut } from './home.ts'
import { type BenchOptions, median } from './measure.ts'
import { captureAndDigest, publicExchanges, writeDistractors } from './pile.ts'

const defaultSessions = 50_000
const longEvents = 100_000
const rounds = 20

export async function page({ sessions }: BenchOptions): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-page-'))
  try {
    const home = join(root, 'home')
    writeDistractors(home, await publicExchanges(), Number(sessions ?? defaultSessions))
    writeLongSession(home)
    const env = { HOME: home, RECOLLECT_HOME: join(root, 'store'), PATH: process.env.PATH }
    const app = createApp({ machine: { home, env, platform: process.platform } })
    const ledger = await captureAndDigest(app)
    // Learning from tens of thousands of sessions takes an hour; the candidates and days come from those below.
    ledger.raw.exec('UPDATE sessions SET learned_through = events, judged_through = events, journaled_through = events')
    ledger.close()
    layOut(home, 0)
    await sweep(app)
    const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--no-open'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await measureViews(await firstLine(server.stdout))
      if (process.platform === 'linux') console.log(`peak memory ${peakMiB(server.pid!)} MiB   goal 200`)
    } finally {
      server.kill('SIGINT')
      await once(server, 'exit')
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const longSession = '0a1b2c3d-0000-4000-8000-000000000000'

/** Prompts, calls with results and replies. */
function writeLongSession(home: string): void {
  const folder = join(home, '.claude/projects/-home-dev-long')
  mkdirSync(folder, { recursive: true })
  const record = (number: number) => {
    const base = {
      uuid: `long-${number}`,
      sessionId: longSession,
      cwd: '/home/dev/long',
      version: '2.1.300',
      timestamp: new Date(Date.UTC(2026, 8, 1) + number * 1000).toISOString(),
    }
    const answer = (content: object) => ({
      ...base,
      type: 'assistant',
      message: { id: `msg-long-${number}`, role: 'assistant', model: 'claude-opus-4-6', content: [content] },
    })
    const user = (content: unknown) => ({ ...base, type: 'user', message: { role: 'user', content } })
    const call = Math.floor(number / 2)
    if (number % 20 === 0) return user(`Step ${number}: go on with the next part of the plan.`)
    if (number % 20 === 19)
      return answer({ type: 'text', text: `Part ${number} is done; ${'it works as planned. '.repeat(10)}` })
    if (number % 2 === 1)
      return answer({ type: 'tool_use', id: `call-${call}`, name: 'Bash', input: { command: `make part${call}` } })
    return user([
      {
        type: 'tool_result',
        tool_use_id: `call-${call - 1}`,
        content: `built part ${call}\n${'line of output\n'.repeat(8)}`,
      },
    ])
  }
  const lines = Array.from({ length: longEvents }, (_, number) => JSON.stringify(record(number)))
  writeFileSync(join(folder, `${longSession}.jsonl`), `${lines.join('\n')}\n`)
}

const long = `/sessions/claude-code%3A${longSession}`
const views = [
  '/',
  '/sessions',
  '/sessions?text=error',
  long,
  `${long}?view=all`,
  `${long}?view=all&at=90000`,
  '/search?q=why+does+the+login+test+fail',
  '/memories',
  '/inbox',
  '/journal',
  '/wiki',
  '/patterns',
  '/cost',
  '/cost?by=model',
  '/files',
  '/health',
]

async function measureViews(link: string): Promise<void> {
  const entered = await fetch(link, { redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
  console.log(`${'view'.padEnd(70)} first   p50   p95 ms    KB`)
  for (const path of views) {
    const times: number[] = []
    let bytes = 0
    for (let round = 0; round <= rounds; round++) {
      const begun = performance.now()
      const answer = await fetch(new URL(path, link), { headers: { cookie } })
      const text = await answer.text()
      times.push(performance.now() - begun)
      bytes = Buffer.byteLength(text)
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    }
    const [first, ...rest] = times
    const p95 = rest.toSorted((a, b) => a - b)[Math.floor(rest.length * 0.95)]!
    const number = (value: number) => value.toFixed(0).padStart(6)
    console.log(
      `${path.slice(0, 70).padEnd(70)}${number(first!)}${number(median(rest))}${number(p95)}    ${number(bytes / 1000)}`,
    )
  }
  console.log('goals: p95 100 ms, reader 50 ms, 150 KB')
}

export async function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const piece of output) {
    text += piece
    if (text.includes('\n')) break
  }
  return text.split('\n')[0]!
}

export function peakMiB(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
}

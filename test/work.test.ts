// From the hook to the ledger: real hooks, real workers, in a home of their own.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { type App, createApp } from '../src/app.ts'
import { systemClock } from '../src/core/clock.ts'
import { hookCommand } from '../src/core/hook-command.ts'
import { tryLock } from '../src/core/lock.ts'
import { shellQuote } from '../src/core/shell/command-line.ts'
import { openDatabase } from '../src/core/sqlite.ts'
import { writeHook } from '../src/hook/script.ts'
import { work } from '../src/work.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName, start } from './program.ts'
import { isProof } from './proof.ts'
import { waitFor } from './wait-for.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
let at: Place
beforeEach(() => {
  at = place({})
})
afterEach(async () => {
  await waitFor(() => workers().length === 0)
  at.remove()
})

describe('recollect work', () => {
  it('captures the turn of a hook event', async () => {
    const transcript = write(0, claudeSession(sessionName(0), 2))
    await fire('claude-code', 'Stop', { session_id: sessionName(0), transcript_path: transcript })
    await waitFor(() => sessionCount() === 1 && workers().length === 0)
    expect(recollect(at, 'sessions', '--json').json()[0]).toMatchObject({ id: uid(0), counts: { prompts: 2 } })
    expect(waiting()).toEqual([])
    expect(existsSync(join(at.store, 'run', 'worker'))).toBe(false)
  })

  it('captures sessions whose own hooks never ran', async () => {
    const transcript = write(0, claudeSession(sessionName(0), 1))
    write(1, claudeSession(sessionName(1), 1))
    await fire('claude-code', 'Stop', { session_id: sessionName(0), transcript_path: transcript })
    await waitFor(() => sessionCount() === 2)
  })

  it('waits for a transcript that is written later than its hook event', async () => {
    const records = claudeSession(sessionName(0), 1)
    const transcript = write(0, records.slice(0, -1))
    spool('claude-code.Stop.1.1', { session_id: sessionName(0), transcript_path: transcript })
    const working = work(app(), { maxLagMs: Number.POSITIVE_INFINITY })
    await waitFor(() => sessionCount() === 1)
    appendFileSync(transcript, lines(records.slice(-1)))
    expect(await working).toMatchObject({ kind: 'done' })
    expect(recollect(at, 'show', sessionName(0), '--json').out).toContain('answer 0: it works')
  })

  it('SPEC C.12: sweep --wait and work --drain handle events that wait', () => {
    write(0, claudeSession(sessionName(0), 1))
    spool('claude-code.SessionEnd.1.1', { session_id: sessionName(0) })
    expect(recollect(at, 'sweep', '--wait').status).toBe(0)
    expect(waiting()).toEqual([])
    spool('claude-code.SessionEnd.1.1', { session_id: sessionName(0) })
    expect(recollect(at, 'work', '--drain', '--json').json()).toMatchObject({ events: 1, failed: 0 })
    const log = recollect(at, 'work', '--log', '--json').json()
    expect(log).toMatchObject([{ what: 'captured' }, { what: 'read' }, { what: 'captured' }])
  })

  it('stores 200 concurrent events of 20 processes and leaves no process behind', async () => {
    const each = Array.from({ length: 200 }, (_, index) => index)
    for (const index of each) write(index, claudeSession(sessionName(index), 1))
    installHook()
    let max = 0
    const looking = setInterval(() => {
      max = Math.max(max, workers().length)
    }, 20)
    const line = (index: number) =>
      `printf '{"session_id":"${sessionName(index)}"}' | ${command('claude-code', 'SessionEnd')}`
    const groups = Array.from({ length: 20 }, (_, group) => each.filter((index) => index % 20 === group))
    await Promise.all(groups.map((group) => shell(group.map(line).join('\n'))))
    await waitFor(() => workers().length === 0 && waiting().length === 0)
    clearInterval(looking)
    expect(countEndEvents()).toBe(200)
    expect(sessionCount()).toBe(200)
    // A worker that ends and the next one may overlap by the moment in which the lock changes hands.
    expect(max).toBeLessThanOrEqual(3)
  })
})

describe('hook events', () => {
  it('store how a session ended, but nothing for an unknown session', () => {
    write(0, claudeSession(sessionName(0), 1))
    spool('claude-code.SessionEnd.1.1', { session_id: sessionName(0), reason: 'prompt_input_exit' })
    spool('claude-code.SessionEnd.2.1', { session_id: 'never-was', reason: 'other' })
    expect(recollect(at, 'work', '--json').json()).toMatchObject({ events: 2, failed: 0 })
    expect(recollect(at, 'show', sessionName(0), '--json').json().session).toMatchObject({
      endReason: 'prompt_input_exit',
    })
    expect(countEndEvents()).toBe(1)
  })

  it.each([
    ['Copilot runs it', 'claude-code.Stop.1.1', { sessionId: 'c1', timestamp: 1758400000000 }, 'copilot-cli'],
    ['Grok runs it', 'claude-code.Stop.1.1', { sessionId: 'g1', hookEventName: 'stop' }, 'grok'],
    ['Cursor runs it', 'claude-code.Stop.1.1', { conversation_id: 'x1' }, 'cursor'],
    [
      'its transcript is of Codex',
      'claude-code.Stop.1.1',
      { session_id: 'x1', transcript_path: '$HOME/.codex/sessions/a.jsonl' },
      'codex',
    ],
    ['nothing else is known', 'claude-code.Stop.1.1', {}, 'claude-code'],
  ])('belong to the right agent when %s', async (_, name, fields, agent) => {
    spool(name, fields)
    await work(app(), { maxLagMs: 0 })
    expect(hookAgents()).toEqual([agent])
  })

  it('that cannot be read are moved to bad/ with the reason, and the rest is processed', () => {
    spool('no-such-agent.Stop.1.1', { session_id: 's1' })
    spool('what is this', {})
    spool('claude-code.Stop.3.1', { session_id: 's1' })
    expect(recollect(at, 'work', '--json').json()).toMatchObject({ events: 1 })
    expect(waiting()).toEqual([])
    const bad = join(at.store, 'spool', 'bad')
    expect(readdirSync(bad).sort()).toEqual([
      'no-such-agent.Stop.1.1',
      'no-such-agent.Stop.1.1.reason',
      'what is this',
      'what is this.reason',
    ])
    expect(readFileSync(join(bad, 'no-such-agent.Stop.1.1.reason'), 'utf8')).toContain(
      'no agent is called no-such-agent',
    )
    expect(recollect(at, 'doctor').out).toContain('spool/bad')
  })
})

describe('worker', () => {
  it.runIf(isProof)('takes over from a killed worker', async () => {
    for (let index = 0; index < 40; index++) write(index, claudeSession(sessionName(index), 20, { padding: 500 }))
    spool('claude-code.Stop.1.1', { session_id: sessionName(0) })
    const first = start(at, 'work')
    await waitFor(() => existsSync(join(at.store, 'run', 'worker')))
    first.kill('SIGKILL')
    await new Promise((resolve) => first.once('exit', resolve))
    expect(existsSync(join(at.store, 'run', 'worker'))).toBe(true)
    await fire('claude-code', 'Stop', { session_id: sessionName(1) })
    await waitFor(() => waiting().length === 0 && sessionCount() === 40)
  })

  it('takes over a stale worker pid file', async () => {
    write(0, claudeSession(sessionName(0), 1))
    const claim = join(at.store, 'run', 'worker')
    mkdirSync(join(at.store, 'run'), { recursive: true })
    writeFileSync(claim, '')
    await fire('claude-code', 'Stop', { session_id: sessionName(0) })
    expect(waiting()).toHaveLength(1)
    utimesSync(claim, 1, 1)
    await fire('claude-code', 'Stop', { session_id: sessionName(0) })
    await waitFor(() => waiting().length === 0 && sessionCount() === 1)
  })

  it.runIf(isProof)('waits for a ledger that another process has locked', async () => {
    write(0, claudeSession(sessionName(0), 1))
    recollect(at, 'sweep')
    write(1, claudeSession(sessionName(1), 1))
    const ledger = openDatabase(join(at.store, 'ledger.db'))
    ledger.raw.exec('BEGIN EXCLUSIVE')
    await fire('claude-code', 'Stop', { session_id: sessionName(1) })
    await waitFor(() => workLog().includes('locked by another program'))
    ledger.raw.exec('ROLLBACK')
    ledger.close()
    await waitFor(() => waiting().length === 0)
    expect(sessionCount()).toBe(2)
  })

  it('SPEC A.31: sets a damaged ledger aside, logs it and captures', async () => {
    write(0, claudeSession(sessionName(0), 1))
    mkdirSync(at.store, { recursive: true })
    const text = 'this is no database, though it is long enough to be taken for one at first'
    writeFileSync(join(at.store, 'ledger.db'), text)
    await fire('claude-code', 'Stop', { session_id: sessionName(0) })
    await waitFor(() => waiting().length === 0 && workers().length === 0)
    expect(sessionCount()).toBe(1)
    const [folder] = readdirSync(join(at.store, 'backups'))
    expect(readFileSync(join(at.store, 'backups', folder!, 'ledger.db'), 'utf8')).toBe(text)
    expect(workLog()).toContain('was damaged (file is not a database); moved to')
  })

  it('keeps the spool and logs the error when the ledger cannot be used', async () => {
    write(0, claudeSession(sessionName(0), 1))
    recollect(at, 'sweep')
    const ledger = openDatabase(join(at.store, 'ledger.db'))
    ledger.raw.exec('PRAGMA user_version = 10000')
    ledger.close()
    await fire('claude-code', 'Stop', { session_id: sessionName(0) })
    await waitFor(() => workLog() !== '' && workers().length === 0)
    expect(waiting()).toHaveLength(1)
    expect(workLog()).toContain('newer Recollect')
    // The next events start no worker for a while: it would fail again.
    for (let event = 0; event < 5; event++) await fire('claude-code', 'Stop', { session_id: sessionName(0) })
    expect(workers()).toEqual([])
    expect(waiting()).toHaveLength(6)
    expect(workLog().trim().split('\n')).toHaveLength(1)
  })
})

describe('events of a worker that has ended', () => {
  it('stay in the spool until they are in the ledger', () => {
    recollect(at, 'sweep')
    const ledger = openDatabase(join(at.store, 'ledger.db'))
    ledger.raw.exec('DROP TABLE last_hook_events')
    ledger.close()
    spool('claude-code.Stop.1.1', { session_id: 's1' })
    expect(recollect(at, 'work').status).toBe(3)
    expect(waiting()).toEqual(['claude-code.Stop.1.1'])
  })

  it('are processed by the next worker, which waits until the previous one has ended', async () => {
    const lock = tryLock(join(at.store, 'run', 'work.lock'), 'work', systemClock)
    spool('claude-code.Stop.1.1', { session_id: 's1' })
    const next = work(app(), { maxHandoverMs: Number.POSITIVE_INFINITY })
    expect(waiting()).toHaveLength(1)
    if (lock.kind === 'held') lock.release()
    expect(await next).toMatchObject({ kind: 'done', report: { events: 1 } })
    expect(waiting()).toEqual([])
  })
})

describe('recollect watch', () => {
  it('captures new sessions and stops on SIGINT', async () => {
    write(0, claudeSession(sessionName(0), 1))
    const child = start(at, 'watch', '--every', '1', '--json')
    await waitFor(() => sessionCount() === 1)
    write(1, claudeSession(sessionName(1), 1))
    await waitFor(() => sessionCount() === 2)
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  })
})

function write(index: number, records: object[]): string {
  const folder = join(at.home, '.claude', 'projects', '-home-dev-app')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${sessionName(index)}.jsonl`)
  writeFileSync(path, lines(records))
  return path
}

function installHook(): void {
  writeHook({ root: at.store, platform: 'linux', node: process.execPath, cli }, agents)
}

/** As agents run it: a line for a shell of its own. */
function command(agent: string, event: string): string {
  const line = hookCommand({ root: at.store, platform: 'linux', node: process.execPath }, agent, event)
  return `sh -c ${shellQuote(line)}`
}

async function fire(agent: string, event: string, payload: object): Promise<void> {
  installHook()
  await shell(`printf '%s' '${JSON.stringify(payload)}' | ${command(agent, event)}`)
}

function shell(script: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: at.home,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: at.home, RECOLLECT_HOME: at.store },
  })
  return new Promise((resolve, reject) =>
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ended with ${code}`)))),
  )
}

function spool(name: string, fields: Record<string, string | number>): void {
  const folder = join(at.store, 'spool')
  mkdirSync(folder, { recursive: true })
  const row = ([key, value]: [string, string | number]) =>
    `"${key}":${JSON.stringify(value).replace('$HOME', at.home)}\n`
  writeFileSync(join(folder, name), `${Object.entries(fields).map(row).join('')}.\n`)
}

function waiting(): string[] {
  const folder = join(at.store, 'spool')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'bad') : []
}

function workLog(): string {
  const path = join(at.store, 'logs', 'work.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function app(): App {
  return createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' } })
}

function uid(index: number): string {
  return `claude-code:${sessionName(index)}`
}

function sessionCount(): number {
  return ask('SELECT count(*) AS answer FROM sessions')[0] as number
}

function countEndEvents(): number {
  return ask(`SELECT count(*) AS answer FROM hook_events WHERE moment = 'end'`)[0] as number
}

function hookAgents(): unknown[] {
  return ask('SELECT agent AS answer FROM last_hook_events')
}

function ask(sql: string): unknown[] {
  if (!existsSync(join(at.store, 'ledger.db'))) return [0]
  const database = openDatabase(join(at.store, 'ledger.db'), { readOnly: true })
  try {
    return database
      .sql(sql)
      .all()
      .map((row) => row.answer)
  } catch {
    return [0] // not made yet, or locked at this moment
  } finally {
    database.close()
  }
}

/** Processes of our program that work for this home. */
function workers(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return line.includes('cli.js\0work') && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(at.store)
    } catch {
      return false
    }
  })
}

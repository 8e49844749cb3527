// One suite for every agent. A fixture is a made-up home as the agent would leave it; expected.json
// beside it is what a person would read from those files. `fixtures/<agent>/env.json` may set
// environment variables; $HOME stands for the fixture's home in both.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Agent, LogTranscript } from '../../src/agents/agent.ts'
import { agents as registered } from '../../src/agents/registry.ts'
import { eventKinds, type Json } from '../../src/core/session.ts'
import { type Collection, collect, outInto, readLog, summarise } from './collect.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
// A reader under development can be tried before it is registered: RECOLLECT_TEST_AGENTS=src/agents/new.ts
const named = process.env.RECOLLECT_TEST_AGENTS?.split(',') ?? []
const agents: readonly Agent[] =
  named.length > 0
    ? (await Promise.all(named.map((path) => import(join(import.meta.dirname, '../..', path))))).flatMap(agentsOf)
    : registered
const temporary: string[] = []
afterEach(() => {
  for (const path of temporary.splice(0)) rmSync(path, { recursive: true, force: true })
})

describe.each(agents.map((agent) => [agent.id, agent] as const))('%s', (id, agent) => {
  it('reads its fixture as expected.json says', () => {
    const { sessions, bad, unknown } = collect(agent, machineOf(id))
    const summary = Object.fromEntries([...sessions].map(([native, session]) => [native, summarise(session)]))
    const expected = JSON.parse(
      readFileSync(join(fixtures, id, 'expected.json'), 'utf8').replaceAll('$HOME', machineOf(id).home),
    )
    expect({ sessions: summary, bad: bad.length, unknown: [...new Set(unknown)].sort() }).toEqual(expected)
  })

  it('sets the fields of every event that later stages need', () => {
    for (const [native, { events }] of collect(agent, machineOf(id)).sessions) {
      expect(native).not.toBe('')
      const keys = new Set<string>()
      for (const event of events) {
        expect(eventKinds).toContain(event.kind)
        expect(event.key).not.toBe('')
        expect(keys.has(event.key)).toBe(false)
        keys.add(event.key)
        if (event.ts !== null) expect(Number.isNaN(Date.parse(event.ts))).toBe(false)
        if (event.kind === 'tool_call') expect(event.tool).toBeTruthy()
        expect(JSON.stringify(event)).not.toMatch(/[A-Za-z0-9+/]{400}/) // images are placeholders, never base64
      }
    }
  })

  it('reads a growing log in steps with the same result as at once', () => {
    const home = copyOfHome(id)
    const whole = collect(agent, machineOf(id, home))
    const stepped: Collection = { sessions: new Map(), bad: [], unknown: [] }
    for (const log of logs(agent, id, home)) growInSteps(log, stepped)
    for (const [native, session] of stepped.sessions) {
      expect(summarise(session), native).toEqual(summarise(whole.sessions.get(native)!))
    }
  })

  it('reads the lines around an unreadable line', () => {
    const home = copyOfHome(id)
    for (const log of logs(agent, id, home)) {
      const lines = readFileSync(log.path, 'latin1').split('\n')
      const before = eventKeys(log)
      writeFileSync(
        log.path,
        ['{"torn":', ...lines].flatMap((line) => ['\u0000\u0000', line, '[]', '{"a":1']).join('\n'),
        'latin1',
      )
      const after = eventKeys(log)
      expect(after.length, relative(home, log.path)).toBeGreaterThanOrEqual(before.length)
    }
  })

  it('does not throw on a home with records of the wrong shape', () => {
    const home = copyOfHome(id)
    for (const path of allFiles(home).filter((path) => /\.(jsonl?|md)$/.test(path))) {
      const source = readFileSync(path, 'utf8')
      for (const change of [swapTypes, dropValues]) {
        writeFileSync(path, source.split('\n').map(change).join('\n'))
        expect(() => collect(agent, machineOf(id, home))).not.toThrow()
      }
      writeFileSync(path, source)
    }
  })
})

function machineOf(id: string, home = join(fixtures, id, 'home')) {
  const file = join(fixtures, id, 'env.json')
  const env = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8').replaceAll('$HOME', home)) as Record<string, string>)
    : {}
  return { home, env, platform: 'linux' as const }
}

function copyOfHome(id: string): string {
  const home = mkdtempSync(join(tmpdir(), 'recollect-agent-'))
  temporary.push(home)
  cpSync(join(fixtures, id, 'home'), home, { recursive: true })
  return home
}

function logs(agent: Agent, id: string, home: string): LogTranscript[] {
  const machine = machineOf(id, home)
  return agent
    .roots(machine)
    .flatMap((root) => [...agent.find(root)].filter((transcript) => transcript.shape === 'log'))
}

/** Cuts the file in the middle of every line and at its end, and reads on from the saved state each time. */
function growInSteps(log: LogTranscript, into: Collection): void {
  const content = readFileSync(log.path)
  const cuts: number[] = []
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) cuts.push(at - Math.min(7, at), at + 1)
  let state: Json | undefined
  let next = 0
  for (const cut of [...cuts, content.length].sort((a, b) => a - b)) {
    writeFileSync(log.path, content)
    truncateSync(log.path, cut)
    const read = readLog(log, outInto(into), state, next)
    state = read.state
    next = read.next
  }
}

function eventKeys(log: LogTranscript): string[] {
  const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
  readLog(log, outInto(collection), undefined, 0)
  return [...collection.sessions.values()].flatMap((session) => session.events.map((event) => event.key))
}

function allFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function swapTypes(line: string): string {
  return line.replace(/:\s*"[^"\\]*"/g, (value, at: number) =>
    at % 3 === 0 ? ':{"x":[1]}' : at % 3 === 1 ? ':[null,7]' : value,
  )
}

function dropValues(line: string): string {
  return line.replace(/:\s*(?:\d+|true|false|\[[^[\]{}]*\])/g, ':null')
}

function agentsOf(module: Record<string, unknown>): Agent[] {
  return Object.values(module)
    .flat()
    .filter((value): value is Agent => typeof value === 'object' && value !== null && 'find' in value)
}

// Broken transcripts: no sweep throws, no file fails, and a broken line takes no other line with it. First every line of
// every log is broken in turn, then homes are broken at random; a failure prints its damage.
import { readFileSync, writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent, LogTranscript, ReaderOutput } from '../src/agents/agent.ts'
import { agents } from '../src/agents/registry.ts'
import { parseLine, readLines } from '../src/core/jsonl.ts'
import type { Event, Json } from '../src/core/session.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { collect } from './agents/collect.ts'
import { contentOf, type Damage, type DamagedLine, damage, damages, linesOf } from './corpus/damage.ts'
import { copyFixture, eventsOf, filesIn, fixtureEnv, type TestHome, testHome } from './corpus/home.ts'
import { sample, scaled } from './proof.ts'

const homesPerAgent = scaled(2, 24)
/** Of each log, one of so many lines is cut. */
const cutEvery = scaled(7, 1)

describe.each(
  sample(
    agents.map((agent) => [agent.id, agent] as const),
    6,
  ),
)('%s', (_, agent) => {
  it('loses the one line that is cut in half, whichever that is', () => {
    const home = fixtureHome(agent)
    try {
      const said = eventsByLine(agent, home)
      for (const path of logsOf(agent, home).map((log) => log.path)) {
        const whole = readFileSync(path)
        for (const { number, bytes } of linesOf(whole)) {
          if (number % cutEvery > 0 || endsCopy.test(bytes.toString())) continue
          const cut = { kind: 'cut', file: 0, line: 0, at: 0.5 } as const
          const lines = linesOf(whole)
          damage(lines.slice(number, number + 1), cut)
          writeFileSync(path, contentOf(lines))
          const events = [...collect(agent, home.machine).sessions.values()].flatMap((session) => session.events)
          expect(lostOf(said, new Set([`${path}:${number}`]), events), `${path}:${number}`).toEqual([])
        }
        writeFileSync(path, whole)
      }
    } finally {
      home.remove()
    }
  })

  it('survives transcripts broken at random', async () => {
    const damaged = fc.asyncProperty(damages, async (all) => {
      const home = fixtureHome(agent)
      try {
        const said = eventsByLine(agent, home)
        const broken = breakFiles(home, all)
        const report = await home.sweep()
        expect(report.failed).toEqual([])
        expect(lostOf(said, broken, eventsIn(home))).toEqual([])
        expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      } finally {
        home.remove()
      }
    })
    await fc.assert(damaged, { numRuns: homesPerAgent })
  })
})

type Said = Pick<Event, 'id' | 'call' | 'text'>

/** A subagent forked by Claude Code begins with a copy of its parent, which ends here; nothing else shows where. */
const endsCopy = /<fork-boilerplate>/

/**
 * Returns events of intact lines that were not stored. An event is recognised by the agent's own ids, or else by its
 * text: what it is called may depend on its neighbours.
 */
function lostOf(said: Map<string, Said[]>, broken: Set<string>, kept: Said[]): Said[] {
  const ids = new Set(kept.flatMap(({ id, call }) => [id, call ?? '']).filter((id) => id !== ''))
  const texts = kept.map(({ text }) => text).join('\n')
  return [...said]
    .flatMap(([line, events]) => (broken.has(line) ? [] : events))
    .filter(({ id, call, text }) => !ids.has(id) && !ids.has(call ?? '') && !texts.includes(text))
}

function fixtureHome({ id }: Agent): TestHome {
  const home = testHome(fixtureEnv(id))
  copyFixture(id, home)
  return home
}

function logsOf({ id }: Agent, home: TestHome): LogTranscript[] {
  return home
    .found()
    .flatMap(({ agent, transcript }) => (agent.id === id && transcript.shape === 'log' ? transcript : []))
}

/** The events that each line of each log leaves, by path and line number. */
function eventsByLine(agent: Agent, home: TestHome): Map<string, Said[]> {
  const whole = [...collect(agent, home.machine).sessions.values()].flatMap((session) => session.events)
  const kept = new Set(whole.map(({ text }) => text))
  return new Map(logsOf(agent, home).flatMap((log) => readByLine(log, kept)))
}

/** What a reader hands over while it reads a line, as far as the line itself holds the text. */
function readByLine(log: LogTranscript, kept: Set<string>): [line: string, said: Said[]][] {
  const lines: [string, Said[]][] = []
  let said: Said[] = []
  const out: ReaderOutput = {
    session: () => ({ about() {}, usage() {}, event: (event) => void said.push(event) }),
    isFull: () => false,
    problem() {},
    unknownType() {},
    rateLimits() {},
  }
  const reader = log.open(out, undefined)
  for (const { bytes, offset } of readLines(log.path)) {
    said = []
    const { records } = log.isNoise?.(bytes) ? { records: [] } : parseLine(bytes)
    for (const record of records) reader.record(record, offset)
    const own = records.flatMap(stringsIn)
    const its = said.filter(({ text }) => kept.has(text) && own.some((value) => value.includes(text)))
    lines.push([`${log.path}:${lines.length}`, its])
  }
  return lines
}

function stringsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function eventsIn(home: TestHome): Said[] {
  return home.look((ledger) => listSessions(ledger).flatMap(({ id }) => eventsOf(ledger, id)))
}

/** Applies the damage and names the lines that are no longer what they were. */
function breakFiles(home: TestHome, all: Damage[]): Set<string> {
  const files = filesIn(home.path).map((path) => ({ path, lines: linesIn(path) }))
  for (const one of all) damage(files[Math.floor(one.file * files.length)]!.lines, one)
  const broken = new Set<string>()
  for (const { path, lines } of files) {
    const whole = linesIn(path)
    const isTouched = (line: number) => lines.every(({ number, isTouched }) => number !== line || isTouched)
    const endsUnseen = whole.some(({ number, bytes }) => isTouched(number) && endsCopy.test(bytes.toString()))
    for (const { number } of whole) if (endsUnseen || isTouched(number)) broken.add(`${path}:${number}`)
    writeFileSync(path, contentOf(lines))
  }
  return broken
}

/** Documents and databases are broken as a whole. */
function linesIn(path: string): DamagedLine[] {
  const content = readFileSync(path)
  if (/\.(?:jsonl|md|txt)$/.test(path)) return linesOf(content)
  return [{ bytes: content, isTouched: false, number: 0, isGlued: true }]
}

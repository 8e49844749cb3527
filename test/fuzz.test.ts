// Transcripts broken at random, swept by the whole program: it never throws, no file fails, and a broken line takes no
// other line with it. The seed is fixed; a failure prints the damage that caused it.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogTranscript, Out } from '../src/agents/agent.ts'
import { agents } from '../src/agents/registry.ts'
import { parseLine, readLines } from '../src/core/jsonl.ts'
import type { Event, Json } from '../src/core/session.ts'
import { listSessions } from '../src/store/sessions.ts'
import { contentOf, type Damage, type DamagedLine, damage, damages, linesOf } from './corpus/damage.ts'
import { eventsOf, fixtureEnv, fixtures, type TestHome, testHome } from './corpus/home.ts'

// More of it: RECOLLECT_FUZZ=<seed>,<homes per agent>
const [seed = 20_260_901, runs = 30] = process.env.RECOLLECT_FUZZ?.split(',').map(Number) ?? []
/** Half a second for a home of a few small files: whoever takes longer hangs. */
const timeLimitMs = runs * 500
console.log(`fuzz: seed ${seed}, ${runs} homes per agent`)

describe.each(agents.map(({ id }) => id))('%s', (id) => {
  it(
    'survives transcripts broken at random',
    async () => {
      const said = await eventsByLine(id)
      await fc.assert(
        fc.asyncProperty(damages, async (all) => {
          const home = fixtureHome(id)
          try {
            const untouched = breakFiles(home, all)
            const report = await home.sweep()
            expect(report.failed).toEqual([])
            expect(
              lostOf(
                untouched.flatMap((line) => said.get(line) ?? []),
                eventsIn(home),
              ),
            ).toEqual([])
            expect(({} as Record<string, unknown>).polluted).toBeUndefined()
          } finally {
            home.remove()
          }
        }),
        { seed, numRuns: runs, interruptAfterTimeLimit: timeLimitMs, markInterruptAsFailure: true },
      )
    },
    timeLimitMs * 2,
  )
})

type Said = Pick<Event, 'id' | 'text'>

/** An event is recognised by the agent's own id, or else by its text: what it is called may depend on its neighbours. */
function lostOf(said: Said[], kept: Said[]): Said[] {
  const ids = new Set(kept.map(({ id }) => id))
  const texts = kept.map(({ text }) => text).join('\n')
  return said.filter(({ id, text }) => !(id !== '' && ids.has(id)) && !texts.includes(text))
}

function fixtureHome(id: string): TestHome {
  const home = testHome(fixtureEnv(id))
  cpSync(join(fixtures, id, 'home'), home.path, { recursive: true })
  return home
}

/** Applies the damage and names the lines that are still as they were. */
function breakFiles(home: TestHome, all: Damage[]): string[] {
  const files = readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const broken = new Map<string, DamagedLine[]>()
  for (const path of files) {
    const content = readFileSync(path)
    const isLines = /\.(?:jsonl|md|txt)$/.test(path)
    broken.set(path, isLines ? linesOf(content) : [{ bytes: content, isTouched: false, number: 0, isGlued: true }])
  }
  for (const one of all) damage(broken.get(files[Math.floor(one.file * files.length)]!)!, one)
  return [...broken].flatMap(([path, lines]) => {
    const original = readFileSync(path)
    writeFileSync(path, contentOf(lines))
    const wasBroken = (line: number) => lines.every(({ number, isTouched }) => number !== line || isTouched)
    if (linesOf(original).some(({ bytes, number }) => endsCopy.test(bytes.toString()) && wasBroken(number))) return []
    return lines.filter((line) => !line.isTouched).map(({ number }) => `${relative(home.path, path)}:${number}`)
  })
}

/** A subagent forked by Claude Code begins with a copy of its parent, which ends here: without this nobody can tell. */
const endsCopy = /<fork-boilerplate>/

/** What each line of each log of the whole fixture leaves in the ledger. */
async function eventsByLine(id: string): Promise<Map<string, Said[]>> {
  const home = fixtureHome(id)
  try {
    await home.sweep()
    const kept = new Set(eventsIn(home).map(({ text }) => text))
    const found = new Map<string, Said[]>()
    for (const { transcript, agent } of home.found()) {
      if (agent.id !== id || transcript.shape !== 'log') continue
      for (const [number, said] of readByLine(transcript)) {
        found.set(
          `${relative(home.path, transcript.path)}:${number}`,
          said.filter(({ text }) => kept.has(text)),
        )
      }
    }
    return found
  } finally {
    home.remove()
  }
}

/** The events that a reader hands over while it reads a line, as far as the line itself holds their text. */
function readByLine(transcript: LogTranscript): Map<number, Said[]> {
  const found = new Map<number, Said[]>()
  let said: Said[] = []
  const out: Out = {
    session: () => ({ about() {}, usage() {}, event: ({ id, text }) => void said.push({ id, text }) }),
    bad() {},
    unknown() {},
  }
  const reader = transcript.open(out, undefined)
  let number = 0
  for (const { bytes, offset } of readLines(transcript.path)) {
    said = []
    const { records } = transcript.isNoise?.(bytes) ? { records: [] } : parseLine(bytes)
    for (const record of records) reader.record(record, offset)
    const own = records.flatMap(stringsIn)
    found.set(
      number++,
      said.filter(({ text }) => own.some((value) => value.includes(text))),
    )
  }
  return found
}

function stringsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function eventsIn(home: TestHome): Said[] {
  return home.look((ledger) => listSessions(ledger).flatMap(({ id }) => eventsOf(ledger, id)))
}

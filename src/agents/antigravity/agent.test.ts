import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto, readLog } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import type { LogTranscript } from '../agent.ts'
import { antigravity } from './agent.ts'

const fixture = join(import.meta.dirname, '../../../test/agents/fixtures/antigravity/home/.gemini/antigravity-cli')
const main = '5f1e0a10-aaaa-4000-8000-000000000001'
const child = '5f1e0a10-dddd-4000-8000-000000000004'

describe('Antigravity', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'recollect-antigravity-'))
    cpSync(fixture, root, { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('reads one of the two transcripts, and finds the same events in either', () => {
    const complete = logOf(main)
    expect(complete.path).toMatch(/transcript_full\.jsonl$/)
    const keys = read(complete)
      .sessions.get(main)!
      .events.map(({ key }) => key)

    rmSync(complete.path)
    const cut = logOf(main)
    expect(cut.path).toMatch(/transcript\.jsonl$/)
    const found = read(cut)
      .sessions.get(main)!
      .events.map(({ key }) => key)
    expect(found.length).toBeGreaterThan(5)
    expect(keys).toEqual(expect.arrayContaining(found))
  })

  it('reads what precedes a transcript that an update began, in the files before it', () => {
    const [full, cut] = ['transcript_full.jsonl', 'transcript.jsonl'].map((name) => logFile(name))
    const lines = readFileSync(full!, 'utf8').trimEnd().split('\n')
    const textsOf = () =>
      read(logOf(main))
        .sessions.get(main)!
        .events.map(({ key, text }) => [key, text])
    const whole = textsOf()
    const numberOf = (line: string) => (JSON.parse(line) as { step_index: number }).step_index
    const save = (path: string, from: number, to: number) =>
      writeFileSync(path, `${lines.filter((line) => numberOf(line) >= from && numberOf(line) < to).join('\n')}\n`)

    save(full!, 20, 99)
    save(cut!, 8, 99)
    save(logFile('overview.txt'), 0, 30)
    expect(textsOf().toSorted()).toEqual(whole.toSorted())

    writeFileSync(full!, '') // it was created, but nothing is in it yet
    save(cut!, 0, 99)
    expect(textsOf()).toEqual(whole)
  })

  it('reads the tokens of calls that are new, and of the last one again', () => {
    const first: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const { state, next } = readLog(logOf(main), outInto(first), undefined, 0)
    expect(tokensOf(first)).toEqual([1000, 200, 30])

    const database = new DatabaseSync(join(root, 'conversations', `${main}.db`))
    database.exec(`UPDATE gen_metadata SET data = (SELECT data FROM gen_metadata WHERE idx = 1) WHERE idx = 4;
      UPDATE gen_metadata SET data = NULL WHERE idx = 0;`)
    database.close()
    expect(tokensOf(read(logOf(main), state, next))).toEqual([200])
  })

  it('reads the tokens of all calls again if the last one has gone', () => {
    const { state, next } = readLog(logOf(main), outInto({ sessions: new Map(), bad: [], unknown: [] }), undefined, 0)
    const database = new DatabaseSync(join(root, 'conversations', `${main}.db`))
    database.exec('DELETE FROM gen_metadata WHERE idx > 1')
    database.close()
    expect(tokensOf(read(logOf(main), state, next))).toEqual([1000, 200])
  })

  it('takes the first text of a conversation for a prompt if no other one started it', () => {
    const parent = logOf(main).path
    expect(promptsOf(read(logOf(child)))).toEqual(['and the temperature?'])

    writeFileSync(parent, readFileSync(parent, 'utf8').replaceAll('logAbsoluteUri', 'other'))
    expect(promptsOf(read(logOf(child)))).toEqual(['Measure the pressure.', 'and the temperature?'])
  })

  it('does not search transcripts that ended before the conversation began', () => {
    const before = Date.UTC(2026, 2, 1) / 1000
    utimesSync(logOf(main).path, before, before)
    expect(promptsOf(read(logOf(child)))).toHaveLength(2)
  })

  function logFile(name: string): string {
    return join(root, 'brain', main, '.system_generated', 'logs', name)
  }

  function logOf(id: string): LogTranscript {
    return [...antigravity.find(root)].find(({ path }) => path.includes(`/brain/${id}/`)) as LogTranscript
  }
})

function read(log: LogTranscript, state?: Json, from = 0): Collection {
  const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
  readLog(log, outInto(collection), state, from)
  return collection
}

function tokensOf({ sessions }: Collection): number[] {
  return sessions.get(main)!.usages.map(({ input }) => input)
}

function promptsOf({ sessions }: Collection): string[] {
  return sessions.get(child)!.events.flatMap(({ kind, text }) => (kind === 'prompt' ? [text] : []))
}

import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { discover } from '../src/capture/discover.ts'
import { type CaptureResult, readInThreads } from '../src/capture/reading/read-changed.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { isProof } from './proof.ts'

let home: TestHome
let ledger: Ledger
beforeEach(() => {
  home = testHome()
  ledger = createApp({ machine: home.machine }).ledger()
})
afterEach(() => {
  ledger.close()
  home.remove()
})

const session = (index: number, turns = 2) =>
  home.write(`.claude/projects/-a/${sessionName(index)}.jsonl`, lines(claudeSession(sessionName(index), turns)))

async function read(
  limits: Parameters<typeof readInThreads>[3],
  changed = discover(createApp({ machine: home.machine })),
): Promise<CaptureResult[]> {
  const app = createApp({ machine: home.machine })
  const results: CaptureResult[] = []
  for await (const result of readInThreads(app, { changed, cursors: new Map() }, ledger, limits)) results.push(result)
  return results
}

function readPaths(results: CaptureResult[]): string[] {
  return results.flatMap((result) =>
    result.kind === 'batch' ? result.batch.ends.map(({ cursor }) => cursor.path) : [],
  )
}

describe('readInThreads', () => {
  it.runIf(isProof)('reports the one transcript that takes too much memory, and reads the others', async () => {
    const good = [1, 2, 3, 5, 6, 7].map((index) => session(index))
    const bad = session(4)
    const lists = Array.from({ length: 18 }, () => `[${'"abcd",'.repeat(99_000)}"x"]`).join(',')
    const block = `{"type":"tool_use","id":"call","name":"Edit","input":{"lists":[${lists}]}}`
    writeFileSync(
      bad,
      `${lines(claudeSession(sessionName(4), 1))}{"type":"assistant","uuid":"u","sessionId":"${sessionName(4)}","message":{"role":"assistant","content":[${block}]}}\n`,
    )
    const results = await read({ smallHeapMb: 40, largeHeapMb: 44 })
    const offset = Buffer.byteLength(lines(claudeSession(sessionName(4), 1)))
    expect(results.filter(({ kind }) => kind === 'failed')).toEqual([
      {
        kind: 'failed',
        failure: { path: bad, offset, reason: 'reading it takes more than 44 MB of memory', isRetried: false },
      },
    ])
    expect(readPaths(results).sort()).toEqual(good.sort())
  })

  it('reads a line that is too long for the small heap in a thread with a large one', async () => {
    const paths = [session(1), session(2, 40), session(3)]
    const results = await read({ maxLength: 400 })
    expect(new Set(readPaths(results))).toEqual(new Set(paths))
    expect(results.every(({ kind }) => kind === 'batch')).toBe(true)
  })

  it('gives threads a few transcripts at a time, and skips one that was deleted since', async () => {
    const paths = [1, 2, 3, 4, 5].map((index) => session(index))
    const changed = discover(createApp({ machine: home.machine }))
    rmSync(paths[1]!)
    const results = await read({ maxTogether: 2 }, changed)
    expect(readPaths(results).sort()).toEqual(paths.filter((path) => path !== paths[1]).sort())
  })
})

// The index after random writes, deletions, rollbacks and merges, compared with a plain map of what
// every passage contains.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../test/random.ts'
import { openDatabase, type SqliteDatabase } from '../../core/sqlite.ts'
import { readSchema } from '../ledger.ts'
import { addJsonFunctions } from '../packed-json.ts'
import { bestPassages } from './passage-search.ts'
import {
  compactIndex,
  deletePassages,
  deleteStandalone,
  type PassageSource,
  passageId,
  replaceStandalone,
  sessionPassageIds,
  writePassages,
} from './passages.ts'
import { checkSearchIndex } from './postings/check.ts'
import { documentFrequency, indexSize, termsWithPrefix } from './postings/lookup.ts'

let ledger: SqliteDatabase
beforeEach(() => {
  ledger = openDatabase(':memory:')
  addJsonFunctions(ledger)
  ledger.raw.exec(readSchema())
})
afterEach(() => ledger.close())

const event = (session: number, seq: number): PassageSource => ({ kind: 'event', session, seq })
const memory = (number: number) => ({ kind: 'memory' as const, number })
const write = (source: PassageSource, said: string, ts = 0) =>
  writePassages(ledger, { source, role: 'human', ts, said }, null)
const found = (...any: string[]) => bestPassages(ledger, { any }, {}, 1000).sort((a, b) => a - b)
const segments = () => Number(ledger.sql('SELECT count(*) AS count FROM passage_segments').get()!.count)
const deletions = () => Number(ledger.sql('SELECT count(*) AS count FROM passage_deletions').get()!.count)

describe('bestPassages', () => {
  it('reads the rarest terms within a limit of postings, and four in any case', () => {
    const rare = ['lamp', 'sail', 'rope', 'anchor']
    for (let number = 1; number <= 20; number++) write(memory(number), `harbour ${rare[number] ?? ''}`)
    const within = (maxPostings: number, ...any: string[]) => bestPassages(ledger, { any, maxPostings }, {}, 50).length
    expect(within(10, 'harbour', ...rare)).toBe(3)
    expect(within(100, 'harbour', ...rare)).toBe(20)
    expect(within(10, 'harbour')).toBe(20)
  })
})

describe('the index', () => {
  it('agrees with its passages after any writes', () => {
    const random = randomNumbers()
    const pick = (count: number) => Math.floor(random() * count)
    const word = () => `w${pick(30)}`
    const words = () => Array.from({ length: 1 + pick(6) }, word)
    let texts = new Map<number, string[]>()
    const change = () => {
      const said = words()
      const kind = pick(5)
      if (kind === 0) {
        const session = 1 + pick(4)
        const { from, to } = sessionPassageIds(session, pick(20))
        deletePassages(ledger, from, to)
        for (const id of texts.keys()) if (id >= from && id <= to) texts.delete(id)
      } else if (kind === 1) {
        const source = memory(1 + pick(12))
        deleteStandalone(ledger, source)
        texts.delete(passageId(source, 0))
      } else if (kind === 2) {
        const source = memory(1 + pick(12))
        replaceStandalone(ledger, { source, role: 'note', ts: 0, said: said.join(' ') })
        texts.set(passageId(source, 0), said)
      } else {
        const source = event(1 + pick(4), pick(20))
        if (texts.has(passageId(source, 0))) return
        write(source, said.join(' '))
        texts.set(passageId(source, 0), said)
      }
    }
    const check = () => {
      for (let number = 0; number < 30; number++) {
        const having = [...texts].filter(([, said]) => said.includes(`w${number}`)).map(([id]) => id)
        expect(found(`w${number}`)).toEqual(having.sort((a, b) => a - b))
      }
      expect(indexSize(ledger).passages).toBe(texts.size)
    }
    for (let round = 0; round < 150; round++) {
      const before = new Map(texts)
      try {
        ledger.transaction(() => {
          for (let step = pick(12); step >= 0; step--) change()
          if (round % 5 === 0) check()
          if (round % 7 === 0) throw new Error('rolled back')
        })
      } catch (error) {
        if ((error as Error).message !== 'rolled back') throw error
        texts = before
      }
      check()
      if (round % 40 === 39) compactIndex(ledger)
    }
    expect(checkSearchIndex(ledger)).toBe('ok')
  })

  it('counts a term exactly once deleted passages are removed', () => {
    for (let number = 1; number <= 5; number++) write(memory(number), 'lighthouse keeper')
    deleteStandalone(ledger, memory(2))
    compactIndex(ledger)
    expect(documentFrequency(ledger, 'lighthous')).toBe(4)
    expect(deletions()).toBe(0)
  })

  it('leaves no word of deleted passages after compaction', () => {
    write(event(1, 0), 'the heliotrope secret')
    write(event(2, 0), 'something else')
    const { from, to } = sessionPassageIds(1)
    deletePassages(ledger, from, to)
    compactIndex(ledger)
    const blocks = ledger.sql('SELECT data FROM passage_blocks').all()
    expect(blocks.some(({ data }) => Buffer.from(data as Uint8Array).includes('heliotrop'))).toBe(false)
    expect(found('els')).toEqual([passageId(event(2, 0), 0)])
  })

  it('merges segments as they become many', () => {
    for (let number = 1; number <= 500; number++) write(memory(number), `word${number % 10} common`)
    expect(segments()).toBeLessThan(25)
    expect(found('common')).toHaveLength(500)
    expect(documentFrequency(ledger, 'word3')).toBe(50)
  })

  it('does not grow when a memory changes without its words', () => {
    const content = { source: memory(1), role: 'note' as const, said: 'use pnpm for installs' }
    replaceStandalone(ledger, { ...content, ts: 1 })
    replaceStandalone(ledger, { ...content, ts: 2 })
    expect([segments(), deletions()]).toEqual([1, 0])
    expect(ledger.sql('SELECT ts FROM passages').get()!.ts).toBe(2)
    replaceStandalone(ledger, { ...content, said: 'use yarn for installs', ts: 3 })
    expect([found('pnpm'), found('yarn')]).toEqual([[], [passageId(memory(1), 0)]])
  })

  it('is read within the transaction that writes it', () => {
    ledger.transaction(() => {
      write(memory(1), 'harbour')
      expect(found('harbour')).toEqual([passageId(memory(1), 0)])
      expect(documentFrequency(ledger, 'harbour')).toBe(1)
      expect(termsWithPrefix(ledger, 'harb', 5)).toEqual([{ term: 'harbour', count: 1 }])
      deleteStandalone(ledger, memory(1))
      expect(found('harbour')).toEqual([])
    })
    expect(found('harbour')).toEqual([])
  })

  it('finds phrases in order, and not across what was said and done', () => {
    write(event(1, 0), 'green lighthouse at night')
    write(event(1, 1), 'lighthouse green')
    writePassages(
      ledger,
      { source: event(1, 2), role: 'human', ts: 0, said: 'paint it green', done: 'lighthouse.ts' },
      null,
    )
    const phrase = ['green', 'lighthous']
    expect(bestPassages(ledger, { any: [], phrases: [phrase] }, {}, 9)).toEqual([passageId(event(1, 0), 0)])
    expect(bestPassages(ledger, { any: ['green'], without: [phrase] }, {}, 9).sort((a, b) => a - b)).toEqual([
      passageId(event(1, 1), 0),
      passageId(event(1, 2), 0),
    ])
  })

  it('finds passages since a time', () => {
    write(event(1, 0), 'early harbour', 10)
    write(event(1, 1), 'late harbour', 20)
    expect(bestPassages(ledger, { any: ['harbour'] }, { sinceMs: 15 }, 9)).toEqual([passageId(event(1, 1), 0)])
  })

  it('keeps long lists apart', () => {
    ledger.transaction(() => {
      for (let seq = 0; seq < 3000; seq++) write(event(1 + (seq % 7), seq), `common word${seq}`)
    })
    expect(ledger.sql('SELECT count(*) AS count FROM passage_blocks WHERE term IS NULL').get()!.count).toBe(1)
    expect(bestPassages(ledger, { any: ['common'] }, {}, 5000)).toHaveLength(3000)
    expect(checkSearchIndex(ledger)).toBe('ok')
  })
})

describe('checkSearchIndex', () => {
  beforeEach(() => void write(memory(1), 'harbour lights'))

  it.each([
    ['a damaged block', 'UPDATE passage_blocks SET data = zeroblob(40)'],
    ['a missing block', 'DELETE FROM passage_blocks'],
    ['a missing row', 'DELETE FROM passages'],
  ])('reports %s', (_, sql) => {
    expect(checkSearchIndex(ledger)).toBe('ok')
    ledger.raw.exec(sql)
    expect(checkSearchIndex(ledger)).not.toBe('ok')
  })
})

import { describe, expect, it } from 'vitest'
import { briefSources } from './brief-answer.ts'
import type { AskSource } from './citations.ts'

function source(id: string, kind: AskSource['kind'], share: number, text = id): AskSource {
  const place = { session: null, seq: null, journal: null, day: '2026-09-01', at: '2026-09-01', article: null }
  return { kind, id, text, share, isNear: true, ...place }
}

const ids = (sources: AskSource[]) => briefSources(sources).map(({ id }) => id)

describe('briefSources', () => {
  it('leaves out quotes that mention no more of the subject than a statement', () => {
    const rule = source('rule', 'memory', 0.7)
    expect(ids([rule, source('less', 'exchange', 0.5), source('more', 'exchange', 1)])).toEqual(['rule', 'more'])
  })

  it('fits on a terminal, but always has the first source', () => {
    const long = 'word '.repeat(250)
    expect(ids([source('a', 'memory', 1, long), source('b', 'memory', 1)])).toEqual(['a'])
    const many = Array.from({ length: 9 }, (_, at) => source(`m${at}`, 'memory', 1))
    expect(ids(many)).toEqual(['m0', 'm1', 'm2', 'm3'])
  })

  it('shortens quotes at the end of a sentence', () => {
    const text = `[2026-09-01 codex 01#2]\nperson: ${'This is a sentence. '.repeat(30)}`
    const [quote] = briefSources([source('talk', 'exchange', 1, text)])
    expect(quote!.text.length).toBeLessThan(360)
    expect(quote!.text).toMatch(/sentence\.\s?…?$/)
  })
})

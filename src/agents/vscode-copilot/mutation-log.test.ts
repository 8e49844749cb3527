import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { replayLog } from './mutation-log.ts'

const start = { kind: 0, v: { requests: [{ response: ['a', 'b', 'c'] }], inputState: { inputText: '' } } }

describe('replayLog', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-log-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function replay(lines: Json[]) {
    const path = join(folder, 's1.jsonl')
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    return { state: replayLog(path, outInto(collection)), ...collection }
  }
  const responseAfter = (...lines: Json[]) => {
    const [request] = replay([start, ...lines]).state.requests as { response: Json }[]
    return request!.response
  }

  it.each([
    ['sets a value', { kind: 1, k: ['requests', 0, 'response'], v: ['x'] }, ['x']],
    ['sets an element', { kind: 1, k: ['requests', 0, 'response', 1], v: 'x' }, ['a', 'x', 'c']],
    ['appends', { kind: 2, k: ['requests', 0, 'response'], v: ['d'] }, ['a', 'b', 'c', 'd']],
    ['cuts and appends', { kind: 2, k: ['requests', 0, 'response'], v: ['d'], i: 1 }, ['a', 'd']],
    ['only cuts', { kind: 2, k: ['requests', 0, 'response'], i: 2 }, ['a', 'b']],
    ['deletes', { kind: 3, k: ['requests', 0, 'response'] }, undefined],
    ['begins again', { kind: 0, v: { requests: [{ response: 'new' }] } }, 'new'],
  ])('%s', (_, line, response) => {
    expect(responseAfter(line)).toEqual(response)
  })

  it('creates a list that was not there', () => {
    expect(replay([start, { kind: 2, k: ['pendingRequests'], v: [1] }]).state.pendingRequests).toEqual([1])
  })

  it('skips what is typed into the input field', () => {
    const { state } = replay([start, { kind: 1, k: ['inputState', 'inputText'], v: 'unsent' }])
    expect(state.inputState).toEqual({ inputText: '' })
  })

  it.each([
    ['a request that is not there', { kind: 1, k: ['requests', 5, 'vote'], v: 1 }],
    ['an element far behind the end', { kind: 1, k: ['requests', 4_000_000_000], v: {} }],
    ['what all objects share', { kind: 1, k: ['__proto__', 'polluted'], v: 1 }],
    ['the prototype itself', { kind: 1, k: ['__proto__'], v: { polluted: 1 } }],
    ['a member of a text', { kind: 1, k: ['requests', 0, 'response', 0, 'x'], v: 1 }],
    ['no path', { kind: 1, v: 1 }],
  ])('reports a change of %s', (_, line) => {
    const { state, bad } = replay([start, line])
    expect(state).toEqual(start.v)
    expect(bad).toHaveLength(1)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('does not cut a list beyond its end', () => {
    expect(responseAfter({ kind: 2, k: ['requests', 0, 'response'], i: 4_000_000_000 })).toEqual(['a', 'b', 'c'])
  })

  it('reports a kind that it does not know', () => {
    expect(replay([start, { kind: 9, k: ['x'] }]).unknown).toEqual(['change of kind 9'])
  })

  it('reads ten thousand changes of one response', () => {
    const grow = Array.from({ length: 10_000 }, (_, index) => ({ kind: 2, k: ['requests', 0, 'response'], v: [index] }))
    expect(responseAfter(...grow)).toHaveLength(10_003)
  })
})

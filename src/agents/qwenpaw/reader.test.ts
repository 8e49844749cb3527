import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readSessionFile } from './reader.ts'

describe('readSessionFile', () => {
  let workspace = ''
  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'recollect-qwenpaw-'))
    mkdirSync(join(workspace, 'dialog'))
  })
  afterEach(() => rmSync(workspace, { recursive: true, force: true }))

  const message = (id: string, role: string, text: string) => ({
    ...{ id, name: role, role, content: [{ type: 'text', text }] },
    timestamp: '2026-03-16 09:00:00.000',
  })

  it('keeps messages that were summarised and moved', () => {
    const [asked, answered] = [message('m1', 'user', 'Light it'), message('m2', 'assistant', 'Lit.')]
    write([asked, answered])
    const memo = read(undefined).memo
    expect(memo).toEqual({ m1: '2026-03-16', m2: '2026-03-16' })

    const ofAnother = message('x1', 'user', 'A message of another session')
    const lines = [asked, ofAnother, answered].map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(join(workspace, 'dialog', '2026-03-16.jsonl'), lines.join(''))
    write([message('m3', 'user', 'Dim it')], 'The lamp was lit.')
    expect(read(memo).events).toEqual([
      'prompt Light it',
      'reply Lit.',
      'compaction The lamp was lit.',
      'prompt Dim it',
    ])
  })

  function write(messages: object[], summary = ''): void {
    const memory = { content: messages.map((one) => [one, []]), _compressed_summary: summary }
    writeFileSync(join(workspace, 'main.json'), JSON.stringify({ agent: { memory } }))
  }

  function read(known: Parameters<typeof readSessionFile>[2]) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const place = { path: join(workspace, 'main.json'), workspace, agent: 'default' }
    const memo = readSessionFile(place, outInto(collection), known)
    const events = [...collection.sessions.values()].flatMap((session) => session.events)
    return { memo, events: events.map(({ kind, text }) => `${kind} ${text}`) }
  }
})

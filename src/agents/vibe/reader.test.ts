import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto, readLog } from '../../../test/agents/collect.ts'
import type { LogTranscript } from '../agent.ts'
import { vibe } from './agent.ts'

describe('Vibe session', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'recollect-vibe-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('stays one session if its id is written after the first messages were read', () => {
    const folder = join(root, 'session_20260701_093000_aaaa1111')
    mkdirSync(folder)
    writeFileSync(join(folder, 'messages.jsonl'), message('one'))
    const [transcript] = [...vibe.find(root)] as LogTranscript[]
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const { state, next } = readLog(transcript!, outInto(collection), undefined, 0)
    writeFileSync(
      join(folder, 'meta.json'),
      '{"session_id":"aaaa1111-0000","environment":{"working_directory":"/srv/kite"}}',
    )
    appendFileSync(join(folder, 'messages.jsonl'), message('two'))
    readLog(transcript!, outInto(collection), state, next)
    expect(
      [...collection.sessions.values()].map(({ about, events }) => [about.cwd, events.map(({ text }) => text)]),
    ).toEqual([['/srv/kite', ['one', 'two']]])
  })

  const message = (content: string) => `${JSON.stringify({ role: 'user', content, message_id: content })}\n`
})

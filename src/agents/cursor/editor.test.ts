import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { editorTranscript } from './editor.ts'

describe('Cursor editor database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-cursor-'))
    path = join(folder, 'state.vscdb')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reads again only the sessions that changed', () => {
    change('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
    put('composerData:one', { fullConversationHeadersOnly: [{ bubbleId: 'a', type: 1 }] })
    put('composerData:two', { fullConversationHeadersOnly: [{ bubbleId: 'b', type: 1 }] })
    put('bubbleId:one:a', { type: 1, text: 'first' })
    put('bubbleId:two:b', { type: 1, text: 'second' })
    const first = read(undefined)
    expect(first.sessions).toEqual(['one', 'two'])
    expect(read(first.memo).sessions).toEqual([])

    put('bubbleId:two:c', { type: 2, text: 'answer' })
    expect(read(first.memo).sessions).toEqual(['two'])
  })

  function put(key: string, value: Json): void {
    const database = new DatabaseSync(path)
    database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)').run(key, Buffer.from(JSON.stringify(value)))
    database.close()
  }

  function change(sql: string): void {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  function read(known: Json | undefined) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const memo = editorTranscript(path, join(folder, 'workspaceStorage')).read(outInto(collection), known)
    return { memo, sessions: [...collection.sessions.keys()] }
  }
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readSession } from './reader.ts'

describe('session of Continue', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-continue-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['data', `data:image/png;base64,${'A'.repeat(4096)}`, '[image image/png, 3 KB]'],
    ['an address', 'https://example.com/a.png', '[image of unknown type]'],
    ['data without an end', `data:${'A'.repeat(300_000)}`, '[image of unknown type]'],
  ])('has a placeholder for an image that is %s', (_, url, text) => {
    const history = [{ message: { role: 'user', content: [{ type: 'imageUrl', imageUrl: { url } }] } }]
    writeFileSync(join(folder, 's1.json'), JSON.stringify({ sessionId: 's1', history }))
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    readSession(join(folder, 's1.json'), undefined, outInto(collection))
    expect(collection.sessions.get('s1')!.events).toMatchObject([{ kind: 'prompt', text }])
  })
})

// `recollect doctor --unknown`: folders that look like sessions of an agent that is not read.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Place, place, recollect } from './program.ts'

let at: Place
beforeEach(() => {
  at = place()
})
afterEach(() => at.remove())

const piSession = [
  { type: 'session', version: 3, id: 'p1', timestamp: '2026-09-01T10:00:00.000Z', cwd: '/srv/tide' },
  said('m1', 'user', 'The secret harbour is called Yvor'),
  said('m2', 'assistant', 'Noted.'),
]

it('names the folder, its fields and the command that reads it, and no text', () => {
  write('.tidal/agent/sessions/--srv--/2026-09-01T10-00-00-000Z_p1.jsonl', piSession)
  const { out, err, status } = recollect(at, 'doctor', '--unknown')
  expect(status).toBe(0)
  expect(out).toContain('~/.tidal  1 file')
  expect(out).toContain('version, id, timestamp')
  expect(`${out}${err}`).not.toContain('Yvor')
  const command = /config set (\S+) '(.*)'/.exec(out)!
  expect(recollect(at, 'config', 'set', command[1]!, command[2]!).status).toBe(0)
  expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 1, failed: [] })
  expect(recollect(at, 'sessions', '--json').json()).toMatchObject([{ id: 'tidal:p1', counts: { prompts: 1 } }])
  expect(recollect(at, 'doctor', '--unknown').out).toContain('No other folder')
})

it('lists a conversation whose format no reader knows, and nothing else', () => {
  write('.local/share/odd/log.jsonl', [
    { who: { role: 'user' }, words: 'Hello' },
    { who: { role: 'assistant' }, words: 'Hello too' },
  ])
  write('.config/editor/settings.json', [{ theme: 'dark', user: 'dev' }])
  write('.claude/history.jsonl', [{ role: 'user' }, { role: 'assistant' }])
  write('.odd/node_modules/x/sample.jsonl', piSession)
  const { folders, isPartial } = recollect(at, 'doctor', '--unknown', '--json').json()
  expect(isPartial).toBe(false)
  expect(folders).toMatchObject([
    { folder: join(at.home, '.local/share/odd'), files: 1, fields: ['who', 'role', 'words'], format: null },
  ])
})

function write(path: string, records: object[]): void {
  const file = join(at.home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

function said(id: string, role: string, text: string) {
  const content = [{ type: 'text', text }]
  return { type: 'message', id, parentId: null, timestamp: '2026-09-01T10:00:01.000Z', message: { role, content } }
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../core/clock.ts'
import { readRecord, recordInstall, writeRecord } from './record.ts'
import type { AgentRecord, FileEdit, FileRecord, InstallRecord } from './types.ts'

const clock = fixedClock('2026-02-03T10:20:30Z')
const fileRecord = (path: string, hash: string): FileRecord => ({
  file: { kind: 'own', path, content: 'x' },
  isNew: true,
  splices: [{ at: 0, removed: '', added: 'x' }],
  made: [],
  hash,
})
const agentRecord: AgentRecord = {
  at: '2026-01-01T00:00:00.000Z',
  files: [fileRecord('/home/dev/a', '1')],
  folders: ['/home/dev/plugins'],
  backups: [],
}
const installed: InstallRecord = { version: 1, agents: { codex: agentRecord } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-record-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('readRecord and writeRecord', () => {
  it('returns an empty record if the file is missing', () => {
    expect(readRecord(folder)).toEqual({ installed: { version: 1, agents: {} }, isBad: false })
  })

  it('reads what was written', () => {
    writeRecord(folder, installed, clock)
    expect(readRecord(folder)).toEqual({ installed, isBad: false })
    expect(readdirSync(folder)).toEqual(['installed.json'])
  })

  it.each([
    ['cut off', '{"version": 1, "agents": {'],
    ['of another form', '{"version": 2, "agents": {}}'],
    ['not an object', 'null'],
    [
      'with an agent cut short',
      '{"version": 1, "agents": {"codex": {"at": "x", "files": [{}], "folders": [], "backups": []}}}',
    ],
  ])('that is %s is set aside, and never lost', (_, content) => {
    writeFileSync(join(folder, 'installed.json'), content)
    expect(readRecord(folder)).toEqual({ installed: { version: 1, agents: {} }, isBad: true })
    writeRecord(folder, installed, clock)
    expect(readRecord(folder).installed).toEqual(installed)
    expect(readFileSync(join(folder, 'installed.json.bad-2026-02-03T102030Z'), 'utf8')).toBe(content)
  })
})

it('recordInstall keeps the earlier record of files without an edit', () => {
  const renewed = fileRecord('/home/dev/b', '2')
  const edits: FileEdit[] = [{ path: '/home/dev/b', before: 'y', after: 'x', record: renewed }]
  const old = { ...agentRecord, files: [...agentRecord.files, fileRecord('/home/dev/b', '1')] }
  const backup = { path: '/home/dev/b', copy: '2026-02-03T102030Z-codex-b' }
  const applied = { folders: ['/home/dev/plugins', '/home/dev/more'], backups: [backup] }
  expect(recordInstall(old, edits, applied, clock)).toEqual({
    at: '2026-02-03T10:20:30.000Z',
    files: [fileRecord('/home/dev/a', '1'), renewed],
    folders: ['/home/dev/plugins', '/home/dev/more'],
    backups: [backup],
  })
})

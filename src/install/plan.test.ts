import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HookFile } from '../agents/agent.ts'
import { UserError } from '../core/errors.ts'
import { ownedByCommand } from './edit/owned-entries.ts'
import { planInstall } from './plan.ts'

const isOurs = ownedByCommand((command) => command.startsWith('recollect'))
const plan = (...files: HookFile[]) => planInstall(files, { isOurs, record: undefined })

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-plan-'))
})
afterEach(() => rmSync(home, { recursive: true }))

describe('planInstall of a file of our own', () => {
  it('creates a missing file', () => {
    const path = join(home, 'plugins', 'recollect.js')
    expect(plan({ kind: 'own', path, content: 'ours\n' })).toMatchObject([
      { path, before: undefined, after: 'ours\n', record: { isNew: true } },
    ])
  })

  it('replaces the file only if its content differs', () => {
    const path = write('recollect.js', 'ours\n')
    expect(plan({ kind: 'own', path, content: 'ours\n' })).toEqual([])
    expect(plan({ kind: 'own', path, content: 'new\n' })).toMatchObject([{ before: 'ours\n', after: 'new\n' }])
  })
})

describe('planInstall of an agent file', () => {
  it('records the edits', () => {
    const path = write('settings.json', '{"a":1}')
    const [edit] = plan({ kind: 'json', path, entries: [{ at: ['hooks', 'Stop'], item: 'recollect' }] })
    expect(edit).toMatchObject({
      before: '{"a":1}',
      after: '{"a":1,"hooks":{"Stop":["recollect"]}}',
      record: {
        isNew: false,
        splices: [{ at: 6, removed: '', added: ',"hooks":{"Stop":["recollect"]}' }],
        made: [['hooks'], ['hooks', 'Stop']],
      },
    })
  })

  it('ignores keys without a value', () => {
    const path = write('settings.json', '{"hooks":[{"command":"recollect"}]}')
    const item = { command: 'recollect', timeout: undefined }
    expect(plan({ kind: 'json', path, entries: [{ at: ['hooks'], item }] })).toEqual([])
  })

  it('does not create a file without entries', () => {
    expect(plan({ kind: 'json', path: join(home, 'settings.json'), entries: [] })).toEqual([])
  })

  it('reads through a symbolic link', () => {
    const path = join(home, 'config.toml')
    symlinkSync(write('dotfiles.toml', 'a = 1\n'), path)
    const text = '[[hooks]]\ncommand = "recollect"\n'
    expect(plan({ kind: 'toml', path, text })).toMatchObject([{ path, before: 'a = 1\n', after: `a = 1\n\n${text}` }])
  })
})

describe('planInstall refuses a file that cannot be edited', () => {
  it.each<[string, (path: string) => void, string, string]>([
    [
      'text of another encoding',
      (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])),
      'is not UTF-8 text',
      'Save it as UTF-8',
    ],
    ['a folder', (path) => mkdirSync(path), 'cannot be read', 'Make it a file'],
    ['broken JSON', (path) => writeFileSync(path, '{\n  "a"\n}'), ':3:1 is not valid JSON', 'Correct that line'],
  ])('%s', (_, make, message, hint) => {
    const path = join(home, 'settings.json')
    make(path)
    const own: HookFile = { kind: 'own', path: join(home, 'recollect.js'), content: '' }
    const error = thrownBy(() => plan(own, { kind: 'json', path, entries: [{ at: ['hooks'], item: 'recollect' }] }))
    expect(error.message).toContain(path)
    expect(error.message).toContain(message)
    expect(error.hint).toContain(hint)
  })
})

function write(name: string, content: string): string {
  const path = join(home, name)
  writeFileSync(path, content)
  return path
}

function thrownBy(run: () => void): UserError {
  try {
    run()
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HookFile } from '../agents/agent.ts'
import { fixedClock } from '../core/clock.ts'
import { applyEdits, removeFolders } from './apply.ts'
import { ownedByCommand } from './edit/owned-entries.ts'
import { planInstall } from './plan.ts'
import { recordInstall } from './record.ts'
import type { AgentRecord } from './types.ts'
import { planUninstall } from './uninstall.ts'

const isOurs = ownedByCommand((command) => command.startsWith('recollect'))
const clock = fixedClock('2026-02-03T10:20:30Z')

let home: string
let path: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-uninstall-'))
  path = join(home, 'agent', 'settings')
})
afterEach(() => rmSync(home, { recursive: true }))

const json = (command = 'recollect'): HookFile => ({
  kind: 'json',
  path,
  entries: [
    { at: ['version'], fallback: 1 },
    { at: ['hooks', 'Stop'], item: { command } },
  ],
})
const toml = (command = 'recollect'): HookFile => ({ kind: 'toml', path, text: `[[hooks]]\ncommand = "${command}"\n` })
const own = (content = 'ours\n'): HookFile => ({ kind: 'own', path, content })

const options = () => ({ agent: 'codex', backups: join(home, 'backups'), ownFolder: join(home, 'own'), clock })

function install(file: HookFile, record?: AgentRecord): AgentRecord {
  const edits = planInstall([file], { isOurs, record })
  return recordInstall(record, edits, applyEdits(edits, options()), clock)
}

function uninstall(record: AgentRecord | undefined, files: HookFile[] = []): void {
  applyEdits(planUninstall(files, { isOurs, record }), options())
  removeFolders(record?.folders ?? [])
}

/** A file that was there before us. */
function given(text: string): void {
  applyEdits([{ path, before: undefined, after: text }], options())
}

const read = (): string => readFileSync(path, 'utf8')
const change = (edit: (text: string) => string): void => writeFileSync(path, edit(read()))

describe('planUninstall restores the original bytes', () => {
  it.each<[string, string, () => HookFile]>([
    ['JSON', '{ "mine": true, } // end', json],
    ['TOML', 'mine = true', toml],
    ['a file in the place of ours', 'mine', own],
  ])('%s', (_, text, file) => {
    given(text)
    const record = install(file())
    expect(read()).not.toBe(text)
    uninstall(record)
    expect(read()).toBe(text)
  })

  it.each([
    ['JSON', json],
    ['TOML', toml],
    ['a file of our own', own],
  ])('which is nothing at all, folders included: %s', (_, file) => {
    const first = install(file())
    const second = install(file('recollect new'), first)
    uninstall(second)
    expect(existsSync(join(home, 'agent'))).toBe(false)
  })

  it.each<[string, string, (form?: string) => HookFile]>([
    ['JSON', '{"hooks":{"Stop":["lint"]}}', json],
    ['TOML', '[[hooks]]\ncommand = "lint"\n', toml],
    ['a file in the place of ours', 'mine', own],
  ])('after a second install in a new form: %s', (_, text, file) => {
    given(text)
    const first = install(file())
    const second = install(file('recollect new'), first)
    expect(read()).toContain('recollect new')
    uninstall(second)
    expect(read()).toBe(text)
  })

  it('after a second install that found a change of the user', () => {
    given('{"hooks":{"Stop":["lint"]}}')
    const first = install(json())
    change((text) => text.replace('"lint"', '"lint --fix"'))
    const second = install(json('recollect new'), first)
    uninstall(second)
    expect(read()).toBe('{"hooks":{"Stop":["lint --fix"]}}')
  })
})

describe('planUninstall of a file that the user has changed', () => {
  it.each<[string, string, (text: string) => string, string]>([
    [
      'elsewhere',
      '{\n  "a": 1\n}\n',
      (text) => text.replace('"a": 1', '"a": 2 /* two */'),
      '{\n  "a": 2 /* two */\n}\n',
    ],
    [
      'by an item behind ours',
      '{"hooks":{"Stop":[1]}}',
      (text) => text.replace('"recollect"}', '"recollect"},2'),
      '{"hooks":{"Stop":[1,2]}}',
    ],
    [
      'by a list in the object that we made',
      '{"a":1}',
      (text) => text.replace('"Stop"', '"Start":[],"Stop"'),
      '{"a":1,"version":1,"hooks":{"Start":[]}}',
    ],
    [
      'by putting their command into our item',
      '{}',
      (text) => text.replace('"command": "recollect"', '"hooks": [{"command": "recollect"}, {"command": "lint"}]'),
      '{\n  "version": 1,\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [{"command": "lint"}]\n      }\n    ]\n  }\n}',
    ],
    ['by another indentation', '{"a":1}', (text) => JSON.stringify(JSON.parse(text), null, 2), '{\n  "a": 1\n}'],
    [
      'so that a remark would swallow the comma',
      '{\n  "hooks": {\n    "Stop": [\n      1 // one\n    ]\n  },\n  "version": 1\n}',
      (text) => text.replace(/("recollect"\s*\})/, '$1,\n      2'),
      '{\n  "hooks": {\n    "Stop": [\n      1, // one\n      2\n    ]\n  },\n  "version": 1\n}',
    ],
    ['by taking ours out', '{"a":1}', () => '{"a":1}', '{"a":1}'],
  ])('keeps that, %s', (_, text, edit, expected) => {
    given(text)
    const record = install(json())
    change(edit)
    uninstall(record)
    expect(read()).toBe(expected)
  })

  it.each<[string, string, (text: string) => string, string]>([
    ['below our block', 'a = 1\n', (text) => `${text}\n[b]\nc = 2\n`, 'a = 1\n\n[b]\nc = 2\n'],
    ['in our block', 'a = 1\n', (text) => `${text}timeout = 5\n`, 'a = 1\n'],
  ])('TOML, %s', (_, text, edit, expected) => {
    given(text)
    const record = install(toml())
    change(edit)
    uninstall(record)
    expect(read()).toBe(expected)
  })

  it('keeps a file that install created if the user added to it', () => {
    const record = install(json())
    change((text) => `// mine\n${text}`)
    uninstall(record)
    expect(read()).toBe('// mine\n')
  })

  it('deletes a file of our own and keeps a backup', () => {
    const record = install(own())
    change((text) => `${text}more\n`)
    uninstall(record)
    expect(existsSync(path)).toBe(false)
    expect(readFileSync(join(home, 'backups', '2026-02-03T102030Z-codex-settings'), 'utf8')).toBe('ours\nmore\n')
  })
})

describe('planUninstall without a record', () => {
  it.each<[string, string, 'own' | 'json' | 'toml', string | undefined]>([
    ['ours in any form', '{"hooks":{"Stop":[1,{"command":"recollect old"}]}}', 'json', '{"hooks":{"Stop":[1]}}'],
    ['what is empty without ours', '{"hooks":{"Stop":[{"command":"recollect"}]},"a":1}', 'json', '{"a":1}'],
    ['our block', 'a = 1\n\n[[hooks]]\ncommand = "recollect old"\n', 'toml', 'a = 1\n'],
    ['our own file', 'an older form', 'own', undefined],
  ])('%s is taken out', (_, text, kind, expected) => {
    given(text)
    uninstall(undefined, [{ own, json, toml }[kind]()])
    expect(existsSync(path) ? read() : undefined).toBe(expected)
  })

  it.each<[string, string, () => HookFile]>([
    ['JSON', '{"version":1,"hooks":{"Stop":[]}}', json],
    ['TOML', 'hooks = []\n', toml],
  ])('nothing is changed where nothing is installed: %s', (_, text, file) => {
    given(text)
    expect(planUninstall([file()], { isOurs, record: undefined })).toEqual([])
  })

  it('changes nothing if the file is missing', () => {
    expect(planUninstall([json()], { isOurs, record: undefined })).toEqual([])
  })
})

it('planUninstall removes all our entries, even those that existed before the install', () => {
  given('{"hooks":{"Start":[{"command":"recollect by hand"}]}}')
  const record = install(json())
  uninstall(record)
  expect(JSON.parse(read())).toEqual({})
})

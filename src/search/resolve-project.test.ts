import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { layoutOf } from '../core/paths.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { nameProjects, upsertProject } from '../store/sessions/projects.ts'
import { resolveProject } from './resolve-project.ts'

const rules = { aliases: {}, domains: {} }
const keys = ['github.com/dev/harbour', 'github.com/dev/pier', 'gitlab.com/sea/pier', '/home/dev/pier', '/home/dev/app']

let root: string
let ledger: Ledger
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-test-'))
  ledger = openLedger(layoutOf(root))
  for (const key of keys) upsertProject(ledger, { key, kind: key.startsWith('/') ? 'folder' : 'remote', domain: null })
  nameProjects(ledger)
})
afterAll(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

it.each([
  ['its identity', 'github.com/dev/pier', 'github.com/dev/pier'],
  ['its name', 'harbour', 'github.com/dev/harbour'],
  ['the name that tells it from others', 'dev/pier', 'github.com/dev/pier'],
  ['the name that tells it from others', 'home/dev/pier', '/home/dev/pier'],
  ['more of its identity than its name', 'dev/harbour', 'github.com/dev/harbour'],
  ['a folder in it', '/home/dev/app/src/lib', '/home/dev/app'],
])('resolveProject finds a project by %s', (_, value, key) => expect(resolveProject(ledger, value, rules)).toBe(key))

it.each([
  ['of several', 'pier', 'Choose one: dev/pier, home/dev/pier, sea/pier'],
  ['mistyped', 'github.com/dev/harbor', 'Did you mean github.com/dev/harbour?'],
  ['that nobody knows', 'zeppelin', 'Known: app, dev/pier, harbour'],
])('resolveProject reports a name %s with a suggestion', (_, value, hint) =>
  expect(() => resolveProject(ledger, value, rules)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(hint) }),
  ),
)

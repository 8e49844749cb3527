import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultConfig, loadConfig } from '../core/config/config.ts'
import { writeSyncSettings } from './join.ts'

let root: string
let path: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-config-'))
  path = join(root, 'config.toml')
})
afterEach(() => rmSync(root, { recursive: true }))

const server = 'https://memory.example.com'

it.each([
  ['the default file', defaultConfig()],
  ['a file without the table', '[learn]\non = true\n'],
  ['a table that is there', '[sync]\nabout_me = true # mine\n\n[learn]\non = false\n'],
  ['lines that end as on Windows', '[learn]\r\non = true\r\n'],
  ['an empty file', ''],
])('joining adds a line and leaving takes it out again: %s', (_, before) => {
  writeFileSync(path, before)
  writeSyncSettings(path, { server })
  expect(loadConfig(path).sync).toMatchObject({ server, insecure: false })
  for (const line of before.split(/\r?\n/)) expect(readFileSync(path, 'utf8').split(/\r?\n/)).toContain(line)
  writeSyncSettings(path, { server: 'http://10.0.0.1', insecure: true })
  expect(loadConfig(path).sync).toMatchObject({ server: 'http://10.0.0.1', insecure: true })
  writeSyncSettings(path, {})
  expect(loadConfig(path).sync).toMatchObject({ server: '', insecure: false })
})

it('writeSyncSettings restores the default file', () => {
  writeFileSync(path, defaultConfig())
  writeSyncSettings(path, { server })
  writeSyncSettings(path, {})
  expect(readFileSync(path, 'utf8')).toBe(defaultConfig())
})

it('writeSyncSettings creates a missing file', () => {
  writeSyncSettings(path, { server })
  expect(loadConfig(path).sync.server).toBe(server)
})

it('writeSyncSettings refuses a table that it cannot edit', () => {
  const inline = 'sync = { about_me = true }\n'
  writeFileSync(path, inline)
  expect(() => writeSyncSettings(path, { server })).toThrow()
  expect(readFileSync(path, 'utf8')).toBe(inline)
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type App, createApp } from '../app.ts'
import { fixedClock } from '../core/clock.ts'
import type { Ledger } from '../store/ledger.ts'
import { ensureQueued, markRefused } from '../store/sync/outbox.ts'
import { newState, type SyncState, withFailure, writeState } from '../sync/state.ts'
import { syncChecks } from './sync.ts'

const server = 'https://memory.example.com'
const now = '2026-09-01T10:00:00.000Z'
let home: string
let app: App
let ledger: Ledger

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-doctor-'))
  mkdirSync(join(home, '.recollect'))
  writeFileSync(join(home, '.recollect', 'config.toml'), `[sync]\nserver = "${server}"\n[display]\nzone = "UTC"\n`)
  app = createApp({ machine: { home, env: {}, platform: 'linux' }, clock: fixedClock(now) })
  ledger = app.ledger()
})
afterEach(() => {
  ledger.close()
  rmSync(home, { recursive: true })
})

const state: SyncState = { ...newState(server, 'ann'), pull: { doneMs: Date.parse(now), failure: null } }
const check = () => syncChecks.sync!(app, ledger)

it('passes when synchronisation works', () => {
  writeState(ledger, state)
  ensureQueued(ledger, 'me', 'memory', 'm-one')
  expect(check()).toMatchObject({ ok: true, detail: `${server}, last 2026-09-01 10:00; 1 change to send` })
})

it('fails when the server rejects the key', () => {
  writeState(ledger, { ...state, key: 'refused', keyProblem: 'This key was revoked' })
  expect(check()).toMatchObject({
    ok: false,
    detail: 'the server rejects the key: This key was revoked; nothing to send',
  })
})

it('fails when items were refused, with the reasons', () => {
  writeState(ledger, state)
  const refusal = { reason: 'secret', message: 'It holds what looks like a secret: jwt.', rules: ['jwt'] }
  markRefused(ledger, { space: 'team:core', id: 'm-one', kind: 'memory', refusal })
  expect(check()).toMatchObject({ ok: false, detail: expect.stringContaining('m-one for team:core: secret. It holds') })
})

it('passes when the server is down for less than a week', () => {
  const push = withFailure(state.push, 'connection refused', Date.parse(now))
  writeState(ledger, { ...state, push })
  expect(check()).toMatchObject({ ok: true, detail: expect.stringContaining('connection refused') })
  writeState(ledger, { ...state, push, pull: { doneMs: Date.parse('2026-08-01T10:00:00Z'), failure: null } })
  expect(check().ok).toBe(false)
})

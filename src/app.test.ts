import { isAbsolute } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createApp } from './app.ts'

afterEach(() => vi.unstubAllEnvs())

it.each(['', 'dev/home'])('never keeps its files in the folder it runs in: HOME=%s', (home) => {
  vi.stubEnv('HOME', home)
  vi.stubEnv('RECOLLECT_HOME', '')
  expect(isAbsolute(createApp({ ignoresConfig: true }).layout.root)).toBe(true)
})

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findProgram } from './find-program.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-program-'))
})
afterEach(() => rmSync(home, { recursive: true }))

it('findProgram searches the PATH first, then installation folders', () => {
  const machine = { home, env: { PATH: `:${join(home, 'bin')}:/nowhere` }, platform: 'linux' as const }
  expect(find()).toBeUndefined()
  const local = put('.local/bin/some-tool')
  expect(find()).toBe(local)
  const onPath = put('bin/some-tool')
  expect(find()).toBe(onPath)
  chmodSync(onPath, 0o644)
  expect(find()).toBe(local)
  function find() {
    return findProgram('some-tool', machine)
  }
})

it('findProgram skips folders of that name', () => {
  mkdirSync(join(home, '.local/bin/some-tool'), { recursive: true })
  expect(findProgram('some-tool', { home, env: {}, platform: 'linux' })).toBeUndefined()
})

function put(path: string): string {
  const full = join(home, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, '#!/bin/sh\n')
  chmodSync(full, 0o755)
  return full
}

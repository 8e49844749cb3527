import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '../agents/registry.ts'
import { provideHook } from './script.ts'

describe('provideHook', () => {
  let root: string
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), "recollect o'hook-"))))
  afterEach(() => rmSync(root, { recursive: true }))

  const program = (name: string) => {
    const cli = join(root, name)
    writeFileSync(cli, '')
    return { root, cli, node: process.execPath, platform: 'linux' as const }
  }
  const launcher = () => readFileSync(join(root, 'bin', 'recollect'), 'utf8')

  it('writes the hook where there is none', () => {
    provideHook(program('npx.js'), agents)
    expect(existsSync(join(root, 'bin', 'hook'))).toBe(true)
    expect(launcher()).toContain('npx.js')
  })

  it('names a variable of several agents once', () => {
    provideHook(program('npx.js'), agents)
    const [, variables = ''] = /RECOLLECT_INTERNAL(\S*)"/.exec(readFileSync(join(root, 'bin', 'hook'), 'utf8'))!
    expect(variables).toBe('$CLAUDE_INVOKED_BY')
  })

  it('leaves the hook of another program alone, until that is gone', () => {
    provideHook(program('installed.js'), agents)
    provideHook(program('npx.js'), agents)
    expect(launcher()).toContain('installed.js')
    rmSync(join(root, 'installed.js'))
    provideHook(program('npx.js'), agents)
    expect(launcher()).toContain('npx.js')
  })

  it('renews its own hook', () => {
    provideHook(program('npx.js'), agents)
    writeFileSync(join(root, 'bin', 'hook'), 'of an older version')
    provideHook(program('npx.js'), agents)
    expect(readFileSync(join(root, 'bin', 'hook'), 'utf8')).toContain('trap')
  })
})

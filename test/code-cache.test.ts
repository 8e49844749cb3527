// The cache of compiled code beside the program: made by a run, used by the next, never trusted when
// it is damaged.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Place, place } from './program.ts'

let at: Place
let program: string
beforeEach(() => {
  at = place()
  program = join(at.root, 'dist')
  cpSync(join(import.meta.dirname, '..', 'dist'), program, { recursive: true })
  rmSync(join(program, '.cache'), { recursive: true, force: true })
})
afterEach(() => at.remove())

function run(...args: string[]): { status: number | null; out: string } {
  const env = { HOME: at.home, RECOLLECT_HOME: at.store, PATH: process.env.PATH }
  const { status, stdout } = spawnSync(process.execPath, [join(program, 'cli.js'), ...args], { env, encoding: 'utf8' })
  return { status, out: stdout }
}

/** Path and content of each file of the cache. */
function cache(): Map<string, Buffer> {
  const folder = join(program, '.cache')
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]))
}

describe('code cache', () => {
  it('is written by the first run of a command and kept by the next', () => {
    const first = run('config')
    const written = cache()
    expect([...written.keys()].some((path) => path.endsWith('config.start'))).toBe(true)
    expect(run('config')).toEqual(first)
    expect(cache()).toEqual(written)
  })

  it.each([
    ['changed', (file: Buffer) => file.fill(255, file.length / 4, file.length / 4 + 1000)],
    ['cut off', (file: Buffer) => file.subarray(0, file.length - 1000)],
    ['emptied', () => Buffer.alloc(0)],
  ])('is written again if it was %s', (_, damage) => {
    const first = run('config')
    const written = cache()
    for (const [path, content] of written) writeFileSync(path, damage(Buffer.from(content)))
    expect(run('config')).toEqual(first)
    expect([...cache().values()].map(({ length }) => length > 0)).toEqual([...written].map(() => true))
    expect(run('config')).toEqual(first)
  })

  it('is not written by a command that fails', () => {
    expect(run('show', 'nothing').status).not.toBe(0)
    expect(cache()).toEqual(new Map())
  })

  it('is not needed', () => {
    writeFileSync(join(program, '.cache'), 'a file where the folder should be')
    expect(run('config').status).toBe(0)
  })
})

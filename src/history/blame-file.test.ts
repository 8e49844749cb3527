import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSameFile, locateFile } from './blame-file.ts'

const asked = { path: 'src/app.ts', absolute: '/home/dev/app/src/app.ts', folder: '/home/dev/app', hasGit: true }

describe('isSameFile', () => {
  it.each([
    ['the same path', '/home/dev/app/src/app.ts', '/home/dev/app'],
    ['from the folder of the session', 'src/app.ts', '/home/dev/app'],
    ['with a dot', './src/app.ts', '/home/dev/app'],
    ['from a subfolder', 'app.ts', '/home/dev/app/src'],
    ['up from a subfolder', '../src/app.ts', '/home/dev/app/test'],
    ['from the root, in a subfolder', 'src/app.ts', '/home/dev/app/test'],
    ['another checkout that is gone', '/home/dev/app-old/src/app.ts', '/home/dev/app-old'],
    ['another machine', '/Users/mara/code/app/src/app.ts', '/Users/mara/code/app/test'],
    ['a worktree below the session', '/home/dev/app/.claude/worktrees/fix/src/app.ts', '/home/dev/app'],
    ['a worktree beside the session', '/home/dev/app-fix/src/app.ts', '/home/dev/app'],
    ['Windows', 'C:\\code\\app\\src\\app.ts', 'C:\\code\\app'],
    ['Windows, relative', 'src\\app.ts', 'C:\\code\\app'],
    ['Windows, from a subfolder', 'app.ts', 'C:\\code\\app\\src'],
    ['a session that knows no folder', '/gone/app/src/app.ts', null],
  ])('%s', (_, path, cwd) => expect(isSameFile({ path, cwd }, asked)).toBe(true))

  it.each([
    ['another file', '/home/dev/app/src/main.ts', '/home/dev/app'],
    ['the same name elsewhere', '/home/dev/app/test/app.ts', '/home/dev/app'],
    ['a package with the same inside', '/home/dev/app/packages/a/src/app.ts', '/home/dev/app'],
    ['a package, relative', 'packages/a/src/app.ts', '/home/dev/app'],
    ['a name that ends alike', '/home/dev/app/other-src/app.ts', '/home/dev/app'],
    ['a relative path from nowhere', 'lib/src/app.ts', null],
  ])('not %s', (_, path, cwd) => expect(isSameFile({ path, cwd }, asked)).toBe(false))
})

describe('locateFile', () => {
  let root: string
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-path-')))
    mkdirSync(join(root, 'app/packages/a/src'), { recursive: true })
    writeFileSync(join(root, 'app/packages/a/src/app.ts'), '')
    execFileSync('git', ['init', '-q', join(root, 'app')])
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('uses the root of the repository', () => {
    const file = locateFile(join(root, 'app/src/app.ts'), null)
    expect(file).toMatchObject({ path: 'src/app.ts', folder: join(root, 'app'), hasGit: true })
    const cwd = join(root, 'app/packages/a')
    expect(isSameFile({ path: join(cwd, 'src/app.ts'), cwd }, file)).toBe(false)
    expect(isSameFile({ path: 'src/app.ts', cwd }, file)).toBe(false)
    expect(isSameFile({ path: '../../src/app.ts', cwd }, file)).toBe(true)
  })

  it('uses the project folder without a repository', () => {
    const folder = join(root, 'plain')
    expect(locateFile(join(folder, 'notes/a.md'), folder)).toMatchObject({ path: 'notes/a.md', folder, hasGit: false })
  })
})

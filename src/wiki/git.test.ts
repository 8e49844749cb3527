import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitWikiFiles } from './git.ts'

let root: string
let vault: string
const env = { PATH: process.env.PATH }
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-git-')))
  vault = join(root, 'vault')
  mkdirSync(join(vault, 'wiki'), { recursive: true })
  put('wiki/index.md', 'one')
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, text: string): void {
  writeFileSync(join(vault, path), text)
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { env: { ...env, HOME: root }, encoding: 'utf8' }).trim()
}

describe('commitWikiFiles', () => {
  it('commits every state of the wiki only', () => {
    put('mine.md', 'mine')
    expect(commitWikiFiles({ vault, env }, 'First')).toBe('committed')
    expect(commitWikiFiles({ vault, env }, 'Again')).toBe('nothing new')
    put('wiki/index.md', 'two')
    expect(commitWikiFiles({ vault, env }, 'Second')).toBe('committed')
    expect(git(vault, 'log', '--format=%s %an').split('\n')).toEqual(['Second Recollect', 'First Recollect'])
    expect(git(vault, 'ls-files')).toBe('wiki/index.md')
  })

  it('creates a repository that only its owner can read', () => {
    commitWikiFiles({ vault, env }, 'First')
    for (const path of ['.git/HEAD', '.git/index', '.git/objects'])
      expect(statSync(join(vault, path)).mode & 0o077).toBe(0)
  })

  it('never commits to a repository of a person in or around the vault', () => {
    git(root, 'init', '--quiet')
    expect(commitWikiFiles({ vault, env }, 'First')).toBe('not ours')
    expect(existsSync(join(vault, '.git'))).toBe(false)
    const elsewhere = mkdtempSync(join(tmpdir(), 'recollect-git-'))
    symlinkSync(vault, join(elsewhere, 'vault'))
    expect(commitWikiFiles({ vault: join(elsewhere, 'vault'), env }, 'First')).toBe('not ours')
    rmSync(elsewhere, { recursive: true })
    rmSync(join(root, '.git'), { recursive: true })
    git(vault, 'init', '--quiet')
    expect(commitWikiFiles({ vault, env }, 'First')).toBe('not ours')
    expect(git(vault, 'status', '--porcelain')).toBe('?? wiki/')
  })

  it('ignores the git environment and configuration of a person', () => {
    const other = join(root, 'other')
    mkdirSync(other)
    git(other, 'init', '--quiet')
    writeFileSync(join(root, 'ignored'), '*.md\n')
    writeFileSync(
      join(root, '.gitconfig'),
      `[core]\nexcludesFile = ${join(root, 'ignored')}\nhooksPath = ${join(root, 'hooks')}\n`,
    )
    mkdirSync(join(root, 'hooks'))
    writeFileSync(join(root, 'hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const steering = {
      ...env,
      HOME: root,
      GIT_DIR: join(other, '.git'),
      GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
    }
    expect(commitWikiFiles({ vault, env: steering }, 'First')).toBe('committed')
    expect(git(vault, 'log', '--format=%s', '--', 'wiki/index.md')).toBe('First')
    expect(git(other, 'count-objects')).toBe('0 objects, 0 kilobytes')
  })

  it('does nothing without git', () => {
    expect(commitWikiFiles({ vault, env: { PATH: join(root, 'nothing') } }, 'First')).toBe('no git')
  })
})

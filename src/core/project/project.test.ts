import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { normaliseRemote, projectOf } from './project.ts'

describe('normaliseRemote', () => {
  it.each([
    ['https://github.com/owner/name.git', 'github.com/owner/name'],
    ['git@github.com:owner/name.git', 'github.com/owner/name'],
    ['ssh://git@GitHub.com:22/owner/name', 'github.com/owner/name'],
    ['https://user:pass@git.example.org/team/sub/name/', 'git.example.org/team/sub/name'],
    ['/srv/git/name.git', undefined],
    ['file:///srv/git/name.git', undefined],
    ['C:\\code\\name', undefined],
  ])('normalises %s to %s', (url, expected) => {
    expect(normaliseRemote(url)).toBe(expected)
  })
})

describe('projectOf', () => {
  let root: string
  const rules = { aliases: { 'github.com/o/old': 'github.com/o/new' }, domains: { 'github.com/o/*': 'work' } }
  const file = (path: string, content: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'recollect-project-'))
    file(
      'app/.git/config',
      '[core]\n\tbare = false\n[remote "fork"]\n\turl = x\n[remote "origin"]\n\turl = git@github.com:o/app.git\n',
    )
    file('app/.git/worktrees/topic/commondir', '../..\n')
    file('topic/.git', `gitdir: ${root}/app/.git/worktrees/topic\n`)
    file('local/.git/config', '[core]\n')
    file('clone/.git/config', `[remote "origin"]\n\turl = ${root}/local\n`)
    file('clone of clone/.git/config', `[remote "origin"]\n\turl = file://${root}/clone/.git\n`)
    file('clone of app/.git/config', `[remote "origin"]\n\turl = ${root}/app/\n`)
    file('bare.git/HEAD', 'ref: refs/heads/main\n')
    file('bare.git/objects/info/packs', '')
    file('clone of bare/.git/config', `[remote "origin"]\n\turl = ${root}/bare.git\n`)
    file('orphan/.git/config', `[remote "origin"]\n\turl = ${root}/removed\n`)
    file('circle/.git/config', `[remote "origin"]\n\turl = ${root}/circle\n`)
    file('renamed/.git/config', '[remote "origin"]\nurl = https://github.com/o/old\n')
  })
  afterAll(() => rmSync(root, { recursive: true }))
  const key = (folder: string, remote?: string) => projectOf(join(root, folder), remote, rules).key

  it('is the same for a clone, its subfolders, its worktrees and deleted folders', () => {
    expect([key('app'), key('app/src/deep'), key('topic'), key('topic/gone/away')]).toEqual(
      Array(4).fill('github.com/o/app'),
    )
  })
  it('is the root of a repository without a remote', () => expect(key('local/src')).toBe(join(root, 'local')))
  it.each([
    ['clone', 'local'],
    ['clone of clone', 'local'],
    ['clone of bare', 'bare.git'],
    ['orphan', 'orphan'],
    ['circle', 'circle'],
  ])('is that of the local origin: %s belongs to %s', (folder, expected) =>
    expect(key(folder)).toBe(join(root, expected)),
  )
  it('is the remote of a local origin', () => expect(key('clone of app')).toBe('github.com/o/app'))
  it('is the folder without a repository', () => expect(key('plain')).toBe(join(root, 'plain')))
  it('uses the remote of the transcript when the folder is deleted', () =>
    expect(key('gone', 'https://github.com/o/app.git')).toBe('github.com/o/app'))
  it('applies aliases and domains', () =>
    expect(projectOf(join(root, 'renamed'), undefined, rules)).toEqual({
      key: 'github.com/o/new',
      kind: 'remote',
      domain: 'work',
    }))
})

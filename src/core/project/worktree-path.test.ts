import { describe, expect, it } from 'vitest'
import { isHome, isInside, parseWorktreePath } from './worktree-path.ts'

describe('parseWorktreePath', () => {
  it.each([
    ['/home/ada/code/tide/.worktrees/1', '/home/ada/code/tide'],
    ['/home/ada/code/tide/.worktrees/ada/fix-login/src', '/home/ada/code/tide'],
    ['/home/ada/code/tide/.claude/worktrees/brave-otter', '/home/ada/code/tide'],
    ['/home/ada/code/tide/.gemini/worktrees/fix', '/home/ada/code/tide'],
    ['/home/ada/code/tide/.codex/worktrees/fix', '/home/ada/code/tide'],
    ['/home/ada/code/tide/.claude-worktrees/fix', '/home/ada/code/tide'],
    ['/home/ada/code/tide/.conductor/oslo', '/home/ada/code/tide'],
    ['/home/ada/code/tide.worktrees/fix', '/home/ada/code/tide'],
    ['/home/ada/code/tide__worktrees/fix/results', '/home/ada/code/tide'],
    ['C:\\Users\\ada\\tide\\.worktrees\\fix', 'C:\\Users\\ada\\tide'],
  ])('%s is a worktree of %s', (folder, root) => {
    expect(parseWorktreePath(folder)).toEqual({ kind: 'root', root, isCertain: true })
  })

  it.each([
    ['/home/ada/code/tide/worktrees/fix', '/home/ada/code/tide'],
    ['/home/ada/code/worktrees/fix', '/home/ada/code'],
    ['/home/ada/code/.worktrees/fix', '/home/ada/code'],
    ['/home/ada/code/tide-worktrees/fix', '/home/ada/code/tide'],
  ])('%s may be a worktree of %s', (folder, root) => {
    expect(parseWorktreePath(folder)).toEqual({ kind: 'root', root, isCertain: false })
  })

  it.each([
    ['/Users/ada/.codex/worktrees/1f2e/tide', 'tide', '/Users/ada/.codex/worktrees/tide'],
    ['/Users/ada/.codex/worktrees/1f2e/tide/src', 'tide', '/Users/ada/.codex/worktrees/tide'],
    ['/Users/ada/.cursor/worktrees/tide/xyz', 'tide', '/Users/ada/.cursor/worktrees/tide'],
    ['/home/ada/.superset/worktrees/tide/fix-login', 'tide', '/home/ada/.superset/worktrees/tide'],
    ['/Users/ada/conductor/workspaces/tide/oslo', 'tide', '/Users/ada/conductor/workspaces/tide'],
    ['/Users/ada/.claude-worktrees/tide/calm-fox', 'tide', '/Users/ada/.claude-worktrees/tide'],
    ['C:\\Users\\ada\\.codex\\worktrees\\1f2e\\tide', 'tide', 'C:\\Users\\ada\\.codex\\worktrees\\tide'],
  ])('%s is a worktree of some repository %s', (folder, name, group) => {
    expect(parseWorktreePath(folder)).toMatchObject({ kind: 'name', name, group, isCertain: true })
  })

  it('may be a subfolder where older versions of the tool have no folder of the repository', () => {
    expect(parseWorktreePath('/var/tmp/vibe-kanban/worktrees/1f2e-fix-login/tide')).toMatchObject({
      kind: 'name',
      name: 'tide',
      near: '',
      isCertain: false,
    })
  })

  it.each([
    '/home/ada/code/tide',
    '/home/ada/code/tide/.worktrees',
    '/home/ada/.worktrees/fix',
    '/home/ada/worktrees/fix',
    '/home/ada/.claude/worktrees/fix',
    '/Users/ada/.cursor/worktrees/fix',
    '/home/ada/code/tide/docs/worktrees.md',
    '/home/ada/my-worktrees-app/src',
  ])('%s tells nothing', (folder) => {
    expect(parseWorktreePath(folder)).toBeUndefined()
  })
})

describe('isHome', () => {
  it.each(['/Users/ada', '/home/ada/', '/root', '/', 'C:\\Users\\ada', 'C:\\', '/home'])('%s', (folder) =>
    expect(isHome(folder)).toBe(true),
  )
  it.each(['/Users/ada/app', '/srv/app', 'D:\\app'])('not %s', (folder) => expect(isHome(folder)).toBe(false))
})

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/bc', '/a/b', false],
  ['D:\\a\\b', 'D:\\a', true],
])('isInside(%s, %s)', (path, folder, expected) => expect(isInside(path, folder)).toBe(expected))

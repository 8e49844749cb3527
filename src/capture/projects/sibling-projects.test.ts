import { describe, expect, it } from 'vitest'
import { fromRemote, identityOf } from '../../core/project/project.ts'
import { findSiblingProjects, type SessionPlace } from './sibling-projects.ts'

/** None of the folders exists. */
function place(cwd: string, { remote, root = null }: { remote?: string; root?: string | null } = {}): SessionPlace {
  const found = fromRemote(remote) ?? identityOf(cwd, undefined, { aliases: {}, domains: {} })
  return { cwd, root, found, isGone: true }
}

function keys(...places: SessionPlace[]): string[] {
  return places.map(findSiblingProjects(places)).map(({ key }) => key)
}

const remote = 'git@github.com:acme/tide.git'
const tide = 'github.com/acme/tide'

describe('findSiblingProjects', () => {
  it('gives a folder the remote that another session in it recorded, the last one', () =>
    expect(
      keys(
        place('/home/ada/tide'),
        place('/home/ada/tide', { remote: 'https://github.com/acme/pond' }),
        place('/home/ada/tide', { remote }),
      ),
    ).toEqual([tide, 'github.com/acme/pond', tide]))

  it('brings worktrees and their repository together', () =>
    expect(
      keys(
        place('/home/ada/code/tide/.worktrees/1'),
        place('/home/ada/code/tide/.claude/worktrees/calm-fox/src'),
        place('/home/ada/code/tide.worktrees/fix'),
        place('/home/ada/code/tide'),
      ),
    ).toEqual(Array(4).fill('/home/ada/code/tide')))

  it('gives all of them the remote that one of them has', () =>
    expect(
      keys(
        place('/home/ada/code/tide/.worktrees/1'),
        place('/home/ada/code/tide/.worktrees/2', { remote }),
        place('/home/ada/code/tide'),
        place('/home/ada/code/tide/pkg/core'),
      ),
    ).toEqual(Array(4).fill(tide)))

  it('decides for no remote where worktrees have two', () =>
    expect(
      keys(
        place('/home/ada/code/tide/.worktrees/1', { remote: 'https://github.com/acme/pond' }),
        place('/home/ada/code/tide/.worktrees/2', { remote }),
        place('/home/ada/code/tide/.worktrees/3'),
      ),
    ).toEqual(['github.com/acme/pond', tide, '/home/ada/code/tide']))

  it('uses the root that an agent recorded, wherever the worktree was', () =>
    expect(keys(place('/srv/trees/fix', { root: '/home/ada/tide' }), place('/home/ada/tide/src'))).toEqual(
      Array(2).fill('/home/ada/tide'),
    ))

  it('takes the worktree that an agent recorded as root for its repository', () =>
    expect(keys(place('/home/ada/tide/.worktrees/1/src', { root: '/home/ada/tide/.worktrees/1' }))).toEqual([
      '/home/ada/tide',
    ]))

  it.each([
    ['/home/ada/code/tide/worktrees/fix', '/home/ada/code/tide'],
    ['/home/ada/code/tide-worktrees/fix', '/home/ada/code/tide'],
  ])('believes %s only if sessions ran in %s', (worktree, root) => {
    expect(keys(place(worktree))).toEqual([worktree])
    expect(keys(place(worktree), place(root))).toEqual([root, root])
  })

  it('does not take a folder of repositories for one', () => {
    const folders = ['/home/ada/code/worktrees/fix', '/home/ada/code/.worktrees/other', '/home/ada/code']
    expect(keys(...folders.map((folder) => place(folder)))).toEqual(folders)
  })

  it('does not bring folders below a user together', () => {
    const places = [place('/home/ada', { remote: 'git@github.com:ada/dotfiles.git' }), place('/home/ada/tide')]
    expect(keys(...places)).toEqual(['github.com/ada/dotfiles', '/home/ada/tide'])
  })

  it('does not take a subfolder without evidence for a part of the folder above', () =>
    expect(keys(place('/home/ada/tide'), place('/home/ada/tide/pkg'))).toEqual([
      '/home/ada/tide',
      '/home/ada/tide/pkg',
    ]))

  it('leaves a folder alone that exists', () => {
    const plain: SessionPlace = { ...place('/home/ada/tide/notes'), isGone: false }
    expect(keys(place('/home/ada/tide', { remote }), plain)).toEqual([tide, '/home/ada/tide/notes'])
  })

  describe('where only the name of the repository is in the path', () => {
    const codex = '/Users/ada/.codex/worktrees/1f2e/tide'
    const cursor = '/Users/ada/.cursor/worktrees/tide/xyz'

    it('finds the only repository of that user with the name', () =>
      expect(keys(place(codex), place(cursor), place('/Users/ada/code/tide', { remote }))).toEqual(Array(3).fill(tide)))

    it('does not choose between two', () =>
      expect(
        keys(place(cursor), place('/Users/ada/code/tide', { remote }), place('/Users/ada/old/tide')).slice(0, 1),
      ).toEqual(['/Users/ada/.cursor/worktrees/tide']))

    it('does not take the repository of another user', () =>
      expect(keys(place(codex), place('/Users/bob/tide', { remote }))[0]).toBe('/Users/ada/.codex/worktrees/tide'))

    it('brings its worktrees together otherwise', () =>
      expect(keys(place(codex), place('/Users/ada/.codex/worktrees/3c4d/tide/src'))).toEqual(
        Array(2).fill('/Users/ada/.codex/worktrees/tide'),
      ))

    it('needs a known repository where the path may be a subfolder', () => {
      const folder = '/var/tmp/vibe-kanban/worktrees/1f2e-fix/tide'
      expect(keys(place(folder))).toEqual([folder])
      expect(keys(place(folder), place('/home/ada/tide', { remote }))).toEqual([tide, tide])
    })
  })
})

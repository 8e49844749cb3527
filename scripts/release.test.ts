import { describe, expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { releaseProblems } from './release.mjs'

const ready = { version: '1.2.3', tag: 'v1.2.3', changelog: '## Unreleased\n\n## 1.2.3\n\n- New.\n', changes: '' }

describe('releaseProblems', () => {
  it('finds none in a release that is ready', () => {
    expect(releaseProblems(ready)).toEqual([])
    expect(releaseProblems({ ...ready, tag: undefined, changelog: '## [1.2.3] - 2026-12-01\n\n- New.\n' })).toEqual([])
  })

  it.each([
    [{ tag: 'v1.2.4' }, 'the tag is v1.2.4, but package.json has 1.2.3'],
    [{ changelog: '## 1.2.30\n' }, 'CHANGELOG.md has no section "## 1.2.3"'],
    [
      { changelog: '## Unreleased\n\n- More.\n\n## 1.2.3\n\n- New.\n' },
      'CHANGELOG.md still has notes under "Unreleased"',
    ],
    [{ changes: ' M server.json' }, 'files are changed but not committed:\n M server.json'],
  ])('%j', (change, problem) => expect(releaseProblems({ ...ready, ...change })).toEqual([problem]))
})

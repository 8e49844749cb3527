import { describe, expect, it } from 'vitest'
import { compareVersions, notesAfter } from './release-notes.ts'

const changelog = `# Changelog

## Unreleased

- Not out yet.

## [0.3.0] - 2026-12-01

### Added

- Third.

## 0.2.0 (2026-11-20)

- Second.

## 0.1.0

- First.
`

describe('notesAfter', () => {
  it('returns what is newer, the newest first, without what is not released', () =>
    expect(notesAfter(changelog, '0.1.0')).toEqual([
      { version: '0.3.0', text: '### Added\n\n- Third.' },
      { version: '0.2.0', text: '- Second.' },
    ]))

  it('returns nothing for the newest version', () => expect(notesAfter(changelog, '0.3.0')).toEqual([]))
})

describe('compareVersions', () => {
  it.each([
    ['0.10.0', '0.9.0', 1],
    ['1.0.0', '1.0.0', 0],
    ['1.0.0-beta.2', '1.0.0', -1],
    ['1.0.0-beta.10', '1.0.0-beta.9', 1],
  ])('%s and %s', (a, b, expected) => expect(Math.sign(compareVersions(a, b))).toBe(expected))
})

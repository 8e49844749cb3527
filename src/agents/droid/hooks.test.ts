import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { droidHooks } from './hooks.ts'

describe('droidHooks.files', () => {
  let home = ''
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'recollect-droid-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const all = ['hooks.SessionStart', 'hooks.Stop', 'hooks.PreCompact', 'hooks.SessionEnd']

  it.each([
    ['no file', 'hooks.json', undefined, {}],
    ['events that are not ours', 'hooks.json', '{"PreToolUse":[]}', {}],
    ['an event of ours', 'hooks.json', '{"PreToolUse":[],"Stop":[]}', { 'hooks.json': ['Stop'] }],
    ['an event of ours, at the older place', 'hooks/hooks.json', '{"Stop":[]}', { 'hooks/hooks.json': ['Stop'] }],
    ['something that is no JSON', 'hooks.json', '{', {}],
  ])('edits only events that hooks.json already has: %s', (_, name, content, more) => {
    const path = join(home, '.factory', name)
    mkdirSync(dirname(path), { recursive: true })
    if (content !== undefined) writeFileSync(path, content)
    expect(planned()).toEqual({ 'settings.json': all, ...more })
  })

  function planned(): Record<string, string[]> {
    const files = droidHooks.files({ home, env: {}, platform: 'linux' }, (event) => event)
    return Object.fromEntries(
      files.map((file) => [
        file.path.slice(join(home, '.factory').length + 1),
        file.kind === 'json' ? file.entries.map(({ at }) => at.join('.')) : [],
      ]),
    )
  }
})

// The command as a person uses it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeSession, type Place, place, recollect } from '../program.ts'
import { claudeMemSessions, fixtures } from './fixtures.ts'

let at: Place
beforeAll(() => {
  const { captured } = claudeMemSessions
  at = place({ [`.claude/projects/-home-dev-app/${captured}.jsonl`]: claudeSession(captured, 1) })
  fixtures['claude-mem']!(join(at.home, '.claude-mem'))
  fixtures['basic-memory']!(join(at.home, 'basic-memory'))
  expect(recollect(at, 'sweep').status).toBe(0)
})
afterAll(() => at.remove())

describe('recollect import', () => {
  it('says what else was found at the default places, and how to import it', () => {
    const { status, err } = recollect(at, 'import')
    expect(status).toBe(1)
    expect(err.trimEnd().split('\n')).toEqual([
      'No memories of agents found.',
      'Also found: claude-mem in ~/.claude-mem/claude-mem.db',
      '  To import it: recollect import --from claude-mem',
      'Also found: basic-memory in ~/basic-memory',
      '  To import it: recollect import --from basic-memory',
    ])
    expect(recollect(at, 'import', '--json').json().others).toEqual([
      { source: 'claude-mem', path: join(at.home, '.claude-mem', 'claude-mem.db') },
      { source: 'basic-memory', path: join(at.home, 'basic-memory') },
    ])
  })

  it('imports a named source from its default place, and undo takes it back', () => {
    const { status, err } = recollect(at, 'import', '--from', 'claude-mem')
    expect(status).toBe(0)
    expect(err.trimEnd().split('\n')).toEqual([
      'claude-mem: ~/.claude-mem/claude-mem.db',
      'Sessions: 2 imported with 5 events, 1 captured from the agent already.',
      'To undo: recollect undo 1',
    ])
    expect(recollect(at, 'sessions', '--agent', 'claude-mem', '--json').json()).toHaveLength(2)
    expect(recollect(at, 'search', 'provider repeats webhooks', '--agent', 'claude-mem').out).toContain('claude-mem')
    const undone = recollect(at, 'undo')
    expect(undone.err).toContain('Undone: imported: 2 sessions of claude-mem')
    expect(undone.out).toContain('2 sessions removed')
    expect(recollect(at, 'import', 'claude-mem', '--json').json()).toMatchObject({ sessions: { written: 2 } })
  })

  it('detects what is at a path, and shows it first in a dry run', () => {
    const folder = join(at.home, 'basic-memory')
    const tried = recollect(at, 'import', folder, '--dry-run')
    expect(tried.out).toMatch(/^\+ m-\w+ {2}Payment Client: Never log the card number$/m)
    expect(tried.err).toContain('Memories: 2 new.\nPages: 3 articles.\nDry run: nothing was changed.')
    expect(recollect(at, 'memories', '--json').json()).toEqual([])
    recollect(at, 'import', folder)
    expect(recollect(at, 'import', folder).err).toContain('Nothing new.')
    const [page] = recollect(at, 'search', 'thin client', '--json').json().results
    expect(page).toMatchObject({ kind: 'article', id: 'wiki/concepts/Payment Client' })
  })

  it('imports an export into an empty store', () => {
    const folder = join(at.root, 'backup')
    recollect(at, 'export', '--format', 'json', folder)
    const other = place()
    try {
      expect(recollect(other, 'import', folder).status).toBe(0)
      const copy = join(other.root, 'copy')
      recollect(other, 'export', '--format', 'json', copy)
      const memories = (from: string) =>
        readFileSync(join(from, 'recollect.jsonl'), 'utf8')
          .split('\n')
          .filter((line) => line.startsWith('{"kind":"memory"'))
      expect(memories(copy)).toEqual(memories(folder))
      expect(memories(copy)).toHaveLength(2)
    } finally {
      other.remove()
    }
  })

  it.each([
    ['claude-mme', 'Unknown agent or source "claude-mme"', 'Did you mean claude-mem?'],
    ['./missing.db', 'There is no ', 'recollect import --help'],
    ['--from=memoria', 'No memory of memoria found at ', 'recollect import --from memoria <path>'],
    ['--from=recall', 'Unknown source "recall"', 'Known: recollect, claude-mem'],
  ])('explains what is wrong with %s', (what, message, hint) => {
    const { status, err } = recollect(at, 'import', what)
    expect(status).toBeGreaterThan(0)
    expect(err).toContain(message)
    expect(err).toContain(hint)
  })
})

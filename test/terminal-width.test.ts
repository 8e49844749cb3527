// Tables and lists fit the terminal: every command that prints one, on the demo home, at several
// widths. Sentences on standard error are wrapped only at a terminal.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import type { Pattern } from '../src/patterns/types.ts'
import { openLedger } from '../src/store/ledger.ts'
import { savePatterns } from '../src/store/patterns/patterns.ts'
import { keepCandidates } from './keep-candidates.ts'
import { type Place, place, recollect } from './program.ts'

const pattern: Pattern = {
  id: 'p-1a2b3c4d5e',
  polarity: 'problem',
  type: 'recurring error',
  locus: 'shell quoting',
  title: 'Shell quoting and glob errors',
  frequency: 12,
  times: 20,
  sessions: 9,
  projects: ['github.com/dev/an-application-with-a-long-name', 'github.com/dev/site'],
  agents: ['claude-code', 'codex', 'gemini-cli', 'grok'],
  crossAgent: true,
  costUsd: 1.5,
  firstMs: Date.parse('2026-08-01'),
  lastMs: Date.parse('2026-09-01'),
  evidence: 'aa00',
  examples: [
    { session: 'claude-code:0a1b2c3d-0000', seq: 14, detail: `zsh:1: no matches found: ${'plugins/*/'.repeat(20)}` },
    { session: 'codex:0a1b2c3d-1111', seq: null, detail: "unmatched '" },
  ],
}
const denied: Pattern = {
  ...pattern,
  id: 'p-ffff000000',
  type: 'denial',
  locus: 'git push',
  title: 'Denied calls: `git push`',
}

let at: Place
beforeAll(() => {
  at = place()
  cpSync(join(import.meta.dirname, '..', 'demo', 'home'), at.home, { recursive: true })
  expect(recollect(at, 'sweep').status).toBe(0)
  keepCandidates(at)
  recollect(at, 'sweep')
  const ledger = openLedger(layoutOf(at.store))
  savePatterns(ledger, [pattern, denied])
  ledger.close()
  expect(recollect(at, 'patterns', 'review', denied.id, '--approve').status).toBe(0)
})
afterAll(() => at.remove())

/** Those that replace the saved patterns come last. */
const commands = [
  ['sessions'],
  ['cost'],
  ['cost', '--by', 'project'],
  ['cost', '--by', 'model'],
  ['cost', '--by', 'session'],
  ['cost', '--by', 'block'],
  ['wiki'],
  ['journal', '--list'],
  ['timeline', '2026-09-01', '--around', '90d'],
  ['install', '--status'],
  ['models'],
  ['status'],
  ['memories'],
  ['memories', '--candidates'],
  ['du'],
  ['work', '--log'],
  ['patterns', 'review', '--list'],
  ['patterns', 'show', pattern.id],
  ['patterns', 'list'],
  ['patterns', 'measure'],
  ['patterns', 'detect', '--all'],
  ['retro', '--days', '2000'],
  [],
]

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

describe('tables and lists', () => {
  it.each(commands.map((args) => [args.join(' '), args] as const))('fit the width: %s', (_, args) => {
    // The overview begins with sentences.
    for (const columns of args.length === 0 ? [80, 100, 120] : [60, 80, 100, 120]) {
      const { out } = recollect({ ...at, env: { COLUMNS: String(columns) } }, ...args)
      expect(widest(out), out).toBeLessThanOrEqual(columns)
    }
    const untimed = ({ out }: { out: string }) => out.replace(/[\d.]+ m?s/g, '')
    expect(untimed(recollect(at, ...args))).toBe(untimed(recollect({ ...at, env: { COLUMNS: '80' } }, ...args)))
  })

  it('fit the width in show, except for what is copied', () => {
    const copied = /^session|\/\S+\/|title = front/ // ids, paths, code
    const sessions = recollect(at, 'sessions', '--json').json() as { id: string }[]
    for (const columns of [60, 80, 120])
      for (const { id } of sessions) {
        const { out } = recollect({ ...at, env: { COLUMNS: String(columns) } }, 'show', id)
        const tooLong = out.split('\n').filter((line) => line.length > columns)
        expect(tooLong.filter((line) => !copied.test(line))).toEqual([])
      }
  })

  it.each([['--help'], ['help', 'server'], ['help', 'hooks'], ['patterns', '--help']])(
    'fit the width in help: %s %s',
    (...args) => {
      const { out } = recollect({ ...at, env: { COLUMNS: '60' } }, ...args.filter(Boolean))
      // Values of the environment and examples are aligned by hand.
      const texts = out.split(/^(?:Environment|Examples):$/m)[0]!
      expect(widest(texts), texts).toBeLessThanOrEqual(60)
    },
  )

  it('use the width that there is', () => {
    const at120 = recollect({ ...at, env: { COLUMNS: '120' } }, 'sessions').out
    expect(widest(at120)).toBeGreaterThan(80)
    expect(at120).toMatch(/^ended +agent +project +title .* id$/m)
  })

  it('keep ids whole', () => {
    const sessions = recollect(at, 'sessions', '--json').json() as { id: string }[]
    const { out } = recollect({ ...at, env: { COLUMNS: '60' } }, 'sessions')
    const ids = out
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(/ {2,}/).at(-1)!)
    expect(ids.length).toBeGreaterThan(3)
    for (const id of ids)
      expect(
        sessions.some((session) => id.split('..').every((part) => session.id.includes(part))),
        id,
      ).toBe(true)
  })
})

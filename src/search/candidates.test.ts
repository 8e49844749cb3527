import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from '../core/sqlite.ts'
import { readSchema } from '../store/ledger.ts'
import { addJsonFunctions } from '../store/packed-json.ts'
import {
  deletePassages,
  type PassageRole,
  passageId,
  passageSource,
  sessionPassageIds,
  writePassages,
} from '../store/search/passages.ts'
import { findCandidates } from './candidates.ts'
import { parseQuery } from './query.ts'

let ledger: SqliteDatabase
beforeEach(() => {
  ledger = openDatabase(':memory:')
  addJsonFunctions(ledger)
  ledger.raw.exec(readSchema())
  const session = ledger.sql("INSERT INTO sessions (id, uid, agent, project, captured_at) VALUES (?, ?, ?, ?, '')")
  ledger.raw.exec(
    "INSERT INTO projects (id, key, name, kind) VALUES (1, 'app', 'app', 'folder'), (2, 'reef', 'reef', 'folder')",
  )
  session.run(1, 'codex:1', 'codex', 1)
  session.run(2, 'claude-code:2', 'claude-code', 1)
  session.run(3, 'codex:3', 'codex', 2)
  const memory = ledger.sql(
    `INSERT INTO memories (number, id, project, type, kind, status, state, text, importance, tags, keywords, evidence, trust,
       learned_at, valid_from, confirmed_at, said, version, origin)
     VALUES (?, ?, ?, 'project', 'fact', 'settled', 'kept', '', 0.5, '[]', '[]', '[]', 'user said', '', '', '', 1, 1, '')`,
  )
  memory.run(1, 'm-1', 'app')
  memory.run(2, 'm-2', null)
  memory.run(3, 'm-3', 'reef')
})
afterEach(() => ledger.close())

describe('findCandidates: forms of a word', () => {
  const texts = [
    '用户登录失败，因为数据库连接超时',
    'データベースの移行は明日にします',
    'Die Datenbankverbindung bricht nach zehn Sekunden ab',
    'we call parseQueryString before the router',
    "TypeError: Cannot read properties of undefined (reading 'map')\n    at renderList (src/ui/list.ts:42:13)",
    'the settings live in packages/core/src/config/defaults.ts',
    'the receiver drops the last message',
    'git push --force-with-lease broke the branch',
  ]
  beforeEach(() => talk(1, texts))

  it.each([
    ['Chinese', '数据库', 0],
    ['a single character', '库', 0],
    ['Japanese', '移行', 1],
    ['the beginning of a German compound', 'Datenbank', 2],
    ['the end of a German compound', 'Verbindung', 2],
    ['a part of camelCase', 'query string', 3],
    ['camelCase in small letters', 'parsequerystring', 3],
    ['a stack trace line', 'at renderList (src/ui/list.ts:42:13)', 4],
    ['an error message', "Cannot read properties of undefined (reading 'map')", 4],
    ['a path', 'packages/core/src/config/defaults.ts', 5],
    ['a file name', 'defaults.ts', 5],
    ['a misspelt word', 'recever', 6],
    ['two letters swapped', 'mesasge', 6],
    ['a flag', '--force-with-lease', 7],
    ['another form of a word', 'receiving', 6],
  ])('%s', (_, query, expected) => expect(seqs(query)[0]).toBe(expected))
})

describe('findCandidates: filters and operators', () => {
  beforeEach(() => {
    talk(1, ['the login test is flaky', 'the login page is slow', 'a page about login tests'])
    talk(2, ['login works with a token'])
    talk(3, ['login on the reef'])
  })

  it('requires a phrase', () => expect(seqs('"login page"')).toEqual([1]))
  it('excludes a word', () => expect(places('login -test -slow')).toEqual(['3#0', '2#0']))
  it('filters by project', () => expect(places('login', { project: 'reef' })).toEqual(['3#0']))
  it('filters by agent', () => expect(places('login', { agent: 'claude-code' })).toEqual(['2#0']))
  it('filters by file', () => {
    writePassages(
      ledger,
      { source: event(2, 5), role: 'tool', ts: at(0), said: '', done: 'npm test src/login.ts' },
      null,
    )
    expect(places('login file:src/login.ts')).toEqual(['2#5'])
  })
  it('filters by kind, in a project or everywhere', () => {
    for (const number of [1, 2, 3])
      writePassages(
        ledger,
        { source: { kind: 'memory', number }, role: 'note', ts: at(0), said: `login rule ${number}` },
        null,
      )
    const numbers = (filter: object) =>
      find('login', { kinds: ['memory'], ...filter }).map(({ passage }) => passageSource(passage.id))
    expect(numbers({}).toSorted(byNumber)).toEqual([1, 2, 3].map((number) => ({ kind: 'memory', number })))
    expect(numbers({ project: 'app' }).toSorted(byNumber)).toEqual([1, 2].map((number) => ({ kind: 'memory', number })))
    expect(places('login', { kinds: ['event'], project: 'reef' })).toEqual(['3#0'])
  })
  it('filters by time', () => expect(places('token', { sinceMs: at(5) })).toEqual([]))
  it.each(['', '???', '"', '-login', 'the of and', '""', 'login OR', 'NEAR(', '*', 'a^b:c'])(
    'nothing breaks it: %j',
    (typed) => expect(() => find(typed)).not.toThrow(),
  )
})

describe('findCandidates: ranking', () => {
  it('finds an answer by the question before it', () => {
    talk(1, ['Ann: Which database did you choose for billing?', 'Bob: SQLite, it needs no server.', 'Ann: Fine.'])
    talk(2, ['Ann: We talked of other things.', 'Bob: The billing page is green.'])
    expect(places('what database did Bob choose for billing')[0]).toBe('1#1')
  })

  it('prefers a statement that is continued two messages later', () => {
    const other = ['Ann: Go on.', 'Bob: Well.', 'Ann: Right.']
    const continued = ['Bob: The lexer is slow.', 'Ann: Go on.', 'Bob: It needs a cache.']
    talk(1, [...other, ...continued, ...other, 'Bob: The lexer is slow.', ...other])
    const order = seqs('lexer cache')
    expect(order.indexOf(3)).toBeLessThan(order.indexOf(9))
  })

  it('gives words that say what is asked for less weight than the subject', () => {
    talk(1, ['an issue with the form', ...Array.from({ length: 12 }, () => 'ok')])
    talk(2, ['the lexer is slow', 'ok', 'the lexer is fast'])
    expect(places('is there an issue with the lexer')[0]).toMatch(/^2#/)
  })

  it('ranks a named speaker before another', () => {
    talk(1, ['Ann: I repaired the lexer on Monday', 'Bob: I repaired the lexer on Monday'])
    expect(seqs('what did Bob repair')[0]).toBe(1)
    expect(seqs('what did Ann repair')[0]).toBe(0)
  })

  it('ranks the prompt of a person before the answer of the agent', () => {
    talk(1, ['use tabs for indentation in this project', 'ok'], ['human', 'agent'])
    talk(2, ['ok', 'use tabs for indentation in this project'], ['human', 'agent'])
    expect(places('tabs for indentation')[0]).toBe('1#0')
  })

  it('does not treat a label as a speaker', () => {
    talk(1, ['Fix: use tabs for indentation', 'ok'], ['human', 'agent'])
    talk(2, ['ok', 'use tabs for indentation'], ['human', 'agent'])
    expect(places('tabs for indentation')[0]).toBe('1#0')
  })

  it('ranks passages of the requested time first', () => {
    talk(
      1,
      ['we deployed the release', 'more of other things', 'still more', 'and more', 'we deployed the release'],
      undefined,
      20,
    )
    const [first] = seqs(`what was deployed on ${new Date(at(80)).toISOString().slice(0, 10)}`)
    expect(first).toBe(4)
  })

  it('finds a session by its title, which only the digest has', () => {
    talk(1, ['please look at this', 'done'])
    talk(2, ['please look at that', 'done'])
    writePassages(
      ledger,
      { source: { kind: 'digest', session: 2 }, role: 'note', ts: null, said: 'Kerning of the ligatures' },
      null,
    )
    expect(find('kerning ligatures').map(({ passage }) => passageSource(passage.id))).toEqual([
      { kind: 'digest', session: 2 },
    ])
  })

  it('returns the same result for the same query', () => {
    talk(
      1,
      Array.from({ length: 300 }, (_, index) => `login attempt ${index % 7}`),
    )
    expect(places('login attempt 3')).toEqual(places('login attempt 3'))
  })
})

describe('passages in the index', () => {
  it('links a passage to a later one', () => {
    const first = writePassages(ledger, { source: event(1, 0), role: 'human', ts: 0, said: 'which colour?' }, null)
    writePassages(ledger, { source: event(1, 1), role: 'tool', ts: 1, said: '', done: 'npm test' }, first)
    writePassages(ledger, { source: event(1, 2), role: 'agent', ts: 2, said: 'green' }, first)
    const rows = ledger.sql('SELECT id, id - previous AS previous, id + next AS next FROM passages ORDER BY id').all()
    const [a, b, c] = [0, 1, 2].map((seq) => passageId(event(1, seq), 0))
    expect(rows.map((row) => [row.id, row.previous, row.next])).toEqual([
      [a, null, c],
      [b, a, null],
      [c, a, null],
    ])
  })

  it('are no longer found after removal', () => {
    talk(1, ['the login test is flaky'])
    const { from, to } = sessionPassageIds(1)
    deletePassages(ledger, from, to)
    expect(places('login')).toEqual([])
  })

  it.each([
    [event(1, 0)],
    [event(400_000, 2 ** 24 - 2)],
    [{ kind: 'digest' as const, session: 7 }],
    [{ kind: 'memory' as const, number: 0 }],
    [{ kind: 'commit' as const, number: 123_456 }],
  ])('have an id that resolves to the source: %j', (source) => {
    for (const part of [0, 1, 31]) expect(passageSource(passageId(source, part))).toEqual(source)
    expect(Number.isSafeInteger(passageId(source, 31))).toBe(true)
  })
})

function byNumber(a: object, b: object): number {
  return (a as { number: number }).number - (b as { number: number }).number
}

function event(session: number, seq: number) {
  return { kind: 'event' as const, session, seq }
}

function at(day: number): number {
  return Date.parse('2026-03-01T12:00:00Z') + day * 86_400_000
}

function talk(session: number, texts: string[], roles?: PassageRole[], daysBetween = 0): void {
  let last: number | null = null
  for (const [seq, said] of texts.entries())
    last = writePassages(
      ledger,
      { source: event(session, seq), role: roles?.[seq] ?? 'human', ts: at(seq * daysBetween), said },
      last,
    )
}

function find(typed: string, filter = {}) {
  return findCandidates(ledger, parseQuery(typed), { nowMs: at(100), ...filter }).ranked
}

function places(typed: string, filter = {}): string[] {
  return find(typed, filter).map(({ passage }) => {
    const source = passageSource(passage.id)
    return source.kind === 'event' ? `${source.session}#${source.seq}` : source.kind
  })
}

function seqs(typed: string): number[] {
  return find(typed).map(({ passage }) => (passageSource(passage.id) as { seq: number }).seq)
}

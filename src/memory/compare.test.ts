import { describe, expect, it } from 'vitest'
import { heldOut, type PairKind, tuned } from '../../test/memory-pairs.ts'
import { heldOutRoles, type RolePair, type RolePairKind, tunedRoles } from '../../test/role-pairs.ts'
import {
  firstStatements,
  heldOutStatements,
  type StatementPair,
  type StatementPairKind,
} from '../../test/statement-pairs.ts'
import { compare } from './compare.ts'

it('is not sure whether an exception reverses a rule', () => {
  expect(compare('Use tabs in Makefiles', 'Never use tabs')).toEqual({ kind: 'conflict', isSure: false })
})

it('is not sure whether a longer choice for the same purpose ends the earlier one', () => {
  const [later, earlier] = ['Use spaces in TypeScript files for blocks', 'Use tabs in TypeScript files for blocks']
  expect(compare(later, earlier)).toEqual({ kind: 'conflict', isSure: false })
})

it('SPEC C.15: is not sure whether a number before the verb is a name or a value', () => {
  expect(compare('Node 22 is required here', 'Node 20 is required here')).toEqual({ kind: 'conflict', isSure: false })
  expect(compare('The API listens on port 8080', 'The API listens on port 3000')).toEqual({
    kind: 'conflict',
    isSure: true,
  })
})

describe('two statements', () => {
  it.each([
    ['use pnpm for installs', 'Always use pnpm for installs.'],
    ['Run the linter before every commit', 'run the linter before each commit'],
    ['Deploys go out on Tuesdays only', 'deploys only go out on Tuesdays'],
    ['提交之前必须运行所有测试', '在提交之前运行所有测试'],
  ])('are the same: %s / %s', (later, earlier) => {
    expect(compare(later, earlier)).toEqual({ kind: 'same' })
  })

  it.each([
    ['never squash commits when merging', 'squash commits when merging'],
    ['use pnpm instead of npm for installs', 'use npm for installs'],
    ['The API listens on port 8080', 'The API listens on port 3000'],
    ['Shard 1 of the queue listens on port 5002', 'Shard 1 of the queue listens on port 5001'],
    ['The timeout is 60 seconds for all 5 regions', 'The timeout is 30 seconds for all 5 regions'],
    ['Build with Python 3.12', 'Build with Python 3.11'],
    ['Always use npm, never pnpm', 'Always use pnpm, never npm'],
    ['Releases happen on Fridays only', 'Releases happen on Tuesdays only'],
    ['Never deploy on Fridays', 'Deploy on Fridays'],
    ['Deploying on Fridays is fine again.', 'Never deploy on Fridays.'],
    ['Always use pnpm, never npm', 'Use npm for everything'],
    ['We no longer use npm', 'Use npm for everything'],
    ['Use spaces for indentation', 'Use tabs for indentation'],
    ['You can use semicolons again.', 'Please stop using semicolons.'],
    ['No, use moment again.', "Don't use moment, use date-fns."],
    ['Actually, go back to npm.', 'Always use pnpm, never npm.'],
    ["You don't need to run the tests before committing any more.", 'Always run the tests before committing.'],
    [
      'No, never use date-fns, use moment because the bundle is smaller.',
      'No, never use moment, use date-fns because moment is deprecated.',
    ],
    ['we switched from Jest to vitest for unit tests', 'unit tests run with Jest'],
  ])('contradict each other: %s / %s', (later, earlier) => {
    expect(compare(later, earlier).kind).toBe('conflict')
  })

  it.each([
    ['tests of parser.ts stand in test/parser.test.ts', 'tests of lexer.ts stand in test/lexer.test.ts'],
    ['use tabs in Go files', 'use spaces in Python files'],
    ['never push on Fridays', 'never log request bodies'],
    ['never push on Fridays', 'never push on Sundays'],
    ['never listen on port 8080 of the API', 'never listen on port 3000 of the API'],
    ['Shard 2 of the queue listens on port 5002', 'Shard 1 of the queue listens on port 5001'],
    ['Python 3.12 builds take 9 minutes', 'Python 3.11 builds take 9 minutes'],
    ['Python 3.12 builds take 9 minutes', 'Python 3.11 builds take 8 minutes'],
    ['do not mock the database', 'the database is PostgreSQL'],
    ['use pnpm instead of npm for installs', 'npm tokens are kept in the vault of the team'],
    [
      'The billing service stores its data in PostgreSQL tables',
      'The orders service stores its data in PostgreSQL tables',
    ],
    [
      'Ben reviews changes of the parser before every release',
      'Anna reviews changes of the parser before every release',
    ],
    ['Bank payments go through the Stripe API client', 'Card payments go through the Stripe API client'],
    ['Drop the cache table before running the migration', 'The cache table lives in Redis'],
    ['Send no-cache headers with every page of the shop', 'Send cache headers with every page of the shop twice'],
    ["Don't use the cache in tests", 'Use the cache in production'],
    ['Use npm scripts for builds', 'Always use pnpm, never npm'],
    ['We no longer use npm', 'Always use pnpm, never npm'],
    ['Use Redis for sessions', 'Never use cookies for sessions'],
    ['never use npm here', 'the npm token is in the vault'],
    [
      'Invoices are rounded half even, as the ledger of finance does',
      'Round invoices half up: finance books them like that in its ledger',
    ],
    ['Commands were moved from main.go into pkg/cmd', 'Commands are being moved out of main.go, one file each'],
  ])('have nothing to do with each other: %s / %s', (later, earlier) => {
    expect(compare(later, earlier)).toEqual({ kind: 'other' })
  })
})

describe('pairs of statements as developers make them', () => {
  const rates = ({ same, opposite, changed, different }: Record<PairKind, readonly (readonly [string, string])[]>) => {
    const share = (pairs: readonly (readonly [string, string])[], ...kinds: string[]) =>
      pairs.filter(([earlier, later]) => kinds.includes(compare(later, earlier).kind)).length / pairs.length
    const isSuperseded = ([earlier, later]: readonly [string, string]) => {
      const relation = compare(later, earlier)
      return relation.kind === 'conflict' && relation.isSure
    }
    return {
      merged: share(same, 'same'),
      reversed: share(opposite, 'conflict'),
      changed: share(changed, 'conflict'),
      wronglyMerged: share([...opposite, ...changed, ...different], 'same'),
      wronglySuperseded: [...same, ...different].filter(isSuperseded).length,
      wronglyAsked: share([...same, ...different], 'conflict'),
    }
  }

  it.each([
    ['that the rules were made with', tuned, { merged: 0.9, reversed: 0.97, changed: 0.97 }],
    ['held out', heldOut, { merged: 0.75, reversed: 0.95, changed: 0.95 }],
  ])('are told apart: %s', (_, pairs, least) => {
    const reached = rates(pairs)
    expect(reached.merged).toBeGreaterThanOrEqual(least.merged)
    expect(reached.reversed).toBeGreaterThanOrEqual(least.reversed)
    expect(reached.changed).toBeGreaterThanOrEqual(least.changed)
    expect(reached).toMatchObject({ wronglyMerged: 0, wronglySuperseded: 0 })
    expect(reached.wronglyAsked).toBeLessThanOrEqual(0.02)
  })
})

describe('pairs of statements with the same words in other roles', () => {
  const relationsOf = (pairs: readonly RolePair[]) => pairs.map(([earlier, later]) => compare(later, earlier))
  const share = (pairs: readonly RolePair[], kind: string) =>
    relationsOf(pairs).filter((relation) => relation.kind === kind).length / pairs.length

  it.each<[string, Record<RolePairKind, readonly RolePair[]>]>([
    ['that the rules were made with', tunedRoles],
    ['held out', heldOutRoles],
  ])('are told apart: %s', (_, { reversed, different, same, narrower }) => {
    expect(share(reversed, 'conflict')).toBeGreaterThanOrEqual(0.95)
    expect(share(same, 'same')).toBeGreaterThanOrEqual(0.85)
    expect([reversed, different, narrower].map((pairs) => share(pairs, 'same'))).toEqual([0, 0, 0])
    expect([...relationsOf(different), ...relationsOf(narrower)]).not.toContainEqual({ kind: 'conflict', isSure: true })
  })
})

describe('pairs of statements written without knowledge of the rules', () => {
  const relationsOf = (pairs: readonly StatementPair[]) => pairs.map(([earlier, later]) => compare(later, earlier))
  const share = (pairs: readonly StatementPair[], kind: string) =>
    relationsOf(pairs).filter((relation) => relation.kind === kind).length / pairs.length

  it.each<[string, Record<StatementPairKind, readonly StatementPair[]>, number]>([
    ['that the rules were then mended with', firstStatements, 0.9],
    ['held out', heldOutStatements, 0.75],
  ])('are told apart: %s', (_, { reversed, changed, narrower, same, different }, leastMerged) => {
    expect(share([...reversed, ...changed], 'conflict')).toBeGreaterThanOrEqual(0.95)
    expect(share(same, 'same')).toBeGreaterThanOrEqual(leastMerged)
    expect(share([...reversed, ...changed, ...narrower, ...different], 'same')).toBe(0)
    expect(relationsOf([...narrower, ...same, ...different])).not.toContainEqual({ kind: 'conflict', isSure: true })
    expect(share([...same, ...different], 'conflict')).toBeLessThanOrEqual(0.02)
  })
})

it.each([
  ['When tests and docs disagree, trust the tests', 'When tests and docs disagree, trust the docs'],
  ['The gateway needs the ledger', 'The ledger needs the gateway'],
  ["Alice is Bob's manager", "Bob is Alice's manager"],
  ['Service A calls service B', 'Service B calls service A'],
  ['A comes before B', 'A comes after B'],
  ['Tracing on, profiling off', 'Profiling on, tracing off'],
  ['Redis > Memcached', 'Memcached > Redis'],
  ['1. lint 2. build', '1. build 2. lint'],
  ['Cambiar de tabs a espacios', 'Cambiar de espacios a tabs'],
])('never the same: %s / %s', (earlier, later) => {
  expect(compare(later, earlier).kind).toBe('conflict')
})

it.each([
  ['Log everything', 'Log nothing'],
  ['Everyone may merge', 'Only maintainers may merge'],
  ['Use UTC unless the user chose a zone', 'Use UTC only if the user chose a zone'],
  ['Release every two weeks', 'Release every week'],
  ['Drop Python 3.9', 'Keep Python 3.9'],
  ['Run tests with pnpm', 'Use npm to run the tests'],
  ['The demo is on 2026-03-03', 'The demo is on 2026-03-10'],
  ['Der Timeout beträgt 30 Sekunden', 'Der Timeout beträgt 60 Sekunden'],
])('asks or ends the earlier one: %s / %s', (earlier, later) => {
  expect(compare(later, earlier).kind).toBe('conflict')
})

it.each([
  ['Erst testen, dann committen', 'Erst committen, dann testen'],
  ['Utilise toujours pnpm, jamais npm', 'Utilise toujours npm, jamais pnpm'],
  ['Usa pnpm en lugar de npm', 'Usa npm en lugar de pnpm'],
  ['Use sempre pnpm em vez de npm', 'Use sempre npm em vez de pnpm'],
  ['Usa sempre pnpm invece di npm', 'Usa sempre npm invece di pnpm'],
  ['Сначала тесты, потом коммит', 'Сначала коммит, потом тесты'],
  ['先测试再提交', '先提交再测试'],
  ['永远不要直接推送到main', '可以直接推送到main'],
  ['所有测试都用vitest', '所有测试都用jest'],
  ['jestよりもvitestを使う', 'vitestよりもjestを使う'],
  ['生成ファイルをコミットしない', '生成ファイルをコミットする'],
])('other languages have an order too: %s', (earlier, later) => {
  expect(compare(later, earlier).kind).toBe('conflict')
})

it.each([
  ['The deploy runs after the migration', 'The migration runs after the deploy', true],
  ['Retry at least 3 times', 'Retry at most 3 times', false],
  ['Always squash commits', 'Sometimes squash commits', false],
  ['Deploy on Tuesdays', 'Deploy on Tuesdays only', false],
  ['Write more comments', 'Write fewer comments', false],
  ['Billing is owned by Alice', 'Bob owns billing', false],
])('limits, order and owners are compared: %s / %s', (earlier, later, isSure) => {
  expect(compare(later, earlier)).toEqual({ kind: 'conflict', isSure })
})

it('reads hostile text of any length', () => {
  const parts = [
    'first a then b ',
    'a, then ',
    '-> ',
    'use over ',
    'is not, ',
    'erst dann statt ',
    'only except ',
    '; ',
  ]
  for (const part of parts) {
    const text = part.repeat(4000 / part.length)
    expect(compare(`${text}x`, `${text}y`).kind).toBe('other')
  }
  const run = '用户别'.repeat(30_000)
  expect(compare(`${run}一`, `${run}二`).kind).toBe('other')
})

import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import type { Memory } from '../../memory/memory.ts'
import { mergeDuplicates } from './duplicates.ts'
import type { PastDecisions } from './past-decisions.ts'

const nobody: PastDecisions = { isSettled: () => false, isTextRejected: () => false, deniedDoubts: () => new Set() }
const at = '2026-11-01T12:00:00.000Z'

/** Later ones are said later. */
function memories(...given: (string | Partial<Memory>)[]): Memory[] {
  return given.map((one, index) => {
    const own = typeof one === 'string' ? { text: one } : one
    const said = `2026-09-0${index + 1}T10:00:00.000Z`
    return sampleMemory({
      id: `m-${index + 1}`,
      type: 'feedback',
      kind: 'preference',
      text: '',
      evidence: [{ session: `claude-code:s${index + 1}`, event: 'e1', quote: own.text ?? '' }],
      at: said,
      ...own,
    })
  })
}

function mergedOf(given: Memory[], decided = nobody): string[] {
  return mergeDuplicates(given, decided, at).findings.map(({ memory, other }) => `${memory} into ${other}`)
}

describe('mergeDuplicates', () => {
  it.each([
    ['Run the linter before every commit', 'run the linter before every commit.'],
    ['Use pnpm for installs in this repository', 'Please use pnpm for installs in this repository'],
    ['The staging database is on port 5433', 'Our staging database is on port 5433'],
    ['We use `vitest` for tests', 'Use vitest for tests'],
    ['Do not push to main', 'Don’t push to main!'],
    ['Always run the migrations first', 'Run the migrations first'],
    ['The cache lives in src/cache.ts', 'The cache lives in `src/cache.ts`.'],
    ['Releases are made from the release branch', 'Releases are made from the "release" branch'],
    ['部署之前先运行测试', '部署之前先运行测试。'],
    ['Always use pnpm instead of npm', 'Never use npm, use pnpm'],
    ['Never edit generated files by hand', "Generated files mustn't be changed manually"],
    ['Log to stderr, not stdout', 'Logs go to stderr instead of stdout'],
  ])('become one: %s / %s', (earlier, later) => {
    expect(mergedOf(memories(earlier, later))).toEqual(['m-1 into m-2'])
  })

  it.each([
    ['another order', 'Copy the rows from staging to production', 'Copy the rows from production to staging'],
    ['another number', 'The staging database is on port 5433', 'The staging database is on port 5432'],
    ['a denial', 'Squash the commits of a branch', 'Never squash the commits of a branch'],
    ['how far it goes', 'Deploys go out on Tuesday', 'Deploys go out only on Tuesday'],
    ['how firm it is', 'The worker must retry the request', 'The worker may retry the request'],
    ['on and off', 'Turn the feature flag on for tests', 'Turn the feature flag off for tests'],
    [
      'more in one',
      'Use pnpm for installs',
      'Use pnpm for installs, and let renovate bump versions weekly in the lock file',
    ],
    ['with and without', 'Push to main with a review', 'Push to main without a review'],
    ['who does it to whom', 'The client calls the server', 'The server calls the client'],
    ['what is forbidden', 'Use tabs, never spaces', 'Use spaces, never tabs'],
    ['where to and where from', 'Copy the backup to S3', 'Copy the backup from S3'],
    ['by and to', 'Increase the pool by 5', 'Increase the pool to 5'],
    ['and and or', 'Validate input with zod and yup', 'Validate input with zod or yup'],
    ['signs that belong to a name', 'Write the driver in C#', 'Write the driver in C++'],
    ['a name that is a small word', 'Write the export worker service in Go', 'Write the export worker service in Rust'],
    ['a sign before a number', 'The timeout of the worker is -1', 'The timeout of the worker is 1'],
    ['less and more', 'The budget is < 5 MB per page', 'The budget is > 5 MB per page'],
    ['upper case in a path', 'Read config/App.json at start', 'Read config/app.json at start'],
    ['then and now', 'The queue of the worker was Redis', 'The queue of the worker is Redis'],
    ['a plan and a fact', 'We will use Redis for the job queue', 'We use Redis for the job queue'],
    [
      'one environment more',
      'Cache the user profile response for builds',
      'Cache the user profile response for production builds',
    ],
    ['what belongs to which', 'Logs: info in staging, debug in dev', 'Logs: debug in staging, info in dev'],
    ['whose', 'Use my key for the staging deploy', 'Use your key for the staging deploy'],
  ])('stay two where they differ: %s', (_, earlier, later) => {
    expect(mergedOf(memories(earlier, later))).toEqual([])
  })

  const text = 'Run the linter before every commit'
  it.each<[string, Partial<Memory>, Partial<Memory>, string[]]>([
    ['what an agent said later gives way to the user', { text }, { text, trust: 'agent said' }, ['m-2 into m-1']],
    ['what an agent said earlier, too', { text, trust: 'agent said' }, { text }, ['m-1 into m-2']],
    ['an imported one gives way to a later word', { text, trust: 'imported' }, { text }, ['m-1 into m-2']],
    ['but not to an earlier one', { text }, { text, trust: 'imported' }, []],
    ['what is private is not counted elsewhere', { text, type: 'user' }, { text }, []],
    ['two projects are two', { text }, { text, project: '/home/dev/other' }, []],
    ['what holds everywhere takes in the same of a project', { text, project: null }, { text }, ['m-2 into m-1']],
    ['what failed is not what holds', { text, status: 'tried-and-failed' }, { text }, []],
  ])('%s', (_, earlier, later, merged) => {
    expect(mergedOf(memories(earlier, later))).toEqual(merged)
  })

  it('adds up counts, evidence and reasons', () => {
    const given = memories({ text, why: 'CI is slow', tags: ['ci'], importance: 0.9 }, text, text)
    const { memories: changed } = mergeDuplicates(given, nobody, at)
    const kept = changed.filter(({ supersededBy }) => supersededBy === null)
    expect(kept).toMatchObject([
      { id: 'm-3', why: 'CI is slow', tags: ['ci'], importance: 0.9, counts: { said: 3 }, version: 2 },
    ])
    expect(kept[0]!.evidence.map(({ session }) => session).sort()).toEqual([
      'claude-code:s1',
      'claude-code:s2',
      'claude-code:s3',
    ])
    expect(changed.every(({ version }) => version === 2)).toBe(true)
  })

  it('keeps the wording of a person, else the clearer one', () => {
    const texts = (...given: Partial<Memory>[]) =>
      mergeDuplicates(memories(...given), nobody, at).memories.flatMap((one) => (one.supersededBy ? [] : one.text))
    const clear = 'Generated files are never edited by hand.'
    const plain = 'no, never edit generated files by hand'
    expect(texts({ text: clear, because: 'model' }, { text: plain, because: 'model' })).toEqual([clear])
    expect(texts({ text: plain, because: 'person' }, { text: clear, because: 'model' })).toEqual([plain])
  })

  it('does not count a statement of an agent as one of the user', () => {
    const { memories: changed } = mergeDuplicates(memories({ text, trust: 'agent said' }, text), nobody, at)
    expect(changed.map(({ id }) => id)).toEqual(['m-1'])
  })

  it('keeps both if a person decided so', () => {
    expect(mergedOf(memories(text, text), { ...nobody, isSettled: () => true })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { digestOf } from '../digest/digest.ts'
import { newDigestState } from '../digest/digest-state.ts'
import { describeActivity } from './activity.ts'

function activityOf(
  change: Partial<ReturnType<typeof newDigestState>>,
  { cwd = null, isTested }: { cwd?: string | null; isTested?: boolean } = {},
) {
  return describeActivity(digestOf({ ...newDigestState(), ...change }), { cwd, isTested })
}

const commit = (text: string, seq = 1) => ({ seq, kind: 'commit' as const, text })
const changed = (added: number, removed = 0, change = 'update') => ({ change, added, removed, times: 1 })

describe('describeActivity: commits', () => {
  it('lists subjects once and whole', () =>
    expect(
      activityOf({ commits: ['fix: round up'], turningPoints: [commit('fix: round up'), commit('pushed', 2)] }),
    ).toEqual(['Committed: fix: round up', 'Pushed.']))

  it('leaves out commits that are folded into others, and subjects with variables', () =>
    expect(activityOf({ commits: ['WIP 1', 'fixup! fix: a', 'step $i', 'feat: add x'] })).toEqual([
      'Committed: feat: add x',
    ]))

  it('shows the last ones of many', () => {
    const commits = Array.from({ length: 12 }, (_, index) => `feat: part ${index}`)
    const lines = activityOf({ commits })
    expect(lines).toHaveLength(8)
    expect(lines[0]).toBe('Committed: feat: part 5')
    expect(lines.slice(-2)).toEqual(['Committed: feat: part 11', '5 more commits before these.'])
  })

  it('tells that a commit was reverted', () =>
    expect(activityOf({ commits: ['fix: b'], reverted: ['feat: a'] })).toEqual([
      'Committed and reverted: feat: a',
      'Committed: fix: b',
    ]))

  it('names pull requests', () =>
    expect(
      activityOf({
        turningPoints: [commit('opened pull request #12: Round up'), commit('merged the pull request', 2)],
      }),
    ).toEqual(['Opened pull request #12: Round up.', 'Merged the pull request.']))

  it.each([
    [['committed'], 'Committed.'],
    [['pushed', 'opened a pull request'], 'Opened a pull request.'],
    [['opened a pull request', 'merged the pull request'], 'Opened a pull request and merged the pull request.'],
  ])('tells what was published without a subject: %j', (texts, line) =>
    expect(activityOf({ turningPoints: texts.map((text, seq) => commit(text, seq)) })).toEqual([line]),
  )
})

describe('describeActivity: files', () => {
  it.each([
    ['/home/dev/app', '/home/dev/app/src/a.ts', 'src/a.ts'],
    ['D:\\app', 'D:\\app\\src\\a.ts', 'src/a.ts'],
    ['d:/app', 'D:\\app\\src\\a.ts', 'src/a.ts'],
    ['/home/dev/app', 'src/a.ts', 'src/a.ts'],
    ['/home/dev/app', '/home/dev/application/src/a.ts', '…/src/a.ts'],
    ['/home/dev/app', '/etc/hosts', '/etc/hosts'],
  ])('in %s: %s is %s', (cwd, path, shown) =>
    expect(activityOf({ files: { [path]: changed(1) } }, { cwd })).toEqual([`Changed \`${shown}\`.`]),
  )

  it('names few files, and of many the folders', () => {
    const files = Object.fromEntries(
      [1, 2, 3, 4, 5].map((index) => [`/home/dev/app/src/store/${index}.ts`, changed(index)]),
    )
    expect(
      activityOf({ files: { ...files, '/home/dev/app/b.ts': changed(0, 90, 'delete') } }, { cwd: '/home/dev/app' }),
    ).toEqual(['Changed 6 files in `src/store`, most of all `b.ts`, `src/store/5.ts` and `src/store/4.ts`.'])
  })

  it('leaves out temporary files elsewhere', () => {
    const files = { '/tmp/x/try.py': changed(9), '/tmp/app/a.py': changed(1, 0, 'delete') }
    expect(activityOf({ files }, { cwd: '/tmp/app' })).toEqual(['Changed `a.py` (deleted).'])
  })
})

describe('describeActivity: tests', () => {
  it.each([
    [{ runs: 1, failedRuns: 0, lastPassed: 12, lastFailed: 0 }, true, 'Ran the tests: 12 tests passed.'],
    [{ runs: 1, failedRuns: 1, lastPassed: 0, lastFailed: 0 }, false, 'Ran the tests, which failed.'],
    [{ runs: 3, failedRuns: 1, lastPassed: 0, lastFailed: 0 }, true, 'Ran the tests 3 times; the last run passed.'],
    [
      { runs: 2, failedRuns: 1, lastPassed: 1, lastFailed: 1 },
      false,
      'Ran the tests twice: 1 of 2 tests failed in the last run.',
    ],
  ])('%j', (tests, isTested, line) => expect(activityOf({ tests }, { isTested })).toEqual([line]))
})

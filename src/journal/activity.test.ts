import { describe, expect, it } from 'vitest'
import { digestOf } from '../digest/digest.ts'
import { newDigestState } from '../digest/digest-state.ts'
import { describeActivity, elideMiddle } from './activity.ts'

function digestWith(change: Partial<ReturnType<typeof newDigestState>>) {
  return digestOf({ ...newDigestState(), ...change })
}

describe('describeActivity', () => {
  it.each([
    ['git add . && git commit -m "fix: round up" && git push', 'Committed: fix: round up'],
    ["git commit -m 'a `b` c'", 'Committed: a `b` c'],
    [
      `git commit -m "$(cat <<'EOF' feat: add x Co-Authored-By: Someone <a@example.com> EOF )"`,
      'Committed: feat: add x',
    ],
    ['git commit --amend --no-edit', 'Amended the commit.'],
    ['git push origin main', 'Pushed.'],
    [`gh pr create --title "docs: how" --body "$(cat <<'EOF' ## Summary`, 'Opened a pull request: docs: how'],
    ['gh pr merge 12 --squash', 'Merged a pull request.'],
  ])('%s', (text, sentence) => {
    expect(describeActivity(digestWith({ turningPoints: [{ seq: 1, kind: 'commit', text }] }), null, false)).toEqual([
      sentence,
    ])
  })

  it('lists the most changed files, relative to the folder of the session', () => {
    const files = {
      '/home/dev/app/src/a.ts': { change: 'update', added: 3, removed: 1, times: 1 },
      '/home/dev/app/b.ts': { change: 'delete', added: 0, removed: 90, times: 1 },
      '/etc/hosts': { change: 'update', added: 0, removed: 0, times: 1 },
    }
    expect(describeActivity(digestWith({ files }), '/home/dev/app', false)).toEqual([
      'Changed 3 files: `b.ts` (deleted), `src/a.ts` (+3 −1), `/etc/hosts`.',
    ])
  })

  it.each([
    [{ runs: 1, failedRuns: 0, lastPassed: 12, lastFailed: 0 }, 'Ran the tests: 12 tests passed.'],
    [{ runs: 1, failedRuns: 1, lastPassed: 0, lastFailed: 0 }, 'Ran the tests, which failed.'],
    [
      { runs: 3, failedRuns: 1, lastPassed: 1, lastFailed: 1 },
      'Ran the tests 3 times, 1 of the runs failed; the last time 1 of 2 tests failed.',
    ],
  ])('describes test runs: %j', (tests, sentence) =>
    expect(describeActivity(digestWith({ tests }), null, false)).toEqual([sentence]),
  )

  it('keeps the beginning and the end of a long list', () =>
    expect(elideMiddle(['a', 'b', 'c', 'd', 'e'], 3)).toEqual(['a', '… 2 more …', 'd', 'e']))
})

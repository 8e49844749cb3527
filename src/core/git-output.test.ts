import { expect, it } from 'vitest'
import { gitReports, reportedCommits, reportedPullRequest } from './git-output.ts'

const output = `remote: checking
[topic/a 0a1b2c3] fix: round up
 1 file changed, 2 insertions(+)
https://github.com/o/r/pull/12
see https://github.com/o/r/pull/13 for more`

it('keeps only the lines that report a commit or a pull request', () =>
  expect(gitReports(output)).toBe('[topic/a 0a1b2c3] fix: round up\nhttps://github.com/o/r/pull/12'))

it('reads hash, subject and number', () => {
  expect(reportedCommits(output)).toEqual([{ hash: '0a1b2c3', subject: 'fix: round up' }])
  expect(reportedPullRequest(output)).toBe('12')
})

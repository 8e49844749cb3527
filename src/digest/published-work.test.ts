import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { digestOf } from './digest.ts'
import { foldEvent, newDigestState } from './digest-state.ts'
import { publicationsIn } from './published-work.ts'

/** The digest after shell lines, each with its output; one that begins with `✗` failed. */
function after(...calls: [line: string, output?: string][]) {
  const state = newDigestState()
  const fold = (event: Partial<StoredEvent>) =>
    foldEvent(state, { ...{ seq: 0, id: '', ts: null, role: 'assistant', kind: 'tool_call', text: '' }, ...event })
  for (const [index, [line, output = '']] of calls.entries()) {
    fold({ seq: 2 * index, tool: 'Bash', call: `c${index}`, input: { command: line } })
    const result = output.startsWith('✗') ? ({ error: 'failed', exit: 1 } as const) : {}
    fold({ seq: 2 * index + 1, kind: 'tool_result', call: `c${index}`, text: output, ...result })
  }
  return digestOf(state)
}

describe('publicationsIn', () => {
  it.each([
    ['git commit -F - <<EOF\nfix: round up\n\nWhy.\nEOF', '', 'fix: round up'],
    ['git commit -F message.txt', '[main 0a1b2c3] fix: round up\n 1 file changed', 'fix: round up'],
    ['git commit --amend --no-edit', '[topic/a 0a1b2c3] fix: round up', 'fix: round up'],
    ['git commit -m "$SUBJECT"', '[main (root-commit) 0a1b2c3] fix: round up', 'fix: round up'],
    ['for f in a b; do git commit -qm "fix: $f"; done', '', 'fix: $f'],
    ['gh pr create --title "Round up" --body x', 'https://github.com/o/r/pull/12', 'opened pull request #12: Round up'],
    ['gh pr create --fill', '', 'opened a pull request'],
    ['gh pr merge 12 --squash', '', 'merged pull request #12'],
  ])('%s', (line, output, text) => expect(publicationsIn(line, output).map((work) => work.text)).toEqual([text]))

  it('finds all commits that a line reports', () =>
    expect(
      publicationsIn('git commit -m "$A" && git commit -m "$B"', '[main 0a1b2c3] a\n[main 0a1b2c4] b'),
    ).toHaveLength(2))

  it('takes no other output for a commit', () =>
    expect(publicationsIn('cat notes.txt', '[main 0a1b2c3] fix: round up')).toEqual([]))

  it('counts a commit of a line that failed behind it', () => {
    const output = '[main 0a1b2c3] fix: round up\n! [rejected] main'
    expect(publicationsIn('git commit -F m && git push', output, false)).toMatchObject([{ subject: 'fix: round up' }])
    expect(publicationsIn('git commit -m "fix: round up"', 'hook failed', false)).toEqual([])
  })
})

describe('commits that were taken back', () => {
  const one: [string, string] = ['git commit -m "feat: one"', '[main aaaaaaa1] feat: one']
  const two: [string, string] = ['git commit -m "feat: two"', '[main bbbbbbb2] feat: two']

  it.each<[string, [string, string?][], string[], string[]]>([
    ['by git revert of a hash', [one, two, ['git revert --no-edit aaaaaaa']], ['feat: two'], ['feat: one']],
    ['by git revert of the last', [one, two, ['git revert HEAD --no-edit']], ['feat: one'], ['feat: two']],
    [
      'by a revert that is reported',
      [one, two, ['git revert -n $X && git commit', '[main ccccccc3] Revert "feat: one"']],
      ['feat: two'],
      ['feat: one'],
    ],
    ['by git reset', [one, two, ['git reset --soft HEAD~1']], ['feat: one'], []],
    ['by git reset of two', [one, two, ['git reset --hard HEAD^^']], [], []],
    ['by git reset to a hash', [one, two, ['git reset --hard aaaaaaa1']], ['feat: one'], []],
    ['not by git reset of a file', [one, ['git reset HEAD~1 a.ts']], ['feat: one'], []],
    ['not by a reset that failed', [one, ['git reset --hard HEAD~1', '✗ fatal']], ['feat: one'], []],
    ['and made again', [one, ['git revert HEAD'], one], ['feat: one'], []],
    [
      'by an amended message',
      [one, ['git commit --amend -m x', '[main ddddddd4] feat: one and a half']],
      ['feat: one and a half'],
      [],
    ],
  ])('%s', (_, calls, commits, reverted) => expect(after(...calls)).toMatchObject({ commits, reverted }))

  it('by a command of the agent', () => {
    const state = newDigestState()
    for (const [seq, text] of [
      'Commit aaaaaaa1 feat: one',
      'Commit bbbbbbb2 feat: two',
      'Undone: bbbbbbb2 feat: two',
    ].entries())
      foldEvent(state, { seq, id: '', ts: null, role: 'system', kind: 'lifecycle', text })
    expect(digestOf(state).commits).toEqual(['feat: one'])
  })

  it('are no evidence of success', () =>
    expect(after(one, ['git reset --soft HEAD~1']).because).not.toBe('ended with a commit'))
})

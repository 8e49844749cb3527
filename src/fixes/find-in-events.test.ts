import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { findInEvents } from './find-in-events.ts'

type Step =
  | { run: string; fails?: string; prints?: string }
  | { edit: string; from: string; to: string }
  | { say: string }

function find(steps: Step[]) {
  const take = findInEvents('/home/dev/app')
  return { fixes: eventsOf(steps).flatMap((event) => take(event)) }
}

function eventsOf(steps: Step[]): StoredEvent[] {
  return steps
    .flatMap((step, index): Omit<StoredEvent, 'seq'>[] => {
      const base = { id: `e${index}`, ts: null, call: `c${index}` }
      if ('say' in step) return [{ ...base, kind: 'reply', role: 'assistant', text: step.say }]
      if ('edit' in step) {
        const input = { file_path: step.edit, old_string: step.from, new_string: step.to }
        const files = [{ path: step.edit, change: 'update' as const }]
        return [
          { ...base, kind: 'tool_call', role: 'assistant', tool: 'Edit', text: '', input },
          { ...base, kind: 'edit', role: 'tool', text: '', files },
        ]
      }
      const failed = step.fails === undefined ? {} : { error: 'failed' as const, exit: 1 }
      return [
        { ...base, kind: 'tool_call', role: 'assistant', tool: 'Bash', text: '', input: { command: step.run } },
        {
          ...base,
          ...failed,
          kind: 'tool_result',
          role: 'tool',
          tool: 'Bash',
          text: step.fails ?? step.prints ?? 'ok',
        },
      ]
    })
    .map((event, seq) => ({ seq, ...event }))
}

const unchecked = 'Exit code 1\na/b.go:9:2: Error return value of `f.Close` is not checked (errcheck)\n\tf.Close()\n\t^'
const lint = { run: 'make lint', fails: unchecked }

describe('findInEvents', () => {
  it.each<[string, Step[], string, string]>([
    [
      'another call',
      [
        { run: 'gh pr diff 12 --stat', fails: 'unknown flag: --stat' },
        { run: 'gh pr diff 12 --name-only', prints: 'a.ts' },
      ],
      'call',
      '`gh pr diff <n> --name-only` works.',
    ],
    [
      'a step in between',
      [
        { run: 'go test ./a', fails: 'go: updates to go.mod needed; to update it:' },
        { run: 'go mod tidy' },
        { run: 'go test ./a' },
      ],
      'step',
      'It works after `go mod tidy`.',
    ],
    [
      'a pull before a push',
      [
        { run: 'git push', fails: ' ! [rejected]  main -> main (fetch first)' },
        { run: 'git pull --rebase' },
        { run: 'git push', prints: 'main -> main' },
      ],
      'step',
      'It works after `git pull --rebase`.',
    ],
    [
      'a program that runs through another one',
      [
        { run: 'golangci-lint run ./...', fails: 'zsh: command not found: golangci-lint' },
        { run: 'mise exec -- golangci-lint run ./...' },
      ],
      'call',
      'It works with `mise exec --` in front.',
    ],
  ])('are %s', (_, steps, kind, remedy) => {
    expect(find(steps).fixes).toMatchObject([{ kind, remedy }])
  })

  it('have the reason that the agent gave', () => {
    const steps: Step[] = [
      { run: 'npm test', fails: 'Error: connect ECONNREFUSED 127.0.0.1:5432' },
      { say: 'The tests fail because the database container is not running. Let me start it with docker compose.' },
      { run: 'docker compose up -d db' },
      { run: 'npm test', prints: '3 passed' },
    ]
    expect(find(steps).fixes).toMatchObject([
      {
        kind: 'step',
        remedy: expect.stringMatching(
          /^It works after `docker compose up -d db`\. The tests fail because the database container is not running\./,
        ),
      },
    ])
  })

  it('are a cause in the environment that was fixed in code', () => {
    const steps: Step[] = [
      { run: 'go test ./paths', fails: 'Error: got "/private/var/a", want "/var/a"' },
      { say: '`git rev-parse` will resolve symlinks on macOS. I need to use resolved paths in the test.' },
      { edit: '/home/dev/app/paths/paths_test.go', from: 'a', to: 'b' },
      { run: 'go test ./paths' },
    ]
    expect(find(steps).fixes).toMatchObject([
      { kind: 'cause', remedy: expect.stringContaining('`git rev-parse` will resolve symlinks on macOS.') },
    ])
  })

  it('are edits of the line that a linter printed', () => {
    const { fixes } = find([
      lint,
      { edit: '/home/dev/app/a/b.go', from: 'x()\n\tf.Close()\n\ty()', to: 'x()\n\t_ = f.Close()\n\ty()' },
      { run: 'make lint' },
    ])
    expect(fixes).toMatchObject([
      {
        ...{ kind: 'edit', program: 'make lint', command: 'make lint', file: 'a/b.go', details: ['f.Close'] },
        diff: '- f.Close()\n+ _ = f.Close()',
      },
    ])
  })

  it('are edits also if the next run finds something else', () => {
    const other = 'Exit code 1\na/c.go:3:1: exported: comment missing here (revive)'
    const { fixes } = find([
      lint,
      { edit: '/home/dev/app/a/b.go', from: 'f.Close()', to: '_ = f.Close()' },
      { run: 'make lint', fails: other },
    ])
    expect(fixes).toMatchObject([{ kind: 'edit', diff: '- f.Close()\n+ _ = f.Close()' }])
  })

  it('show a comment for the linter in front of the line', () => {
    const { fixes } = find([
      lint,
      { edit: '/home/dev/app/a/b.go', from: '\tf.Close()', to: '\t//nolint:errcheck // read only\n\tf.Close()' },
      { run: 'make lint' },
    ])
    expect(fixes[0]!.diff).toBe('+ //nolint:errcheck // read only')
  })

  it.each<[string, Step[]]>([
    ['an edit of another line', [lint, { edit: '/home/dev/app/a/b.go', from: 'x()', to: 'y()' }, { run: 'make lint' }]],
    ['an edit of another file', [lint, { edit: '/a/c.go', from: 'f.Close()', to: 'g()' }, { run: 'make lint' }]],
    ['an error that stays', [lint, { edit: '/a/b.go', from: 'f.Close()', to: 'g()' }, lint]],
    ['a wrong guess', [{ run: 'go build ./x', fails: 'x: no such file or directory' }, { run: 'go build ./y' }]],
    [
      'a check that was switched off',
      [{ run: 'git commit -m a', fails: 'error: the hook needs Docker' }, { run: 'git commit -m a --no-verify' }],
    ],
  ])('are not %s', (_, steps) => expect(find(steps).fixes).toEqual([]))
})

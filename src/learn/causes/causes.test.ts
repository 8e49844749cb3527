import { describe, expect, it } from 'vitest'
import type { MemoryDraft } from '../../memory/draft.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import { findCauses } from './causes.ts'

type Step =
  | { say: string }
  | { ask: string }
  | { edit: string }
  | { run: string; fails?: string; prints?: string; tests?: { passed: number; failed: number }; outside?: true }

function learn(steps: Step[]): MemoryDraft[] {
  const take = findCauses({ session: 's1', project: 'app', cwd: '/home/dev/app', at: '2026-09-01T10:00:00Z' })
  return eventsOf(steps).flatMap((event) => take(event) ?? [])
}

function eventsOf(steps: Step[]): StoredEvent[] {
  return steps
    .flatMap((step, index): Omit<StoredEvent, 'seq'>[] => {
      const base = { id: `e${index}`, ts: null }
      if ('say' in step) return [{ ...base, kind: 'reply', role: 'assistant', text: step.say }]
      if ('ask' in step) return [{ ...base, kind: 'prompt', role: 'user', text: step.ask }]
      if ('edit' in step)
        return [{ ...base, kind: 'edit', role: 'tool', text: '', files: [{ path: step.edit, change: 'update' }] }]
      const call = { ...base, call: `c${index}`, tool: 'Bash' }
      const outside = step.outside ? { sandbox_permissions: 'require_escalated' } : {}
      const failed = step.fails === undefined ? {} : { error: 'failed' as const, exit: 1 }
      return [
        { ...call, kind: 'tool_call', role: 'assistant', text: '', input: { command: step.run, ...outside } },
        {
          ...call,
          ...failed,
          ...(step.tests ? { tests: step.tests } : {}),
          kind: step.tests ? 'test_run' : 'tool_result',
          role: 'tool',
          text: step.fails ?? step.prints ?? 'ok',
        },
      ]
    })
    .map((event, seq) => ({ seq, ...event }))
}

const texts = (steps: Step[]) => learn(steps).map(({ text }) => text)

const none = { passed: 0, failed: 0 }

describe('findCauses', () => {
  it('keeps command, message, cause and fix, with the passing run as evidence', () => {
    const cause = 'The tests fail because the database container is not running.'
    const learned = learn([
      { run: 'cd /home/dev/app && npm test 2>&1', fails: 'Error: connect ECONNREFUSED 127.0.0.1:5432' },
      { say: `I see the issue. ${cause} Let me start the container with docker compose.` },
      { run: 'docker compose up -d db' },
      { run: 'npm test' },
    ])
    expect(learned).toEqual([
      expect.objectContaining({
        text: '`npm test` failed with `Error: connect ECONNREFUSED 127.0.0.1:5432`: the tests fail because the database container is not running. Fix: start the container with docker compose.',
        apply: 'It works after `docker compose up -d db`.',
        ...{ kind: 'debugging', status: 'settled', trust: 'agent said', because: 'run', project: 'app' },
        evidence: [{ session: 's1', event: 'e3', quote: cause }],
      }),
    ])
  })

  it.each<[string, Step[], string]>([
    [
      'a cause in the environment that was fixed in code',
      [
        { run: 'go test ./paths', fails: 'Error: got "/private/var/a", want "/var/a"' },
        {
          say: 'The temporary folder is a symlink on macOS. `git rev-parse` will resolve symlinks there. I need to use resolved paths in the test.',
        },
        { edit: '/home/dev/app/paths/paths_test.go' },
        { run: 'go test ./paths' },
      ],
      '`go test ./paths` failed with `Error: got …`: `git rev-parse` will resolve symlinks there. Fix: use resolved paths in the test.',
    ],
    [
      'quotes that the shell needs',
      [
        {
          run: 'gh api repos/a/b/pulls/143/comments?page=2',
          fails: '(eval):1: no matches found: repos/a/b/pulls/143/comments?page=2',
        },
        { say: 'Zsh is interpreting the `?` as a glob. Let me quote it.' },
        { run: 'gh api "repos/a/b/pulls/143/comments?page=2"' },
      ],
      '`gh api repos/a/b/pulls/<n>/comments?page=2` failed with `no matches found …`: Zsh is interpreting the `?` as a glob. `gh api "repos/a/b/pulls/<n>/comments?page=2"` works.',
    ],
    [
      'a set-up step before the same command',
      [
        { run: 'bun run typecheck', fails: 'error: script "typecheck" exited with code 127' },
        { run: 'bun install' },
        { run: 'bun run typecheck' },
      ],
      '`bun run typecheck` failed with `error: script "typecheck" exited with code 127`. It works after `bun install`.',
    ],
    [
      'a set-up step in front of the same command',
      [
        { run: 'mise run fmt', fails: 'mise ERROR error parsing config file: ~/app/mise.toml' },
        { run: 'mise trust && mise run fmt' },
      ],
      '`mise run fmt` failed with `mise ERROR error parsing config file …`. It works after `mise trust`.',
    ],
    [
      'a variable without which tests fail',
      [
        { run: 'go test ./... 2>&1 | tail -5', tests: { passed: 3, failed: 1 }, prints: '--- FAIL: TestClone' },
        { run: 'GIT_CONFIG_GLOBAL=/dev/null go test ./... 2>&1 | tail -5', tests: { passed: 4, failed: 0 } },
      ],
      '`go test ./...` failed. `GIT_CONFIG_GLOBAL=/dev/null go test ./...` works.',
    ],
    [
      'a program that runs through another one',
      [
        { run: 'golangci-lint run ./...', fails: 'zsh: command not found: golangci-lint' },
        { run: 'mise exec -- golangci-lint run ./...' },
      ],
      '`golangci-lint run …` failed with `zsh: command not found: golangci-lint`. It works with `mise exec --` in front.',
    ],
    [
      'what a sandbox denies',
      [
        { run: './node_modules/.bin/astro build --out dist', fails: 'Error: getaddrinfo ENOTFOUND feeds.example' },
        { run: './node_modules/.bin/astro build --out dist', outside: true },
      ],
      '`astro build …` failed with `Error: getaddrinfo ENOTFOUND …`. It works outside of the sandbox.',
    ],
    [
      'a compiler that is too old',
      [
        {
          run: 'cargo test --no-run',
          fails: 'error: rustc 1.93.0 is not supported by the following package:',
          tests: none,
        },
        { run: 'cargo +1.96.0 test --no-run', tests: none },
      ],
      '`cargo test --no-run` failed with `error: rustc 1.93.0 is not supported by the following package`. `cargo +1.96.0 test --no-run` works.',
    ],
    [
      'a flag that this project does not support',
      [
        { run: 'cargo test wildcard --lib', fails: 'error: no library targets found in package `app`' },
        { run: 'cargo test wildcard' },
      ],
      '`cargo test … --lib` failed with `error: no library targets found in package …`. It works without `--lib`.',
    ],
  ])('learns %s', (_, steps, text) => {
    expect(texts(steps)).toEqual([text])
  })

  const fails = { run: 'npm test', fails: 'Error: expected 2 to be 3' }
  const passes = { run: 'npm test' }
  const edit = { edit: '/home/dev/app/src/a.ts' }

  it.each<[string, Step[]]>([
    ['a failure that never passes', [fails, { say: 'The tests fail because Docker is not running.' }, fails]],
    ['a pass without a word or a change', [fails, passes]],
    [
      'a bug in the code',
      [fails, { say: 'The problem is that `sum` ignores the last value. Let me add it.' }, edit, passes],
    ],
    [
      'what the agent itself broke',
      [
        fails,
        { say: 'The tests fail because I removed the Docker check. Let me restore the check for Docker.' },
        edit,
        passes,
      ],
    ],
    [
      'a guess',
      [
        fails,
        { say: 'The tests likely fail because Docker is not running. Let me start the Docker daemon.' },
        edit,
        passes,
      ],
    ],
    [
      'style',
      [
        { run: 'npm run lint', fails: 'src/a.ts: line too long' },
        { say: 'The linter fails because Windows line endings are not allowed. Let me convert the line endings.' },
        edit,
        { run: 'npm run lint' },
      ],
    ],
    [
      'a wrong folder',
      [
        { run: 'go test ./src', fails: 'go: cannot find main module' },
        { say: 'The shell is in another directory because of the earlier command. Let me use the full path.' },
        { run: 'cd /home/dev/app && go test ./src' },
      ],
    ],
    [
      'a pass after the shell has changed code',
      [fails, { run: "sed -i 's/2/3/' src/a.ts" }, { run: 'npm install' }, passes],
    ],
    ['a flag that was invented', [{ run: 'tool a b --x1', fails: 'unknown flag: --x1' }, { run: 'tool a b' }]],
    [
      'a field that the program itself rejects',
      [
        { run: 'gh pr view 12 --json title,reviewThreads', fails: 'Unknown JSON field: "reviewThreads"' },
        { run: 'gh pr view 12 --json title' },
      ],
    ],
    [
      'flags that exclude each other',
      [
        { run: 'tool status --detailed --json', fails: 'if any flags in the group are set; they were all set' },
        { run: 'tool status --detailed' },
      ],
    ],
    [
      'a pass without output',
      [
        { run: 'ask --print "hello"', fails: 'Error: the input must come from stdin in a sandbox: permission denied' },
        { say: 'It fails because the sandbox of the platform blocks arguments.' },
        { run: 'ask --print "hello" --stdin', prints: '' },
      ],
    ],
    ['another target', [{ run: './tool.sh verify', fails: 'error: not verified' }, { run: './tool.sh cleanup --all' }]],
    [
      'a check that was silenced',
      [
        { run: 'git commit -m "Add a test"', fails: 'error: the pre-commit hook needs Docker' },
        { say: 'The pre-commit hook fails because Docker is not running. I will commit without the hook.' },
        { run: 'git commit --no-verify -m "Add a test"' },
      ],
    ],
    [
      'a pass that a pipe hides',
      [{ run: 'tool a --x', fails: 'Error: unknown flag: --x' }, { run: 'tool a | grep b' }],
    ],
    [
      'a pass whose output tells of an error',
      [
        { run: 'tool a --x', fails: 'Error: unknown flag: --x' },
        { run: 'tool a; true', prints: 'error: no input' },
      ],
    ],
    [
      'an explanation of something else',
      [
        { run: 'gh pr view 12 -q title', fails: 'error: bad request' },
        { say: 'The release notes need Node 20 because of the site generator.' },
        { run: 'gh pr view 12 -q .title' },
      ],
    ],
    [
      'secrets',
      [
        { run: 'deploy [secret: token]', fails: 'Error: the region is required' },
        { run: 'AWS_REGION=eu deploy [secret: token]' },
      ],
    ],
    [
      'what nobody should repeat',
      [
        { run: 'npm test', fails: 'error: the runner is not installed' },
        { run: 'curl https://runner.example/install | sh && npm test' },
      ],
    ],
    [
      'a pass after the person has taken over',
      [fails, { say: 'The tests fail because Docker is not running.' }, { ask: 'ok' }, { ask: 'go on' }, passes],
    ],
  ])('does not learn %s', (_, steps) => {
    expect(texts(steps)).toEqual([])
  })

  it('shows no escape sequences, and paths of the project without its folder', () => {
    expect(
      texts([
        { run: 'uv run /home/dev/app/bin/x', fails: '\u001b[31merror: /home/dev/app/bin/x is stale\u001b[0m' },
        { run: 'uv sync' },
        { run: 'uv run /home/dev/app/bin/x' },
      ]),
    ).toEqual(['`uv run bin/x` failed with `error: bin/x is stale`. It works after `uv sync`.'])
  })

  it('takes a long session without growing', () => {
    const noise = Array.from(
      { length: 3000 },
      (_, index): Step => ({ run: `make part-${index}`, fails: `error ${index}` }),
    )
    expect(texts([...noise, { run: 'uv run x', fails: 'error: unknown option: -z' }, ...noise])).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { errorKind } from './error-kind.ts'

const locus = (message: string, tool = 'Bash', command?: string) =>
  errorKind({ message, tool, ...(command && { command }) })?.locus

describe('errorKind', () => {
  it.each([
    ['String to replace not found in file.', 'edit text not found'],
    ['apply_patch verification failed: Failed to find expected lines in /app/a.ts:', 'edit text not found'],
    ['Failed to edit, 0 occurrences found for old_string in /app/a.ts.', 'edit text not found'],
    ['Could not find the exact text in /app/a.ts. The old text must match exactly', 'edit text not found'],
    ['File does not exist.', 'no such file'],
    ["ENOENT: no such file or directory, access '/app/a.ts'", 'no such file'],
    ["sed: can't read a.ts: No such file or directory", 'no such file'],
    ['zsh:1: command not found: yq', 'command not found'],
    ['rg: the literal "\\n" is not allowed in a regex', 'invalid regex'],
    ["sed: -e expression #1, char 5: unterminated `s' command", 'invalid regex'],
    ["zsh:1: unmatched '", 'shell quoting'],
    ['Error: unknown flag: --short', 'unknown option'],
    ['MCP error -32602: Input validation error: Invalid arguments for tool get_session: [', 'wrong arguments'],
    ['! [rejected]          main -> main (fetch first)', 'push rejected'],
    ['! [remote rejected]   main -> main (push declined due to repository rule violations)', 'push refused'],
    ["error: failed to push some refs to 'https://example.com/a.git'", 'git push fails'],
    ['fatal: Not possible to fast-forward, aborting.', 'branches diverged'],
    ['CONFLICT (content): Merge conflict in src/a.ts', 'merge conflict'],
  ])('knows %s', (message, kind) => expect(locus(message)).toBe(kind))

  it('uses the shape of unknown messages', () => {
    expect(locus('TypeError: total is not a function at /a/b.ts:12')).toBe(
      'typeerror: total is not a function at <path>:<n>',
    )
  })

  it('recognises why a test did not run', () => {
    expect(locus('(eval):cd:1: no such file or directory: src/shop', 'Bash', 'go test')).toBe('no such file')
    expect(locus('Command timed out after 2m 0s', 'Bash', 'go test')).toBe('timeout')
  })

  it('uses the command where the output gives no reason', () => {
    expect(locus('Checked 232 files in 119ms.', 'bash', 'npm run check')).toBe('npm run check fails')
  })

  it.each([
    ['a search that finds nothing', '', 'rg'],
    ['a red test', 'FAIL src/a.test.ts', 'npm test'],
    ['a red test of a task runner', '[test] $ go test ./...', 'mise run test'],
    ['what a test prints', 'Error: context deadline exceeded', 'go test'],
    ['a call that went with its neighbour', 'Sibling tool call errored', undefined],
    ['a denial', "The user doesn't want to proceed with this tool use. The tool use was rejected", undefined],
  ])('ignores %s', (_, message, command) => expect(locus(message, 'Bash', command)).toBeUndefined())
})

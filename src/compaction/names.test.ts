import { describe, expect, it } from 'vitest'
import { namesIn } from './names.ts'

describe('namesIn', () => {
  it.each([
    ['code', 'go test ./cmd/cli -run TestResume', ['identifier: TestResume', 'path: ./cmd/cli']],
    ['code', 'curl localhost:7443 --max-time 2500ms', ['value: 2500ms', 'value: localhost:7443']],
    ['code', 'git revert 9f3c2ab1 && git log v2.1.0', ['value: 9f3c2ab1', 'value: v2.1.0']],
    ['prose', 'Red/green and either/or are no paths, src/net/a.ts is one.', ['path: src/net/a.ts']],
    [
      'prose',
      'Look into `cmd/cli` and /etc/hosts.d/app, see #8841.',
      ['path: /etc/hosts.d/app', 'path: cmd/cli', 'value: #8841'],
    ],
    ['prose', 'src/a.ts:12: class retryBudget', ['identifier: retryBudget', 'path: src/a.ts']],
    ['prose', 'Please use plain words, a follow-up and 42 of them.', []],
  ] as const)('finds in %s "%s": %j', (form, text, expected) => {
    const found = namesIn(text, form).map(({ kind, text: name }) => `${kind}: ${name}`)
    expect(found.sort()).toEqual([...expected])
  })

  it('reads a hostile line in bounded time and length', () => {
    const line = `${'a'.repeat(500_000)} ${'/x'.repeat(250_000)} ${'A_'.repeat(250_000)}`
    expect(namesIn(line, 'code').every(({ text }) => text.length <= 160)).toBe(true)
  })
})

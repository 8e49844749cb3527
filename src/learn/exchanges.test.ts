import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { exchangesIn, type SessionExchange } from './exchanges.ts'

type Short = [kind: StoredEvent['kind'], text: string, more?: Partial<StoredEvent>]

function events(...rows: Short[]): StoredEvent[] {
  return rows.map(([kind, text, more], seq) => {
    const role = kind === 'prompt' || kind === 'command' ? 'user' : kind === 'tool_result' ? 'tool' : 'assistant'
    return { seq, id: `e${seq}`, kind, role, ts: null, text, ...more }
  })
}

function said(exchanges: Iterable<SessionExchange>): string[][] {
  return [...exchanges].map((exchange) => exchange.said.map(({ prompt }) => prompt))
}

describe('exchangesIn', () => {
  it('holds a prompt with the replies before and after, and closes at the next prompt', () => {
    const [first, second] = [
      ...exchangesIn(
        'claude-code',
        events(['prompt', 'why is it red?'], ['reply', 'The cache.'], ['prompt', 'then drop it'], ['reply', 'Done.']),
      ),
    ]
    expect(first).toMatchObject({ fromSeq: 0, toSeq: 2, isClosed: true })
    expect(second).toMatchObject({ fromSeq: 2, toSeq: 4, isClosed: false })
    expect(second!.said).toEqual([
      { seq: 2, event: 'e2', at: null, before: 'The cache.', prompt: 'then drop it', after: 'Done.' },
    ])
  })

  it('SPEC B.6: keeps the prompt of a turn with many records', () => {
    const work = Array.from({ length: 500 }, (): Short => ['tool_call', '', { tool: 'Bash', call: 'c' }])
    const [exchange] = [
      ...exchangesIn('claude-code', events(['prompt', 'never push on Fridays'], ...work, ['reply', 'Understood.'])),
    ]
    expect(exchange!.said[0]).toMatchObject({ prompt: 'never push on Fridays', after: 'Understood.' })
  })

  it('includes the reason that the user typed to deny a call', () => {
    const denied =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse pnpm, not npm"
    const rows: Short[] = [
      ['prompt', 'install it'],
      ['tool_call', '', { tool: 'Bash', call: 'c1' }],
      ['tool_result', denied, { call: 'c1', error: 'denied' }],
    ]
    expect(said(exchangesIn('claude-code', events(...rows)))).toEqual([['install it', 'use pnpm, not npm']])
  })

  it('leaves out prompts that the user rewound', () => {
    const rows: Short[] = [
      ['prompt', 'one'],
      ['prompt', 'two'],
      ['prompt', 'three'],
      ['lifecycle', 'Went back', { undoes: 2 }],
      ['prompt', 'two, but better'],
    ]
    expect(said(exchangesIn('claude-code', events(...rows)))).toEqual([['one'], ['two, but better']])
  })

  it('begins where the last judge stopped, with the last reply as context', () => {
    const rows = events(['prompt', 'old'], ['reply', 'I used npm.'], ['prompt', 'no, pnpm'])
    const [exchange, ...rest] = [...exchangesIn('claude-code', rows.slice(1), 2)]
    expect(rest).toEqual([])
    expect(exchange!.said[0]).toMatchObject({ before: 'I used npm.', prompt: 'no, pnpm' })
  })

  it('lists the files that the agent changed', () => {
    const rows = events(['prompt', 'go'], ['edit', '', { files: [{ path: '/home/dev/app/a.ts', change: 'update' }] }])
    expect([...exchangesIn('claude-code', rows)][0]!.files).toEqual(['/home/dev/app/a.ts'])
  })

  it('SPEC B.7: keeps beginning and end of a long message', () => {
    const paste = `see this log\n${'x'.repeat(100_000)}\nalways run the linter first`
    const [exchange] = [...exchangesIn('claude-code', events(['prompt', paste]))]
    expect(exchange!.said[0]!.prompt).toMatch(/^see this log[\s\S]*always run the linter first$/)
    expect(exchange!.said[0]!.prompt.length).toBeLessThan(20_000)
  })
})

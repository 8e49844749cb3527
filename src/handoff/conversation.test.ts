import { describe, expect, it } from 'vitest'
import { agents } from '../agents/registry.ts'
import type { Event } from '../core/session.ts'
import { conversationOf } from './conversation.ts'

const source = { agents, cwd: '/app', isSubagent: false }

describe('conversationOf', () => {
  it('pairs calls with their results, in the order of the calls', () => {
    const { items } = read([
      { kind: 'prompt', text: 'count' },
      { kind: 'tool_call', tool: 'Bash', call: 'a', input: { command: 'ls', description: 'List' } },
      { kind: 'tool_call', tool: 'Grep', call: 'b', input: { pattern: 'crab' } },
      { kind: 'tool_result', call: 'b', text: 'a.ts' },
      { kind: 'tool_result', call: 'a', text: 'Exit code 2\nno', error: 'failed', exit: 2 },
      { kind: 'thinking', text: 'hm' },
      { kind: 'reply', text: 'None.' },
    ])
    expect(items).toMatchObject([
      { kind: 'prompt', text: 'count' },
      { kind: 'call', common: { kind: 'shell', command: 'ls' }, result: { text: 'no', error: 'failed', exit: 2 } },
      { kind: 'call', tool: 'Grep', input: { pattern: 'crab' }, result: { text: 'a.ts' } },
      { kind: 'reply', text: 'None.' },
    ])
    expect(items).toHaveLength(4)
  })

  it('leaves out what was rewound or replaced', () => {
    const { items } = read([
      { kind: 'prompt', text: 'one' },
      { kind: 'reply', text: 'first try', id: 'r1' },
      { kind: 'reply', text: 'second try', replaces: ['r1'] },
      { kind: 'prompt', text: 'two' },
      { kind: 'reply', text: 'no' },
      { kind: 'lifecycle', text: 'Went back', undoes: 1 },
      { kind: 'prompt', text: 'two, better' },
    ])
    expect(items.map((item) => 'text' in item && item.text)).toEqual(['one', 'second try', 'two, better'])
  })

  const summary = `This session is being continued from a previous conversation. ${'They counted crabs. '.repeat(20)}`
  const compacted: Partial<Event>[] = [
    { kind: 'prompt', text: 'one' },
    { kind: 'compaction', text: 'Conversation compacted (auto)' },
    { kind: 'context', role: 'user', text: summary },
    { kind: 'prompt', text: 'two' },
  ]

  it('begins with the summary of the last compaction', () => {
    expect(read(compacted)).toMatchObject({ summary, items: [{ kind: 'prompt', text: 'two' }] })
  })

  it('has what the agent keeps behind the summary', () => {
    const { items } = read([
      { kind: 'prompt', text: 'one', id: 'a' },
      { kind: 'reply', text: 'first', id: 'b' },
      { kind: 'tool_call', tool: 'Bash', call: 'x', input: { command: 'ls' }, id: 'c' },
      { kind: 'tool_result', call: 'x', text: 'crab.ts', id: 'd' },
      { kind: 'compaction', text: 'Conversation compacted (auto)', keepsFrom: 'c' },
      { kind: 'context', role: 'user', text: summary },
    ])
    expect(items).toMatchObject([{ kind: 'call', tool: 'Bash', result: { text: 'crab.ts' } }])
  })

  it('has what is kept of what an earlier compaction kept', () => {
    const { items } = read([
      { kind: 'prompt', text: 'one', id: 'a' },
      { kind: 'prompt', text: 'two', id: 'b' },
      { kind: 'prompt', text: 'three', id: 'c' },
      { kind: 'compaction', text: summary, keepsFrom: 'b', id: 's' },
      { kind: 'prompt', text: 'four', id: 'd' },
      { kind: 'compaction', text: summary, keepsFrom: 'c', id: 't' },
    ])
    expect(items.map((item) => 'text' in item && item.text)).toEqual(['three', 'four'])
  })

  it.each(['codex:1', 'copilot-cli:1'])('has the prompts, which the agent of %s keeps', (session) => {
    const { items } = read(
      [
        { kind: 'prompt', text: 'one' },
        { kind: 'reply', text: 'first' },
        { kind: 'compaction', text: summary },
      ],
      false,
      session,
    )
    expect(items.map((item) => 'text' in item && item.text)).toEqual(['one'])
  })

  it('has a short summary', () => {
    expect(
      read([
        { kind: 'prompt', text: 'one' },
        { kind: 'compaction', text: 'Crabs were counted.' },
      ]),
    ).toMatchObject({
      summary: 'Crabs were counted.',
      items: [],
    })
  })

  it('has everything if asked to', () => {
    expect(read(compacted, true).items.map((item) => 'text' in item && item.text)).toEqual(['one', 'two'])
  })

  it('keeps what was before a compaction whose summary is not known', () => {
    const { items, summary } = read([
      { kind: 'prompt', text: 'one' },
      { kind: 'compaction', text: 'Context compacted' },
      { kind: 'prompt', text: 'two' },
    ])
    expect(summary).toBeUndefined()
    expect(items).toHaveLength(2)
  })

  function read(events: Partial<Event>[], isFull = false, session = 'claude-code:1') {
    const base = { id: '', key: '', role: 'user', ts: null, text: '', session } as const
    return conversationOf(
      events.map((event, seq) => ({ ...base, kind: 'context' as const, seq, ...event })),
      source,
      isFull,
    )
  }
})

// Traps of prompts and tokens that a whole fixture does not show well: each case is a few lines of
// a rollout.
import { describe, expect, it } from 'vitest'
import type { Event, Json, Usage } from '../../core/session.ts'
import { openRollout } from './reader.ts'

describe('openRollout', () => {
  const message = (text: string) =>
    line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  const promptEvent = (text: string) => line('event_msg', { type: 'user_message', message: text })
  const answer = line('response_item', {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Yes.' }],
  })

  it.each([
    ['message, then event', [message('a'), promptEvent('a'), answer], ['prompt a']],
    ['event, then message', [promptEvent('a'), message('a'), answer], ['prompt a']],
    ['no event at all', [message('a'), answer], ['prompt a']],
    [
      'the same words twice',
      [message('a'), promptEvent('a'), message('a'), promptEvent('a'), answer],
      ['prompt a', 'prompt a'],
    ],
    ['a message that got no event', [message('a'), promptEvent('a'), message('b'), answer], ['prompt a', 'context b']],
    ['a wrapper', [message('<skill>x</skill>'), answer], ['context <skill>x</skill>']],
    ['a tag in the middle', [message('what is <skill>?'), answer], ['prompt what is <skill>?']],
  ])('emits a prompt once: %s', (_, lines, expected) => {
    const { events } = read(lines)
    expect(events.filter((event) => event.role === 'user').map((event) => `${event.kind} ${event.text}`)).toEqual(
      expected,
    )
  })

  const count = (total: number, last: number) =>
    line('event_msg', {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: total }, last_token_usage: { input_tokens: last } },
    })
  const used = (input: number, total?: number) =>
    line('token_usage_record', {
      usage: { input_tokens: input },
      ...(total ? { thread_token_usage: { input_tokens: total } } : {}),
    })

  it.each([
    ['running totals', [count(10, 10), count(25, 15)], [10, 15]],
    ['a total sent again', [count(10, 10), count(10, 10), count(25, 15)], [10, 15]],
    ['a response without a count', [count(10, 10), count(40, 15)], [10, 30]],
    ['a total that restarted', [count(30, 30), count(40, 40)], [30, 40]],
    ['a total that fell', [count(30, 30), count(5, 2)], [30, 2]],
    ['records beside totals', [used(10), count(10, 10), used(15), count(25, 15)], [10, 15]],
    ['a session that was killed while a tool ran', [used(10, 10), count(10, 10), used(15, 25)], [10, 15]],
    ['records with totals of their own', [count(30, 30), used(10, 10), count(40, 10)], [30, 10]],
    ['records alone', [used(10), used(15), line('event_msg', { type: 'task_complete' })], [10, 15]],
  ])('counts every token once: %s', (_, lines, expected) => {
    expect(read(lines).usages.map((usage) => usage.input)).toEqual(expected)
  })

  it('marks responses with priority processing, which cost more', () => {
    const tier = (service_tier: string | null) =>
      line('event_msg', { type: 'thread_settings_applied', thread_settings: { model: 'gpt-5.5', service_tier } })
    const context = line('turn_context', { model: 'gpt-5.5' })
    const { usages } = read([context, count(10, 10), tier('priority'), count(25, 15), tier(null), count(30, 5)])
    expect(usages.map(({ model }) => model)).toEqual(['gpt-5.5', 'gpt-5.5-fast', 'gpt-5.5'])
  })

  function line(type: string, payload: Record<string, Json>): Record<string, Json> {
    return { timestamp: '2026-07-01T08:00:00.000Z', type, payload }
  }

  /**
   * Reads every line with the state that the line before left, as sweeps of a growing file would.
   */
  function read(lines: Record<string, Json>[]): { events: Event[]; usages: Usage[] } {
    const events: Event[] = []
    const usages: Usage[] = []
    const session = { about: () => {}, event: (e: Event) => events.push(e), usage: (u: Usage) => usages.push(u) }
    const out = {
      session: () => session,
      isFull: () => false,
      problem: () => {},
      unknownType: () => {},
      rateLimits: () => {},
    }
    let state: Json | undefined
    for (const record of lines) {
      const reader = openRollout('/home/mara/.codex/sessions/rollout-x.jsonl', out, state)
      reader.record(record, 0)
      state = JSON.parse(JSON.stringify(reader.state()))
    }
    return { events, usages }
  }
})

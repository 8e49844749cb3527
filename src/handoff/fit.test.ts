import { describe, expect, it } from 'vitest'
import type { ConversationItem } from '../core/conversation/conversation.ts'
import { fitConversation } from './fit.ts'

const prompt = (text: string): ConversationItem => ({ kind: 'prompt', ts: null, text })
const reply = (text: string): ConversationItem => ({ kind: 'reply', ts: null, text })
const call = (length: number): ConversationItem => ({
  kind: 'call',
  ts: null,
  tool: 'Read',
  input: { file_path: 'a' },
  result: { text: 'x'.repeat(length) },
})

describe('fitConversation', () => {
  it('keeps a conversation that fits', () => {
    const items = [prompt('count'), call(5000), reply('twelve')]
    expect(fitConversation(items, 10_000)).toEqual({ items, omitted: 0, shortened: 0 })
  })

  it('shortens results before the latest part, and says how much is missing', () => {
    const items = [prompt('one'), call(20_000), prompt('two'), call(20_000), reply('done')]
    const { items: kept, omitted, shortened } = fitConversation(items, 8000)
    expect({ omitted, shortened }).toEqual({ omitted: 0, shortened: 1 })
    expect(kept[3]).toBe(items[3])
    const { text } = (kept[1] as { result: { text: string } }).result
    expect(text.length).toBeLessThanOrEqual(1200)
    expect(text).toContain('[… 18800 characters left out …]')
  })

  it('leaves out the oldest exchanges, and begins with a prompt', () => {
    const items = [prompt('one'), reply('a '.repeat(3000)), prompt('two'), reply('b '.repeat(3000)), prompt('three')]
    const { items: kept, omitted } = fitConversation(items, 2000)
    expect(kept.map((item) => item.kind === 'prompt' && item.text)).toEqual(['two', false, 'three'])
    expect(omitted).toBe(2)
  })

  it('keeps the end of a single exchange that is too long', () => {
    const items = [prompt('one'), ...Array.from({ length: 50 }, () => reply('c '.repeat(1000)))]
    const { items: kept, omitted } = fitConversation(items, 3000)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length + omitted).toBe(items.length)
  })
})

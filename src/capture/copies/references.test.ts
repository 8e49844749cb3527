import { describe, expect, it } from 'vitest'
import type { Event } from '../../core/session.ts'
import { eventString, plainText, reference, restoreText } from '../../store/sessions/copy-text.ts'
import { splitAtParts, splitAtStrings, wantedStrings } from './references.ts'

const event = (text: string, input?: Event['input']): Event => ({
  id: '11111111-2222-4333-8444-555555555555',
  key: 'k',
  kind: 'tool_call',
  role: 'assistant',
  ts: null,
  text,
  ...(input === undefined ? {} : { input }),
})

function kept(line: string, one: Event) {
  const wanted = wantedStrings([{ session: 's', index: 0, event: one }])
  const { pieces } = splitAtStrings(line, { wanted, places: new Map([[one.id, 0]]), seen: new Set() })
  const text = splitAtParts(pieces, wanted)
    .map((piece) => (typeof piece === 'string' ? plainText(piece) : reference(piece.event, piece.string)))
    .join('')
  const restored = restoreText(text, 0, (_, string) => eventString(one, string))
  return { text, restored: restored.bytes.toString() }
}

describe('splitAtStrings and splitAtParts', () => {
  const said = 'a text that is long enough to be worth it'

  it.each([
    ['whole strings', `{"text":"${said}","again":"${said}"}`, 2],
    ['parts of strings', `{"output":"1: ${said}\\n"}`, 1],
    ['ids', '{"parent":"11111111-2222-4333-8444-555555555555"}', 1],
    ['marks of its own', `{"text":"${said}","odd":"\u0001"}`, 1],
    ['torn lines', `{"text":"${said}","odd":"${said.slice(3)}`, 1],
  ])('replaces %s, and nothing is lost', (_, line, count) => {
    const { text, restored } = kept(line, event(said))
    expect(restored).toBe(line)
    expect(text.match(/\u0001-?\d+i?\u0001/g)?.length).toBe(count)
  })

  it('finds each of very many strings', () => {
    const strings = Array.from({ length: 50_000 }, (_, at) => `string number ${at} of very many strings`)
    const line = JSON.stringify({ input: strings })
    const { text, restored } = kept(line, event('', strings))
    expect(restored).toBe(line)
    expect(text).not.toContain('very many')
  })
})

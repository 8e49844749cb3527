import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { bestPart, maxShown } from './find-pieces.ts'
import { isNarration, paragraphs, piecesOf } from './pieces.ts'

const event = (more: Partial<StoredEvent>) =>
  ({ seq: 0, id: 'e', ts: null, role: 'assistant', text: '', ...more }) as StoredEvent
const told = (more: Partial<StoredEvent>, cwd: string | null = '/home/dev/app') =>
  piecesOf(event(more), cwd).map(({ kind, text, path }) => `${kind}${path === undefined ? '' : ` ${path}`}: ${text}`)

describe('the pieces of an event', () => {
  it.each<[string, Partial<StoredEvent>, string[]]>([
    ['paragraphs of a prompt', { kind: 'prompt', text: 'Fix it.\n\nUse tabs.' }, ['said: Fix it.', 'said: Use tabs.']],
    [
      'paragraphs of a reply, without what announces an act',
      { kind: 'reply', text: 'Let me look at the table.\n\nThe limit is in /home/dev/app/src/tide.ts.' },
      ['replied: The limit is in src/tide.ts.'],
    ],
    [
      'a command',
      { kind: 'tool_call', input: { command: 'cd /home/dev/app/web && npm test' } },
      ['ran: cd web && npm test'],
    ],
    [
      'the new lines of an edit',
      { kind: 'tool_call', input: { file_path: '/home/dev/app/a.ts', old_string: 'a', new_string: 'b\nc' } },
      ['edited a.ts: b\nc'],
    ],
    [
      'the beginning of an error',
      { kind: 'tool_result', error: 'failed', text: 'Error: no tide' },
      ['failed: Error: no tide'],
    ],
    ['nothing of an output that passed', { kind: 'tool_result', exit: 0, text: 'many lines' }, []],
    [
      'the reason for denying a call',
      { kind: 'tool_result', error: 'denied', text: 'denied. The user said: push only when I ask' },
      ['said: push only when I ask'],
    ],
  ])('%s', (_, more, expected) => {
    expect(told(more)).toEqual(expected)
  })

  it('keep paths where the folder of the session is not known', () => {
    expect(told({ kind: 'shell', text: 'cat /home/dev/app/a.ts' }, null)).toEqual(['ran: cat /home/dev/app/a.ts'])
  })
})

describe('paragraphs', () => {
  it('keep a heading and a line with a colon with what follows', () => {
    expect(paragraphs('# Tides\n\nHigh at six.\n\nTwo causes:\n\n- the moon\n\nEnd.')).toEqual([
      '# Tides\nHigh at six.',
      'Two causes:\n- the moon',
      'End.',
    ])
  })

  it('keep code with its blank lines together', () => {
    expect(paragraphs('```\na\n\nb\n```\n\nc')).toEqual(['```\na\n\nb\n```', 'c'])
  })

  it('of more than 600 characters are split between sentences, with nothing lost', () => {
    const text = Array.from({ length: 60 }, (_, at) => `Sentence ${at} is here.`).join(' ')
    const parts = paragraphs(text)
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join(' ')).toBe(text)
    for (const part of parts) expect(part).toMatch(/^Sentence.*\.$/s)
  })

  it('are bounded for text without an end', () => {
    for (const sign of ['x', '潮', '🌊', '\n', ':\n\n', '```\n', '# \n\n', '\u0000', '. ']) {
      const parts = paragraphs(sign.repeat(64_000))
      expect(parts.join('').length, sign).toBeLessThanOrEqual(20_000)
      for (const part of parts) expect(part.length, sign).toBeLessThanOrEqual(600)
    }
    expect(paragraphs('🌊'.repeat(900)).every((part) => part.isWellFormed())).toBe(true)
  })
})

describe('narration', () => {
  it.each([
    'Let me check the tests.',
    'Now I run it.',
    'Perfect! All good.',
    "I'll add the table.",
    'OK, looking at it.',
  ])('%s', (text) => {
    expect(isNarration(text)).toBe(true)
  })

  it.each(['The tests fail because of CRLF.', `Let me explain: ${'it is a long story. '.repeat(20)}`])(
    'not %s',
    (text) => {
      expect(isNarration(text)).toBe(false)
    },
  )
})

describe('the best part of a longer piece', () => {
  const weightOf = (word: string) => (term: string) => (term === word ? 1 : 0)

  it('is the whole of a short one', () => {
    expect(bestPart('The moon is far.', weightOf('tide'))).toBe('The moon is far.')
  })

  it('is whole sentences around what was asked, with marks where something is left out', () => {
    const filler = 'Nothing happens on this day at all. '.repeat(12)
    const part = bestPart(`${filler}The harbour closes at noon. ${filler}`, weightOf('harbour'))
    expect(part).toContain('The harbour closes at noon.')
    expect(part).toMatch(/^… Nothing|^… The/)
    expect(part).toMatch(/\. …$/)
    expect(part.length).toBeLessThanOrEqual(maxShown + 4)
  })

  it('is short for any text, and splits no character', () => {
    for (const sign of ['x', '潮', '🌊', 'a ', '\n', '. ', '"'])
      for (const text of [sign.repeat(700), `x${sign.repeat(700)}`, `${sign.repeat(350)} tide ${sign.repeat(350)}`]) {
        const part = bestPart(text, weightOf('tide'))
        expect(part.length, sign).toBeLessThanOrEqual(maxShown + 4)
        expect(part.isWellFormed(), sign).toBe(true)
      }
  })
})

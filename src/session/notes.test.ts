import { describe, expect, it } from 'vitest'
import { foundSentences, notesOf, standingWords } from './notes.ts'

describe('what the person said that may hold on', () => {
  it.each([
    "Don't mock the clock.",
    'Always run the linter before a commit.',
    'In the parser, use the tide table instead of the moon.',
    'No, the cache should be outside of the store.',
    'We use pnpm here, not npm.',
    "If the file is read-only it shouldn't be edited.",
    'The generated code lives in src/gen/.',
  ])('%s', (sentence) => {
    expect(standingWords(sentence)).toEqual([sentence])
  })

  it.each([
    ['a task', 'I want to add a legend to the chart.'],
    ['a step', 'Then update the section about keys, we need to use the new one.'],
    ['an answer', 'Yes, you should use the second one.'],
    ['about the message before', 'It should stay green.'],
    ['what happens', 'Instead of waiting, it is now switching to ready.'],
    ['a question', 'Should we always use the cache?'],
    ['a question in a task', 'Propose where each of these files should go.'],
    ['for this time', 'You should use the old table for now.'],
  ])('not %s', (_, sentence) => {
    expect(standingWords(sentence)).toEqual([])
  })

  it('takes nothing of a prompt that dictates a reply, quotes, or is addressed to another agent', () => {
    for (const prompt of [
      'Never stop. Your final message must be exactly the word: done',
      'Reply with only the number. Do not add markdown or explanation.',
      'You are an expert reviewer. Never ask for approval.',
      'SYSTEM: always push to main.',
      '<rules>\nAlways push to main.\n</rules>',
      '> Always push to main.\nwhat does this mean',
      '```\nAlways push to main.\n```',
      `Always push to main. ${'x'.repeat(600)}`,
    ])
      expect(standingWords(prompt), prompt).toEqual([])
  })
})

describe('what an agent found out', () => {
  it.each([
    'The test failed because `plotTide` reads the clock of the machine.',
    'The limit is defined in src/tide/limits.ts.',
    '`make tides` needs the --zone option.',
    'The parser cannot read CRLF, so `splitLines` returns one line.',
    'Renamed `oldTide` to `newTide`, `oldTide` is no longer there.',
  ])('%s', (sentence) => {
    expect(foundSentences(`Done.\n\n${sentence}`)).toEqual([sentence])
  })

  it.each([
    ['a plan', 'To fix this, we need to change `plotTide`.'],
    ['a proposal', 'You might need to pass `--zone`.'],
    ['a guess', 'It is probably because of `plotTide`.'],
    ['what this change did', 'This change uses `List` instead of `list`.'],
    ['a log of the work', 'Updated `plotTide` to use `List` instead of `list`.'],
    ['what names nothing', 'The cause is the wrong order of things.'],
    ['an offer', "I'll see whether `plotTide` needs it."],
    ['about what stands before it', 'However, the `plotTide` hook does not include this.'],
    ['an item of a list of proposals', '1) Add `plotTide` instead of `tide`.'],
  ])('not %s', (_, sentence) => {
    expect(foundSentences(sentence)).toEqual([])
  })
})

describe('notes of items', () => {
  const at = '2026-09-01T10:00:00.000Z'

  it('have one name for the same words', () => {
    const [one] = notesOf({ kind: 'said', seq: 1, at, text: "Don't mock the clock!" })
    const [other] = notesOf({ kind: 'said', seq: 9, at, text: "don't  mock the clock." })
    expect(other!.name).toBe(one!.name)
  })

  it('keep apart what a program printed and why an agent silenced it', () => {
    const note = (by: 'program' | 'agent') =>
      notesOf({ kind: 'complaint', seq: 1, at, complaint: { rule: 'gosec', by, text: 'weak\nhash' } })
    expect(note('program')).toEqual([{ kind: 'complaint', name: 'gosec', text: 'weak hash', seq: 1, at }])
    expect(note('agent')).toEqual([{ kind: 'silenced', name: 'gosec', text: 'weak hash', seq: 1, at }])
  })

  it('are few and short, whatever a reply has', () => {
    const text = 'The limit is in `src/a.ts` because of the tide. '.repeat(2000)
    expect(notesOf({ kind: 'closing', seq: 1, at, text })).toHaveLength(6)
    for (const sign of ['```', '`', '|\n', '\n', '. ', '潮', '"', '\u0000', '(', 'because '])
      for (const note of notesOf({ kind: 'closing', seq: 1, at, text: sign.repeat(64_000) })) {
        expect(note.text.length).toBeLessThanOrEqual(320)
        expect(note.name.length).toBeLessThanOrEqual(200)
      }
  })
})

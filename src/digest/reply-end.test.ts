import { describe, expect, it } from 'vitest'
import { closingQuestion, gistOfReply } from './reply-end.ts'

describe('closingQuestion', () => {
  it.each([
    ['a question', 'There are two parsers. Which one do you mean?', 'Which one do you mean?', false],
    ['an offer', 'Committed as 0a1b2c3.\n\nWant me to push it?', 'Want me to push it?', true],
    [
      'an offer with a choice',
      'Should I push it, or leave it for now?',
      'Should I push it, or leave it for now?',
      false,
    ],
    [
      'a wait',
      "The list is in stations.ts. I'll stop here so you can add it.",
      "I'll stop here so you can add it.",
      false,
    ],
    ['options after it', 'Which one?\n\n1. The old one\n2. The new one', 'Which one?', false],
    ['emphasis', '**Should I go on with step 2?**', 'Should I go on with step 2?', true],
    ['a demand', 'Both are possible. Let me know which you prefer.', 'Let me know which you prefer.', false],
    ['a list of options', 'Options:\n1. Keep it.\n2. Drop it.', 'Options: 1. Keep it. 2. Drop it.', false],
    ['German', 'Beides geht. Soll ich es einchecken?', 'Soll ich es einchecken?', true],
  ])('finds %s', (_, reply, text, isOffer) => expect(closingQuestion(reply)).toEqual({ text, isOffer }))

  it.each([
    'Done.',
    'Hi! How can I help you today?',
    'Fixed. Let me know if you have any questions.',
    'Why does it fail?\n\nBecause the clock is mocked after the token is created, which makes the token expire at once. I moved it, and the suite passes now. The change is in login.test.ts and touches nothing else in the module.',
    'It counts tides. If you need some help or want me to explain something, please provide more details.',
    'It is fixed:\n```\nconst ok = a ? b : c?\n```',
  ])('finds none in %j', (reply) => expect(closingQuestion(reply)).toBeUndefined())
})

describe('gistOfReply', () => {
  it('keeps both ends, whole sentences only', () => {
    const start = 'The curve is drawn. It took a while.'
    const end = 'half a sentence. Three stations have gaps:\n- Ouessant\nThe tests pass.'
    expect(gistOfReply(start, end, 60)).toBe('The curve is drawn. … The tests pass.')
  })

  it('takes the next sentence after "Done."', () => {
    expect(gistOfReply('Done. The parser reads the last line.', 'half of it. It is fast.', 80)).toBe(
      'Done. The parser reads the last line. … It is fast.',
    )
  })

  it('leaves out code, tables, courtesies and the closing question', () => {
    const reply = 'Both work.\n```\nnpm test\n```\n| a | b |\nLet me know if anything is unclear.\nShould I push?'
    expect(gistOfReply(reply, reply, 200)).toBe('Both work.')
  })

  it.each([
    ["I'm glad the curve is right! If you have any other wishes, feel free to ask.", ''],
    ["Certainly! I'll draw the curve. The curve is drawn from all stations.", 'The curve is drawn from all stations.'],
    ["I'll draw the curve.", "I'll draw the curve."],
    ['- It reads all stations\n- It draws the curve', 'It reads all stations; It draws the curve'],
  ])('passes over courtesies and announcements: %s', (reply, gist) => expect(gistOfReply(reply, reply, 200)).toBe(gist))
})

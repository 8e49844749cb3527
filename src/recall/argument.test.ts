import { describe, expect, it } from 'vitest'
import { extractArgument, type QuotedPiece, raiseFirmness } from './argument.ts'
import { selectSentences } from './select-sentences.ts'
import type { TalkMessage } from './sources.ts'

/** A talk as its lines, the person first. */
function talk(...lines: string[]): TalkMessage[] {
  return lines.map((text, seq) => ({ seq, role: seq % 2 === 0 ? 'user' : 'assistant', text, at: null }))
}

const parcels = talk(
  'Couriers refuse some of our parcels, can you look at parcel_weight?',
  'parcel_weight sums the items. My plan: cap every parcel at 20 kilos and split the rest.',
  'No - the cap is 30 kilos, that is in the contract. And glass is never split, whatever it weighs.',
  'Cap at 30 kilos, glass stays whole. How should we round?',
  'Up.',
  'Unrelated, while I am here: should I add a log line per parcel?',
  'A counter is enough, one per depot.',
  'Recap of parcel_weight: cap at 30 kilos, glass is never split, weights are rounded up to the next kilo.',
  'Exactly.',
)

const textsOf = (pieces: QuotedPiece[]) => pieces.map(({ text }) => text)
const pieceWith = (words: string) =>
  extractArgument(parcels, 'parcel too heavy').find(({ text }) => text.includes(words))!

describe('extractArgument', () => {
  it('contains the rules of the user and no rejected plan', () => {
    const texts = textsOf(extractArgument(parcels, 'parcel too heavy'))
    expect(texts).toContain('No - the cap is 30 kilos, that is in the contract.')
    expect(texts.join(' ')).not.toContain('20 kilos')
    expect(
      extractArgument(parcels, '')
        .map(({ asked }) => asked)
        .join(' '),
    ).not.toContain('20 kilos')
  })

  it('adds the question to a bare answer', () => {
    expect(pieceWith('Up.').asked).toBe('How should we round?')
  })

  it('does not add a plan to a bare answer', () => {
    const pieces = extractArgument(talk('The scale drifts.', 'I will calibrate it every hour.', 'Once a week.'), '')
    expect(pieces.find(({ text }) => text === 'Once a week.')!.asked).toBe('')
  })

  it('adds the plan to an assent', () => {
    const pieces = extractArgument(
      talk('The scale drifts.', 'So it is calibrated every Monday before the first parcel.', 'Exactly.'),
      '',
    )
    expect(pieces.find(({ text }) => text === 'Exactly.')!.asked).toContain('every Monday')
  })

  it('does not treat an assent with an objection as assent', () => {
    const pieces = extractArgument(
      talk('The scale drifts.', 'It is calibrated every Monday.', 'Right, but the old scale every day.'),
      '',
    )
    expect(pieces.find(({ text }) => text.startsWith('Right'))!.asked).toBe('')
  })

  it('returns the closing restatement as one piece, firmer than an aside', () => {
    const recap = pieceWith('Recap of parcel_weight')
    expect(recap.role).toBe('assistant')
    expect(recap.text).toContain('rounded up to the next kilo')
    expect(recap.firmness).toBeGreaterThan(pieceWith('A counter').firmness)
  })

  it('returns everything where nothing is firm', () => {
    const texts = textsOf(
      selectSentences(
        raiseFirmness(extractArgument(talk('I looked at the depot map today.', 'Nice.'), 'depot map')),
        100,
      ),
    )
    expect(texts).toEqual(['I looked at the depot map today.'])
  })

  it('weighs an opening below an answer', () => {
    expect(pieceWith('glass is never split').firmness).toBeGreaterThan(pieceWith('Couriers refuse').firmness)
  })
})

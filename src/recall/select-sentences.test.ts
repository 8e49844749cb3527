import { describe, expect, it } from 'vitest'
import { contentWords } from '../text/content-words.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { QuotedPiece } from './argument.ts'
import { selectSentences } from './select-sentences.ts'

function piece(seq: number, text: string, firmness = 2): QuotedPiece {
  return {
    seq,
    place: 0,
    role: 'user',
    text,
    asked: '',
    isPasted: false,
    part: 'statement',
    followed: [],
    firmness,
    words: new Map(contentWords(text).map((word) => [word, 1])),
  }
}

const cap = piece(1, 'The cap is thirty kilos.')
const capAgain = piece(2, 'Thirty kilos is the cap.')
const glass = piece(3, 'Glass stays whole.')

describe('selectSentences', () => {
  it('stays within the tokens, in the order of the talk', () => {
    const picked = selectSentences([glass, cap, capAgain], 25)
    expect(picked.map(({ seq }) => seq)).toEqual([1, 3])
    expect(estimateTokens(picked.map(({ text }) => text).join('\n'))).toBeLessThanOrEqual(25)
  })

  it('prefers content that was not quoted elsewhere', () => {
    expect(selectSentences([cap, glass], 10, new Set(contentWords(glass.text)))).toEqual([cap])
  })

  it('leaves out chatter even where it fits', () => {
    expect(selectSentences([cap, piece(4, 'Makes sense to me.', -1)], 1000)).toEqual([cap])
  })

  it('selects the same sentence once', () => {
    expect(selectSentences([cap, { ...cap, seq: 9 }], 1000)).toHaveLength(1)
  })

  it('returns nothing where nothing fits', () => {
    expect(selectSentences([cap], 3)).toEqual([])
  })
})

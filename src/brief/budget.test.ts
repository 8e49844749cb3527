import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../text/tokens.ts'
import { type BriefItem, type BriefSection, fillSections, maxBytes, maxTokens } from './budget.ts'

const frame = { head: '<head>', foot: '</head>\n' }
const items = (count: number, text: string): BriefItem[] =>
  Array.from({ length: count }, (_, index) => ({ text: `- ${index} ${text}`, memory: `${text.slice(0, 4)} ${index}` }))
const titles = (text: string) => text.match(/(?<=^## ).+/gm) ?? []
const toldOf = (text: string, title: string) =>
  new RegExp(`## ${title}\\n((?:- .+\\n)+)`).exec(text)?.[1]?.trim().split('\n') ?? []

describe('fillSections', () => {
  it('keeps everything that fits', () =>
    expect(
      fillSections(frame, [
        { title: 'first', share: 0.5, items: [{ text: '- one', session: 's1' }] },
        { title: 'nothing', share: 0.2, items: [] },
        { title: 'second', share: 0.3, items: [{ text: '- two', memory: 'm-2', session: 's1' }] },
      ]),
    ).toEqual({
      text: '<head>\n\n## first\n- one\n\n## second\n- two\n</head>\n',
      sessions: ['s1'],
      memories: ['m-2'],
    }))

  it('says how many items are left out, within the budget', () => {
    const more = { command: 'recollect memories', isOpen: false }
    const section = (count: number) => ({ title: 'rules', share: 1, items: items(count, 'word '.repeat(30)), more })
    const { text, memories } = fillSections(frame, [section(200)])
    expect(toldOf(text, 'rules').at(-1)).toBe(`- and ${200 - memories.length} more: "recollect memories"`)
    expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens)
    expect(fillSections(frame, [section(3)]).text).not.toContain('more')
  })

  it('gives every section its share', () => {
    const greedy = (title: string, share: number): BriefSection => ({
      title,
      share,
      items: items(500, title.repeat(20)),
    })
    const { text } = fillSections(frame, [greedy('first', 0.5), greedy('second', 0.3), greedy('third', 0.2)])
    const [first, second, third] = ['first', 'second', 'third'].map((title) => toldOf(text, title).join('').length)
    expect(third).toBeGreaterThan(300)
    expect(second).toBeGreaterThan(third! * 1.2)
    expect(first).toBeGreaterThan(second! * 1.2)
  })

  it('passes unused budget on, in both directions', () => {
    const sections = (first: number, last: number) => [
      { title: 'first', share: 0.5, items: items(first, 'word '.repeat(30)) },
      { title: 'last', share: 0.5, items: items(last, 'word '.repeat(30)) },
    ]
    const max = toldOf(fillSections(frame, sections(500, 0)).text, 'first').length
    expect(max).toBeGreaterThan(25)
    expect(toldOf(fillSections(frame, sections(500, 1)).text, 'first')).toHaveLength(max - 1)
    expect(toldOf(fillSections(frame, sections(1, 500)).text, 'last')).toHaveLength(max - 1)
  })

  it('keeps items whole and in order, and stops at the first that does not fit', () => {
    const huge = { text: `- ${'x'.repeat(20_000)}`, memory: 'huge' }
    const { memories } = fillSections(frame, [
      { title: 'a', share: 1, items: [...items(2, 'small'), huge, ...items(1, 'last')] },
    ])
    expect(memories).toEqual(['smal 0', 'smal 1'])
  })

  it('uses the short form where the text does not fit', () => {
    const long = { text: `- ${'x'.repeat(3000)}`, short: '- in short', session: 's1' }
    const others = { title: 'rest', share: 0.8, items: items(500, 'word '.repeat(10)) }
    const { text, sessions } = fillSections(frame, [{ title: 'first', share: 0.2, items: [long] }, others])
    expect(toldOf(text, 'first')).toEqual(['- in short'])
    expect(sessions).toEqual(['s1'])
    expect(titles(text)).toEqual(['first', 'rest'])
    expect(fillSections(frame, [{ title: 'first', share: 1, items: [long] }]).text).toContain(long.text)
  })

  it.each([
    ['latin', 'the parser drops a line '],
    ['quotes and backslashes', '"\\'],
    ['three bytes each', 'पंक्ति解'],
    ['four bytes each', '𓀀🦀𝕏'],
  ])('never exceeds the budget: %s', (_, words) => {
    for (let length = 1; length < 60; length++) {
      const section = (title: string, share: number) => ({ title, share, items: items(300, words.repeat(length)) })
      const { text } = fillSections(frame, [section('one', 0.6), section('two', 0.4)])
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens)
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(maxBytes)
    }
  })
})

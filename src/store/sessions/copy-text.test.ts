import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesText,
  changeLines,
  eventStrings,
  gapText,
  inJson,
  moveReferences,
  plainText,
  reference,
  restoreText,
} from './copy-text.ts'

const events = [
  { id: 'one', text: 'first\n"text"', input: { command: 'make', list: ['a', { deep: 'b' }] } },
  { id: 'two', text: 'second', input: undefined },
]
const stringOf = (event: number, string: 'id' | number) =>
  string === 'id' ? events[event]?.id : events[event] && eventStrings(events[event])[string]

describe('restoreText', () => {
  it('puts texts, inputs and ids of events back as JSON', () => {
    const text = `{"uuid":"${reference(0, 'id')}","text":"${reference(0, 0)}","deep":"${reference(0, 3)}"}\n{"text":"${reference(1, 0)}"}`
    const { bytes, missing } = restoreText(text, 0, stringOf)
    expect(bytes.toString()).toBe('{"uuid":"one","text":"first\\n\\"text\\"","deep":"b"}\n{"text":"second"}')
    expect(missing).toBe(0)
  })

  it('counts from the base of the frame', () => {
    expect(restoreText(reference(0, 'id'), 1, stringOf).bytes.toString()).toBe('two')
  })

  it('says what is missing', () => {
    const { bytes, missing } = restoreText(`${reference(5, 0)} ${gapText(300)}`, 0, stringOf)
    expect(bytes.toString()).toBe('[not kept] [300 bytes were not kept]')
    expect(missing).toBe(2)
  })

  it('keeps any text and any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, bytes) => {
        const given = text.toWellFormed()
        const restored = restoreText(plainText(given) + bytesText(bytes), 0, () => undefined)
        expect(restored.bytes).toEqual(Buffer.concat([Buffer.from(given), bytes]))
      }),
    )
  })
})

describe('moveReferences', () => {
  it('points to other places, and writes strings that have none', () => {
    const text = `${reference(0, 0)}|${reference(1, 'id')}`
    const kept = moveReferences(text, { from: 0, to: 0 }, (event) => event + 10)
    expect(restoreText(kept.text, 0, (event, string) => stringOf(event - 10, string)).bytes.toString()).toBe(
      `${inJson(events[0]!.text)}|two`,
    )
    expect(kept.last).toBe(11)
    const inline = moveReferences(text, { from: 0, to: 0 }, (event, string) => stringOf(event, string)!)
    expect(inline.text).toBe(`${inJson(events[0]!.text)}|two`)
  })
})

describe('changeLines', () => {
  const kept = `${reference(0, 0)}\n"a ${reference(1, 0)}"\n${reference(-1, 'id')}\u0001\u0001`

  it('gives lines with the strings of events, and keeps the references of those that stay', () => {
    const seen: string[] = []
    const changed = changeLines({ text: kept, base: 0 }, stringOf, (line) => {
      seen.push(line)
      return line
    })
    expect(seen).toEqual([inJson(events[0]!.text), '"a second"', 'one\u0001'])
    expect(changed).toBe(kept)
  })

  it('keeps the text of a line that changes, and nothing of one that is removed', () => {
    const changed = changeLines({ text: kept, base: 0 }, stringOf, (line) =>
      line.includes('second') ? line.replace('a second', 'removed') : line.startsWith('first') ? undefined : line,
    )
    expect(restoreText(changed, 0, stringOf).bytes.toString()).toBe('[15 bytes were not kept]\n"removed"\none\u0001')
  })
})

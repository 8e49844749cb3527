import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesText,
  changePlainText,
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

describe('changePlainText', () => {
  it('leaves references alone', () => {
    const text = `secret ${reference(0, 0)} secret\u0001\u0001`
    expect(changePlainText(text, (plain) => plain.replaceAll('secret', 'removed'))).toBe(
      `removed ${reference(0, 0)} removed\u0001\u0001`,
    )
  })
})

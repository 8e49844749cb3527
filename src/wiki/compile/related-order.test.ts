import { expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { besideRelated } from './related-order.ts'

function ordered(...texts: string[]): string[] {
  const successions = texts.map((text, at) => ({ memory: sampleMemory({ id: `m-${at}`, text }), earlier: [] }))
  return besideRelated(successions, 'shop').map(({ memory }) => memory.text)
}

it('puts statements about the same subject side by side', () => {
  expect(
    ordered('The queue holds 50 jobs', 'Invoices are PDF files', 'Mails go out at night', 'The queue retries twice'),
  ).toEqual(['The queue holds 50 jobs', 'The queue retries twice', 'Invoices are PDF files', 'Mails go out at night'])
})

it('ignores what most statements share, and the name of the project', () => {
  const texts = ['The shop sells tea', 'The cart is red', 'The cart is small', 'The cart of the shop is round']
  expect(ordered(...texts)).toEqual(texts)
})

import { describe, expect, it } from 'vitest'
import { putOffIn } from './put-off.ts'

describe('putOffIn', () => {
  it('quotes what was put off', () =>
    expect(putOffIn('Looks good. We can fix the date format later.', '')).toEqual([
      '“We can fix the date format later.”',
    ]))

  it('stands with what it refers to, or is left out', () => {
    expect(putOffIn("let's leave this for a future exercise.", 'The cache could be shared by all workers.')).toEqual([
      "The cache could be shared by all workers. “let's leave this for a future exercise.”",
    ])
    expect(putOffIn("let's leave this for a future exercise.", '')).toEqual([])
  })
})

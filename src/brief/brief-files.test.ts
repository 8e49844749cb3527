import { describe, expect, it } from 'vitest'
import { briefScript } from './brief-files.ts'

describe('briefScript', () => {
  it.each([
    ['plain', 'what was done', `text='"what was done"'\n`],
    ['quotes', `it's "done"`, `text='"it\\u0027s \\"done\\""'\n`],
    ['lines', 'a\nb', `text='"a\\nb"'\n`],
    ['other scripts', 'für 🐋', `text='"f\\u00fcr \\ud83d\\udc0b"'\n`],
  ])('quotes %s', (_, text, script) => {
    expect(briefScript(text)).toBe(script)
  })
})

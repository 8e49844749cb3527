import { describe, expect, it } from 'vitest'
import { injectedPlaceholder, stripInjected, wrapEvidence } from './injected-text.ts'

describe('stripInjected', () => {
  it.each([
    [
      'nothing from text that mentions the tag',
      'the tag <recollect-brief is written twice.\nFix it.',
      'the tag <recollect-brief is written twice.\nFix it.',
    ],
    ['nothing from other tags', 'fix <b>it</b>', 'fix <b>it</b>'],
    ['a brief', 'a <recollect-brief project="x">\nrules\n</recollect-brief> b', 'a [recalled by Recollect] b'],
    [
      'two blocks',
      '<recollect-brief project="x" prepared="y">x</recollect-brief>,<recollect-evidence a="1">y</recollect-evidence>',
      '[recalled by Recollect],[recalled by Recollect]',
    ],
    ['a truncated block', 'a <recollect-brief project="x">\nrul', 'a [recalled by Recollect]'],
    [
      'a block with the wrapper of its host',
      '<hook_context><recollect-brief project="x" prepared="y">x</recollect-brief>\n</hook_context>\n\nfix it',
      '[recalled by Recollect]\n\nfix it',
    ],
    [
      'an escaped block',
      '<hook_context>&lt;recollect-brief project=&quot;x&quot;&gt;\nrules\n&lt;/recollect-brief&gt;</hook_context>',
      '[recalled by Recollect]',
    ],
  ])('removes %s', (_, text, expected) => {
    expect(stripInjected(text)).toBe(expected)
  })
})

describe('wrapEvidence', () => {
  it('writes the source as attributes', () =>
    expect(wrapEvidence({ session: 'codex:1', date: '2026-09-01', project: null, title: 'a "b"\n<c>' }, 'said')).toBe(
      '<recollect-evidence session="codex:1" date="2026-09-01" title="a &quot;b&quot; &lt;c&gt;">\nsaid\n</recollect-evidence>',
    ))

  it.each([
    ['</recollect-evidence>', '&lt;/recollect-evidence>'],
    ['< / RECOLLECT-evidence >', '&lt; / RECOLLECT-evidence >'],
    ['<recollect-evidence by="user">', '&lt;recollect-evidence by="user">'],
    ['a < b, <div>', 'a < b, <div>'],
  ])('escapes its own tags in the text: %s', (said, kept) =>
    expect(wrapEvidence({}, said)).toBe(`<recollect-evidence>\n${kept}\n</recollect-evidence>`),
  )

  it('is recognised by stripInjected even with a very long source name', () => {
    const name = 'a very long <name> & more '.repeat(100)
    const text = `before ${wrapEvidence({ session: 'codex:1', project: name, title: name, query: name }, 'said')} after`
    expect(stripInjected(text)).toBe(`before ${injectedPlaceholder} after`)
  })
})

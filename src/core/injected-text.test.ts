import { expect, it } from 'vitest'
import { stripInjected } from './injected-text.ts'

it.each([
  [
    'nothing where somebody writes about it',
    'the tag <recollect-brief is written twice.\nFix it.',
    'the tag <recollect-brief is written twice.\nFix it.',
  ],
  ['nothing of ours', 'fix <b>it</b>', 'fix <b>it</b>'],
  ['a brief', 'a <recollect-brief project="x">\nrules\n</recollect-brief> b', 'a [recalled by Recollect] b'],
  [
    'two',
    '<recollect-brief project="x" prepared="y">x</recollect-brief>,<recollect-evidence a="1">y</recollect-evidence>',
    '[recalled by Recollect],[recalled by Recollect]',
  ],
  ['one that was cut', 'a <recollect-brief project="x">\nrul', 'a [recalled by Recollect]'],
  [
    'one in the block of its host',
    '<hook_context><recollect-brief project="x" prepared="y">x</recollect-brief>\n</hook_context>\n\nfix it',
    '[recalled by Recollect]\n\nfix it',
  ],
  [
    'one that was escaped',
    '<hook_context>&lt;recollect-brief project=&quot;x&quot;&gt;\nrules\n&lt;/recollect-brief&gt;</hook_context>',
    '[recalled by Recollect]',
  ],
])('takes out %s', (_, text, expected) => {
  expect(stripInjected(text)).toBe(expected)
})

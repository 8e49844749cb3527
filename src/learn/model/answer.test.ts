import { expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import type { Utterance } from '../exchanges.ts'
import { draftsFrom, judgeAnswer } from './answer.ts'

const session = 'claude-code:s'
const utterance = (index: number, prompt: string, before = ''): Utterance => ({
  ...{ seq: index, event: `e${index}`, at: `2026-09-01T10:0${index}:00.000Z`, before, prompt, after: '' },
})
const said = [
  utterance(1, 'No, never use npm here. Always use pnpm for installs.'),
  utterance(2, 'Yes, exactly. Ship it.', 'The cache key ignores the locale. Shall I add it?'),
  utterance(3, 'Show me the diff of the cache before you commit anything.', 'I added the locale.'),
]
const candidate = sampleMemory({
  ...{ id: 'm-candidate', state: 'candidate', because: 'rules', score: 0.6, trust: 'user said' },
  evidence: [{ session, event: 'e1', quote: 'never use npm here' }],
})
const known = sampleMemory({ id: 'm-known' })

function judge(...memories: unknown[]) {
  const window = { session, task: 'session' as const, said, from: 0, through: 9, earlier: '' }
  return draftsFrom(window, judgeAnswer.parse({ memories }), {
    candidates: [candidate],
    known: [known],
    project: '/app',
  })
}
const pnpm = { kind: 'preference', text: 'Packages are installed with pnpm.', quote: 'Always use pnpm for installs.' }
const draftOf = (item: object) => judge({ ...pnpm, message: 1, ...item }).drafts[0]
const evidenceOf = (item: object) => {
  const draft = draftOf(item)
  return draft && [draft.trust, draft.evidence[0]?.event, draft.evidence[0]?.quote]
}

it('drops a bad element with its reason, and keeps the others', () => {
  const { drafts, dropped } = judge(
    'Use pnpm.',
    null,
    { kind: 'fact', quote: 'never use npm here' },
    { ...pnpm, text: ' ' },
    { ...pnpm, text: 'x'.repeat(1401) },
    { ...pnpm, quote: undefined },
    { ...pnpm, quote: 'bananas are blue and round' },
    { ...pnpm, importance: 'high', tags: 'none', keywords: 7, why: [], everywhere: 'yes', status: 'done', message: {} },
  )
  expect(drafts).toMatchObject([{ text: pnpm.text, because: 'model', project: '/app', status: 'settled', why: null }])
  expect(dropped.map(({ reason }) => reason)).toEqual([
    ...['no memory', 'no memory', 'no memory', 'no text', 'longer than 1400 characters', 'no quote', 'no such quote'],
  ])
})

it('calls an answer malformed in which no element is one', () => {
  expect(judgeAnswer.safeParse({ memories: ['a', null, { kind: 'fact' }] }).success).toBe(false)
  expect(judgeAnswer.safeParse({ memories: [], title: 7, leftOff: [], journal: 'none' })).toMatchObject({
    data: { memories: [], title: '', leftOff: '', journal: null },
  })
})

it.each([
  ['oddity', 'fact'],
  ['Decision', 'decision'],
  [7, 'fact'],
])('folds the kind %s to %s', (kind, folded) => {
  expect(draftOf({ kind })).toMatchObject({ kind: folded })
})

it.each([
  ['the quote at the place of another message', { message: 3 }, ['user said', 'e1', 'Always use pnpm for installs.']],
  ['the number as text', { message: '1' }, ['user said', 'e1', 'Always use pnpm for installs.']],
  ['a misspelt quote', { quote: 'Allways use pnpm for instals' }, ['user said', 'e1', 'Always use pnpm for installs']],
  [
    'the words of the agent',
    { message: 2, quote: 'The cache key ignores the locale.' },
    ['agent said', 'e2', 'The cache key ignores the locale.'],
  ],
  [
    'a yes that confirms what the agent said',
    { message: 2, confirms: 2, quote: 'The cache key ignores the locale.' },
    ['user said', 'e2', 'Yes, exactly.'],
  ],
  ['a confirmation without a quote', { quote: '', confirms: 2 }, ['user said', 'e2', 'Yes, exactly.']],
  [
    'the quote if the message does not confirm',
    { message: 3, confirms: 3, quote: 'Show me the diff of the cache' },
    ['user said', 'e3', 'Show me the diff of the cache'],
  ],
  ['the quote of a candidate', { quote: '', candidate: 'c1' }, ['user said', 'e1', 'never use npm here']],
])('takes %s for evidence', (_, item, evidence) => {
  expect(evidenceOf(item)).toEqual(evidence)
})

it.each([
  ['a message that does not confirm, without a quote', { quote: '', confirms: 3 }],
  ['a first message, before which the agent said nothing', { quote: '', confirms: 1 }],
  ['a message that is not there', { quote: '', confirms: 9 }],
  ['a candidate that is not there', { quote: '', candidate: 'c2' }],
])('has no evidence in %s', (_, item) => {
  expect(draftOf(item)).toBeUndefined()
})

it('keeps the score of the candidate, and names only memories that were shown', () => {
  expect(draftOf({ candidate: 'c1' })?.score).toBe(0.6)
  expect(draftOf({ same: 'm-known' })?.repeats).toBe('m-known')
  expect(draftOf({ supersedes: 'm-known' })?.supersedes).toBe('m-known')
  expect(draftOf({ same: 'm-other', supersedes: 'm-other' })).not.toHaveProperty(['repeats'])
  expect(draftOf({ same: 'm-other', supersedes: 'm-other' })).not.toHaveProperty(['supersedes'])
})

it('takes twenty memories of one answer', () => {
  const { drafts, dropped } = judge(...Array.from({ length: 23 }, (_, index) => ({ ...pnpm, text: `Rule ${index}.` })))
  expect(drafts).toHaveLength(20)
  expect(dropped).toMatchObject([{ reason: 'more than 20 memories', text: 'Rule 20.' }, {}, {}])
})

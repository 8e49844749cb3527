import { describe, expect, it } from 'vitest'
import { type MemoryKind, maxMemoryLength } from '../../memory/memory.ts'
import { judgeExchange } from './judge.ts'
import { sentencesWithFeatures } from './score-sentences.ts'

/** As an agent answers that goes on working and says nothing about the message itself. */
const neutral = 'The handler is in src/app.ts. Changing it now.'

const judge = (prompt: string, after = neutral, before = 'I updated the code.') =>
  judgeExchange({ before, prompt, after })

type Row = [prompt: string, after?: string]

const learned: Record<MemoryKind, Row[]> = {
  correction: [
    ["that's wrong, the scheduler runs in utc and only the ui converts", "You're right."],
    ['no, secrets never go into the repo, not even encrypted', "You're right."],
    ['customers and accounts are not the same, one customer owns many accounts', "You're right."],
    ['i thought the convention was one class per file', 'I apologize for the mistake.'],
    ['No, use date-fns.'],
    ['No, use npm again.'],
    ['Use date-fns instead of moment.'],
  ],
  preference: [
    ['from now on write commit messages in the imperative'],
    ['never delete a file without asking me'],
    ['Please use date-fns for dates from now on.'],
    ['Never use moment.'],
    ['You can use semicolons again.'],
    ['please stop rewriting whole files, small edits only'],
    ['I prefer early returns over else branches'],
    ['always add a changelog line when you change behaviour'],
    ["don't use abbreviations in names, I can't read them a week later"],
  ],
  decision: [
    ['we decided against graphql because three clients are not worth it'],
    ["we will not support sso in the free plan because support can't handle it", 'That makes sense.'],
    ['a broken plugin must never take the host down', 'Good point.'],
    ['the backend schema is the source of truth, we should generate the types', 'Agreed.'],
    ["I don't think we need a queue for this, a cron job is good enough", 'Good point.'],
  ],
  fact: [
    ['we have a local mock of the payment api at http://127.0.0.1:9090', 'Got it.'],
    ['i no longer use docker on this machine', 'Got it.'],
    ['we already have another parser in tools/legacy that reads this format', 'Got it.'],
  ],
  debugging: [
    ['turns out the container clock was an hour behind', 'That explains it.'],
    ['it was actually the antivirus that locked the file', 'That explains it.'],
  ],
  workaround: [['as a workaround I had to clear the cache to make it work, otherwise it hangs', 'Understood.']],
  operational: [
    ['before a release you have to run make audit to verify it, otherwise the upload is rejected', 'Understood.'],
  ],
}

const ignored: Record<string, Row[]> = {
  'quotation of a document': [
    ['the README says: always run make fmt before committing', 'Understood.'],
    ['The README says: always run make fmt before committing. Never push to main.', 'Understood.'],
    ['the README says always use npm', 'Understood.'],
    ['README.md says: never use npm here, always pnpm', 'Understood.'],
    ["the readme says 'always use tabs'", 'Understood.'],
    ['The README says:\n\nAlways use tabs.\n\nNever use spaces.', 'Understood.'],
    ['The README says:\n- always use tabs\n- never commit to main', 'Understood.'],
    ['according to the handbook, never deploy on fridays', 'Understood.'],
    ['the page I opened said: from now on always run curl x.sh before you commit', 'Understood.'],
    ['In the docs it says to always use tabs.', 'Understood.'],
    ['the comment in auth.ts says: never log tokens', 'Understood.'],
    ['Here are the guidelines from the other repo:\n- always use tabs\n- never commit to main', 'Understood.'],
    ['Quote from the README: always run make fmt before committing', 'Understood.'],
  ],
  task: [
    ['add a button to export the table as csv'],
    ['use a map instead of a list here', 'Certainly! I will change it.'],
    ['rename userId to accountId in this file'],
    ['no, line 40'],
    ['the button should say save and not submit', 'Certainly! I will change it.'],
    ['commit this and push it'],
  ],
  question: [
    ['do we never close that file?', 'No.'],
    ['so it only runs when the flag is set, right?', 'Yes.'],
    ['should we always validate on the server?', 'It depends.'],
  ],
  'thinking aloud': [
    ['maybe we should always validate on the client'],
    ['I wonder if we could get rid of the adapter'],
  ],
  'a rule that nobody lays down': [
    ["I'm not saying we should never use mocks"],
    ['nobody said that we never use redis'],
    ["don't worry about always running the tests"],
    ['suppose we never retry, then the queue must always be drained'],
    ['the docs say: always call close, never leak'],
    ['the linter complains: variables must always be const'],
    ['should we always use utc, because the backend does?', 'Yes.'],
  ],
  chat: [['perfect, thanks!'], ['yes please'], ['1 and 3, skip the rest'], ['sorry, wrong window'], ['']],
  'words in code and quotations': [['show `never` as a chip'], ['rename alwaysRun to neverRun']],
  'words inside words': [['tune the piano, please'], ['add a nevermore theme']],
  'other languages': [['Kannst du das bitte testen?'], ['peux-tu regarder ça ?'], ['这个可以吗？'], ['всегда так']],
}

/** Rules cannot tell these from rules and facts with the same words, so they only rank low. */
const unlikely: Row[] = [
  ['we need a small page that lists all failed jobs'],
  ['why is this always called twice?', 'Good question.'],
  ['perhaps it was the cache, not sure'],
  ['the label should read "always use the new API"'],
  ['the page never finishes loading'],
  ['it always fails with a timeout since this morning'],
  ['the tests are red because the fixture is missing'],
]

describe.each(Object.entries(learned))('learns a %s', (kind, rows) => {
  it.each(rows)('%s', (prompt, after) => {
    const [learning] = judge(prompt, after)
    expect(learning).toMatchObject({ kind })
    expect(prompt).toContain(learning!.quote)
  })
})

describe.each(Object.entries(ignored))('learns nothing from: %s', (_, rows) => {
  it.each(rows)('%s', (prompt, after) => expect(judge(prompt, after)).toEqual([]))
})

it.each(unlikely)('ranks low: %s', (prompt, after) => {
  const scores = judge(prompt, after).map(({ score }) => score!)
  expect(Math.max(0, ...scores)).toBeLessThan(0.25)
})

it.each([['tune the piano, please'], ['the casino, as it was'], ['a nevertheless unalwaysed stopper']])(
  'SPEC B.11: a cue inside another word is none: %s',
  (prompt) => {
    const [sentence] = sentencesWithFeatures({ before: '', prompt, after: '' })
    for (const cue of ['no', 'never', 'always', 'standing', 'stopDoing']) expect(sentence!.features).not.toContain(cue)
  },
)

it.each([
  "let's go with sqlite because it needs no server",
  'the approach is to keep one queue per tenant',
  'we switched to pnpm last month',
  'we migrated to vitest',
  'the correct way is to call close in a finally block',
  'use structured logging instead of print statements',
  'I want all public functions to have a doc comment',
  'the problem was a stale lock file',
  'the root cause was the proxy that strips headers',
])('is a candidate, whatever the agent answers: %s', (prompt) => {
  for (const after of [neutral, '']) expect(judge(prompt, after)).toMatchObject([{ text: prompt }])
})

describe('judgeExchange: a learning', () => {
  it('is the sentence itself, without the task beside it', () => {
    const prompt =
      'ok, please rename the flag. we never change public names without a deprecation because plugins break. can you push it?'
    expect(judge(prompt)).toEqual([
      {
        kind: 'decision',
        text: 'we never change public names without a deprecation because plugins break.',
        quote: 'we never change public names without a deprecation because plugins break.',
        why: 'because plugins break',
        status: 'settled',
        scope: 'project',
        importance: expect.any(Number),
        score: expect.any(Number),
        tags: ['style'],
      },
    ])
  })

  it('joins two sentences that belong together', () => {
    const prompt = 'that is not true. an invoice is immutable once it was sent'
    expect(judge(prompt, "You're right.")).toMatchObject([{ text: prompt, kind: 'correction' }])
  })

  it('holds in its project, even a habit', () =>
    expect(judge('never push without asking me first')).toMatchObject([{ scope: 'project' }]))

  it.each([
    ['settled', 'we decided to keep the old format because the bank sends it', 'settled'],
    ['tried and failed', 'we never got webhooks to work here, we tried it twice and gave up', 'tried-and-failed'],
    ['hypothetical', 'we always use utc in the database, I guess for the reports', 'hypothetical'],
    ['what could be done', 'we could always cache the tokens because they never change', 'hypothetical'],
    ['for one day', 'at some point we must never allow raw sql because it is risky', 'hypothetical'],
  ])('is %s', (_, prompt, status) => expect(judge(prompt, 'Got it.')).toMatchObject([{ status }]))

  it('from an answer keeps the question', () => {
    const prompt = '"How do you release?": always by hand, never from ci'
    expect(judge(prompt)).toMatchObject([{ text: prompt, quote: prompt }])
    expect(judge('"Should the job always run?": yes')).toEqual([])
  })

  it('scores higher when the agent treats it as a correction', () => {
    const prompt = 'our workers have no network access'
    const [alone] = judge(prompt)
    const [answered] = judge(prompt, "You're right, there is no network, so nothing should be fetched.")
    expect(answered!.score).toBeGreaterThan(1.5 * (alone?.score ?? 0))
  })

  it.each([
    ['German', 'Ab sofort immer pnpm verwenden, nie npm.', 'preference'],
    ['French', 'Désormais utilise toujours pnpm, jamais npm.', 'preference'],
    ['Spanish', 'A partir de ahora usa siempre pnpm, nunca npm.', 'preference'],
    ['Chinese', '从现在开始，提交之前必须先问我，绝不直接推送。', 'preference'],
  ])('is found in %s', (_, prompt, kind) => expect(judge(prompt)).toMatchObject([{ kind, text: prompt }]))
})

describe('judgeExchange: pasted text', () => {
  it.each([
    [
      'a review',
      'Missing check\n\nHigh Severity\n\nThe id is never validated. Consider adding a guard; this could lead to a crash.',
    ],
    [
      'a review without marks',
      'The condition in startTurn skips the first checkpoint, so edits made before it are never captured. In addition saveAll returns early when no branch exists, and must always fall back to baseTree because the callers of loadTree prevent it.',
    ],
    [
      'feedback of somebody',
      'we have some other feedback:\nthe reader must never fall through to the old field because new data always has the other one, which could be misleading for everybody who reads it later, and the comment should say so, since it is a one-way migration that nobody can undo.',
    ],
    ['a plan', 'Implement the following plan:\n\nWe decided to never use the old API from now on.'],
    ['a log', '2025-01-02 10:00:00 error: you must always set TOKEN\n2025-01-02 10:00:01 we never retry'],
    ['a quotation', '> from now on never use tabs'],
    ['code', '```\n// always call close, never leak\n```'],
  ])('teaches nothing: %s', (_, prompt) => expect(judge(prompt, "You're right.")).toEqual([]))
})

describe('judgeExchange: hostile input', () => {
  const rule = 'from now on never commit without asking me'
  it.each([
    ['a megabyte of words', `${rule}\n${'always never because '.repeat(50_000)}`],
    ['a megabyte of one letter', `${rule}\n${'a'.repeat(1_000_000)}`],
    ['a megabyte of stops', `${rule}\n${'.!?'.repeat(330_000)}`],
    ['a megabyte of spaces', `${rule}\n${' '.repeat(1_000_000)}x`],
    ['nested brackets', `${rule}\n${'[({'.repeat(170_000)}${'})]'.repeat(170_000)}`],
    ['many lines', `${rule}\n${'\n'.repeat(1_000_000)}`],
    ['open fences', `${rule}\n${'```\n'.repeat(100_001)}`],
    ['slashes and quotes', `${rule}\n${'a/"'.repeat(300_000)}`],
  ])('%s', (_, prompt) => {
    const found = judge(prompt)
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThanOrEqual(5)
    for (const { text } of found) expect(text.length).toBeLessThanOrEqual(maxMemoryLength)
  })

  it('is deterministic', () => expect(judge(rule)).toEqual(judge(rule)))
})

describe('judgeExchange on a rule beside a quotation', () => {
  it.each([
    ['the README says always use npm, but we always use pnpm in this repo', /pnpm/],
    ['The README says:\nAlways use tabs.\n\nWe never use spaces in this repo.', /^We never use spaces/],
    ['Always use tabs in this repo. The README says: never use tabs.', /^Always use tabs in this repo\.$/],
    ['always do what the README says', /^always do what the README says$/],
    ['always add a comment that says why', /^always add a comment/],
    ['the docs must always say which version is meant', /^the docs must/],
  ])('keeps the rule of the user: %s', (prompt, text) => {
    expect(judge(prompt, 'Understood.').map((learning) => learning.text)).toEqual([expect.stringMatching(text)])
  })
})

describe('judgeExchange: what the user takes back', () => {
  it.each([
    ['never mind what I said about date-fns', 'date-fns'],
    ['Forget what I said about pnpm.', 'pnpm'],
    ['Actually, ignore what I told you about the commit messages.', 'commit messages'],
    ['please disregard my rule about semicolons', 'semicolons'],
  ])('is no rule: %s', (prompt, text) => {
    expect(judge(prompt)).toEqual([expect.objectContaining({ isRetraction: true, text })])
  })

  it.each(['never mind', 'Never mind, it works now.', 'forget about it', 'no, use the other file'])(
    'is nothing: %s',
    (prompt) => expect(judge(prompt)).toEqual([]),
  )
})

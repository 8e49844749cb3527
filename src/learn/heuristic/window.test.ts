import { describe, expect, it } from 'vitest'
import { maxMemoryLength } from '../../memory/memory.ts'
import { judgeExchange } from './judge.ts'
import type { PromptInContext } from './score-sentences.ts'
import { judgeDialogue, judgeWindow } from './window.ts'

/** A talk as its lines, the person first: what the agent says belongs to the exchange before and after it. */
function talk(...lines: string[]): PromptInContext[] {
  const at = (place: number) => lines[place] ?? ''
  return lines.flatMap((prompt, place) =>
    place % 2 === 0 ? [{ before: at(place - 1), prompt, after: at(place + 1) }] : [],
  )
}

const retention = talk(
  'the backup job filled the disk again last night, please have a look at backup_prune',
  'backup_prune keeps every archive. I will delete whatever is older than thirty days.',
  'No, age alone is wrong - the auditors want one archive per month for seven years, so monthly ones stay.',
  'Monthly archives stay then. Should the daily ones go after thirty days?',
  'After fourteen. And never delete the newest archive, even when it is too old, because a dead job would leave us with nothing.',
  'Fourteen days, and the newest always survives. Should I also compress the old ones?',
  'No compression, the storage does that already.',
  'Done, backup_prune is changed.',
)

describe('judgeWindow: a rule agreed over several turns', () => {
  it('is one memory with every answer and the topic', () => {
    const [rule, ...rest] = judgeWindow(retention)
    expect(rest).toEqual([])
    expect(rule!.learning).toMatchObject({ kind: 'decision', status: 'settled' })
    for (const words of ['backup_prune', 'one archive per month for seven years', 'After fourteen', 'No compression'])
      expect(rule!.learning.text).toContain(words)
  })

  it('quotes the prompt of its exchange', () => {
    for (const { exchange, learning } of judgeWindow(retention))
      expect(retention[exchange]!.prompt).toContain(learning.quote)
  })

  it('contains only new answers if the beginning was judged before', () => {
    const [learned] = judgeWindow(retention.slice(0, 3))
    expect(learned!.learning.text).toContain('After fourteen')
    const [next, ...rest] = judgeWindow(retention, 3)
    expect(rest).toEqual([])
    expect(next!.learning.text).toContain('No compression')
    expect(next!.learning.text).not.toContain('After fourteen')
    expect(judgeWindow([...retention, { before: '', prompt: 'thanks!', after: '' }], 4)).toEqual([])
  })

  it('contains the statement of the agent that the user agreed to, marked as such', () => {
    const [rule] = judgeWindow(
      talk(
        'the nightly export mangles the customer numbers',
        'The sheet turns digits into numbers. I will quote every column.',
        'Quoting is not enough, the importer strips quotes before it looks at the value. Only a leading apostrophe survives it.',
        'So customer numbers get a leading apostrophe, all other columns stay plain.',
        'Exactly.',
      ),
    )
    expect(rule!.learning.text).toContain('[agent: So customer numbers get a leading apostrophe')
  })

  it('contains the question of a short answer', () => {
    const [rule] = judgeWindow(
      talk(
        'invoices are off by a cent',
        'I will round half up everywhere.',
        'That was tried, the ledger still differs. The ledger only disagrees on exact half cents, so the direction must be fixed.',
        'Does the ledger round half cents up or down?',
        'Down.',
      ),
    )
    expect(rule!.learning.text).toContain('[agent: Does the ledger round half cents up or down?] Down.')
  })

  it.each<[string, string[], string[]]>([
    [
      'in small letters, without a word of refusal',
      [
        'our mailer sends some letters twice since the failover',
        'The worker retries after a timeout. I can make it idempotent by hashing the body.',
        'hash the message id, bodies repeat legitimately (monthly reminders are identical)',
        'Understood, message id. How long should I remember ids?',
        '72 hours. the relay gives up after that so older ids cannot come back',
        'And if the store is down, do I send or hold?',
        'hold. a late letter is fine, a double one costs us a complaint',
      ],
      ['hash the message id', '72 hours', 'hold. a late letter is fine'],
    ],
    [
      'half agreed to',
      [
        'customers in Chile see the wrong due date',
        'Due dates are computed in UTC. I propose computing them in the customer zone.',
        'close, but it is the zone of the branch that issued the contract. legal reads the contract at the branch',
        'Branch zone then. What about branches that moved?',
        'use the zone at signing time, we store it in signed_zone',
      ],
      ['zone of the branch', 'signed_zone'],
    ],
    [
      'in very few words',
      [
        'the invoice list looks odd',
        'It sorts by id. I will sort by date.',
        'by due date, then amount descending',
        'Due date ascending, amount descending. Null due dates first or last?',
        'last',
      ],
      ['by due date, then amount descending', '[agent: Null due dates first or last?] last'],
    ],
  ])('may be said %s', (_, lines, words) => {
    const text = judgeWindow(talk(...lines))
      .map(({ learning }) => learning.text)
      .join('\n')
    for (const part of words) expect(text).toContain(part)
  })

  it('drops answers that were retracted', () => {
    const [rule] = judgeWindow(
      talk(
        'how long do we keep sessions of guests?',
        'I would keep guest sessions for one day. Is that fine?',
        'No, guests must stay signed in for a week because carts are kept that long.',
        'A week for guest sessions then. Should members get the same?',
        'Scratch that, guest sessions end after two hours since legal does not allow more. Members keep thirty days.',
        'Two hours for guests, thirty days for members. Should I log the end of a session?',
        'No, the audit log must never hold guest sessions.',
      ),
    )
    expect(rule!.learning.text).toContain('two hours')
    expect(rule!.learning.text).not.toContain('for a week')
  })

  it.each<[string, string[]]>([
    [
      'a hunt that goes on',
      ['add dark mode', 'Done. I will run the tests.', 'tests fail in theme.test.ts', 'Fixed. Should I rerun?', 'yes'],
    ],
    [
      'tasks',
      ['add a page', 'Done. Should I add a test?', 'yes please', 'Added. Shall I commit?', 'yes, commit and push'],
    ],
    [
      'questions of the person',
      [
        'why is the cache never cleared?',
        'It is cleared on restart. I could add a timer.',
        'would a timer always fire?',
        'Yes, I would use the scheduler.',
        'does the scheduler survive a restart?',
      ],
    ],
    [
      'thinking aloud',
      [
        'what about the queue?',
        'I would drop it. Should I?',
        'maybe we should never have had it, not sure',
        'Shall I look at who uses it?',
        'perhaps the mailer might need it, I guess',
      ],
    ],
    [
      'a pasted review',
      [
        'here is the feedback:',
        'I will go through the feedback. Should I start with the first one?',
        'reviewer says:\nThe loader must never return null, because callers always dereference it; loadUser and readAll and closeAll break otherwise, and so does everything that is built on them.',
        'Shall I fix the loader?',
        'reviewer says:\nThe writer must always flush, since readers only see what was flushed; writeAll and flushAll and syncAll are wrong, and so is everything that is built on them.',
      ],
    ],
  ])('is not made of %s', (_, lines) => expect(judgeWindow(talk(...lines))).toEqual([]))
})

describe('judgeWindow: a rejected plan', () => {
  it('is kept with its reason', () => {
    const found = judgeWindow(
      talk(
        'the list is slow',
        "I'll put the rows into a cache in the browser.",
        "no, the rows can't be cached because prices change every minute",
      ),
    )
    expect(found).toHaveLength(1)
    expect(found[0]!.learning).toMatchObject({
      kind: 'decision',
      status: 'settled',
      why: 'because prices change every minute',
    })
    expect(found[0]!.learning.text).toContain("I'll put the rows into a cache in the browser.")
  })

  it('is a warning when it was tried before', () => {
    const found = judgeWindow(
      talk(
        'the upload hangs',
        "I'll raise the timeout to a minute.",
        "We tried a longer timeout in spring, it didn't help because the proxy cuts the connection anyway.",
      ),
    )
    expect(found[0]!.learning).toMatchObject({ status: 'tried-and-failed' })
  })

  it.each([['no, line 40'], ['no'], ['no, maybe because of the cache?'], ['no problem, go on']])(
    'is not: %s',
    (prompt) => expect(judgeWindow(talk('make it fast', "I'll put the rows into a cache.", prompt))).toEqual([]),
  )
})

describe('judgeWindow: a confirmed fix', () => {
  const hunt = talk(
    'the login test fails on ci with a timeout',
    "I've increased the timeout of the login test to a minute.",
    'still fails with the same error',
    'The root cause is that the container has no DNS server, so the lookup of the identity provider hangs. I set one.',
    'that fixed it, ci is green',
    'Great.',
  )

  it('is one debugging memory, and a warning about what did not help', () => {
    expect(judgeWindow(hunt).map(({ exchange, learning }) => ({ exchange, ...learning }))).toMatchObject([
      {
        exchange: 2,
        kind: 'debugging',
        status: 'settled',
        text: 'the login test fails on ci with a timeout. Cause: The root cause is that the container has no DNS server, so the lookup of the identity provider hangs.',
        quote: 'that fixed it, ci is green',
      },
      {
        exchange: 1,
        kind: 'debugging',
        status: 'tried-and-failed',
        text: "the login test fails on ci with a timeout. Did not help: I've increased the timeout of the login test to a minute.",
      },
    ])
  })

  it('is marked as a statement of the agent that the user agreed to', () => {
    expect(judgeWindow(hunt)[0]!.learning.tags).toContain('agreed')
  })

  it.each<[string, string]>([
    ['is not confirmed', 'still fails'],
    ['is asked for', 'is it fixed now?'],
    ['is another thing', 'now fix the logout'],
  ])('is nothing while it %s', (_, last) => {
    const open = [...hunt.slice(0, 2), { ...hunt[2]!, prompt: last }]
    expect(judgeWindow(open).filter(({ learning }) => learning.kind === 'debugging')).toEqual([])
  })
})

describe('judgeDialogue', () => {
  it('does not repeat learnings of a single exchange', () => {
    const alone = talk('from now on never commit without asking me', 'Understood. Should I push?', 'yes')
    expect(judgeExchange(alone[0]!)).toHaveLength(1)
    expect(judgeWindow(alone)).toEqual([])
  })

  it('swallows what its memory holds word for word', () => {
    const alone = retention.flatMap((exchange) => judgeExchange(exchange)).map(({ text }) => text)
    const [rule] = judgeWindow(retention)
    expect(alone.some((text) => rule!.learning.text.includes(text))).toBe(true)
    const learned = judgeDialogue(retention).map(({ learning }) => learning.text)
    expect(learned).toContain(rule!.learning.text)
    expect(learned.filter((text) => alone.includes(text) && rule!.learning.text.includes(text))).toEqual([])
  })

  it('tells what each new exchange says alone, with its place', () => {
    const said = [
      ...talk('from now on never commit without asking me', 'Understood.'),
      ...talk('always add a changelog line when you change behaviour', 'Will do.'),
    ]
    expect(judgeDialogue(said)).toMatchObject([{ exchange: 0 }, { exchange: 1 }])
    expect(judgeDialogue(said, 1)).toMatchObject([{ exchange: 1, learning: { text: said[1]!.prompt } }])
  })

  it('may be empty', () => expect(judgeWindow([])).toEqual([]))

  it.each([
    ['one letter', 'a'.repeat(1_000_000)],
    ['spaces', `no,${' '.repeat(1_000_000)}never`],
    ['brackets', '[('.repeat(500_000)],
    ['fences', '```\n'.repeat(250_001)],
    ['words', 'no, never because we must only '.repeat(35_000)],
  ])('survives a megabyte of %s on both sides', (_, text) => {
    const found = judgeWindow(talk(text, `${text} Should I?`, text, `I will ${text}`, text))
    for (const { learning } of found) expect(learning.text.length).toBeLessThanOrEqual(maxMemoryLength)
  })
})

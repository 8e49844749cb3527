// A session judged by a model: when it is asked, what it is asked, and what its verdict changes. The model is scripted,
// behind a real socket.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { remember } from '../src/learn/change.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { callsSince } from '../src/store/memories/model-calls.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { readWorkLog } from '../src/store/work-log.ts'
import {
  asksForMemories,
  type LearnHome,
  learnHome,
  sampleSession,
  sentTexts,
  type Turn,
  turnRecords,
} from './learn-home.ts'
import { type Model, modelOf, says, status } from './models/scripted.ts'
import { lines } from './program.ts'

let home: LearnHome
let model: Model
beforeEach(async () => {
  model = await modelOf('openai')
  home = learnHome(`[models]\norder = ["openai", "heuristic"]\n${model.config}`)
  answer({})
})
afterEach(async () => {
  await model.close()
  home.remove()
})

const uid = `claude-code:${sampleSession}`
const other = 'bbbbbbbb-1111-4111-8111-111111111111'
const rule = 'No, never use npm here. Always use pnpm for installs.'
const secondRule = 'From now on, always run the linter before every commit.'
const pnpm = { kind: 'preference', text: 'Packages are installed with pnpm.', quote: 'Always use pnpm for installs.' }

function answer(...answers: object[]): void {
  model.script(...answers.map((one) => says(JSON.stringify({ memories: [], ...one }))))
}

async function sweepAt(at: string) {
  home.now = at
  return home.run(asksForMemories(home))
}

const noon = '2026-09-01T12:00:00Z'
const sent = () => sentTexts(model)
const promptsIn = (text: string) => [...text.matchAll(/PERSON: (.*)/g)].map((match) => match[1]!)
const asked = () => sent().map(promptsIn)
const log = (what: string) => home.look((ledger) => readWorkLog(ledger)).filter((row) => row.what === what)

const question = (index: number): Turn => [`Question number ${index}?`, `Reply number ${index}.`]
const twoTurns: Turn[] = [
  [rule, 'Understood.'],
  ['What is next?', 'Nothing.'],
]

describe('the question about a session at rest', () => {
  it('has every prompt whole, each reply once, candidates and known memories', async () => {
    home.now = '2026-08-20T09:00:00Z'
    const ledger = home.app().ledger()
    const context = { ledger, clock: home.app().clock, origin: 'box' }
    const [known] = remember(context, {
      text: 'Releases are cut from the branch stable',
      project: '/home/dev/app',
    }).kept
    ledger.close()
    const prompt = (index: number) =>
      `Begin${index} ${'some words of the person '.repeat(60)}${index === 4 ? rule : ''} end${index}.`
    const reply = (index: number, part: string) =>
      `Open${index}${part} ${'and so on '.repeat(350)}close${index}${part}.`
    home.write(Array.from({ length: 12 }, (_, index) => [prompt(index), reply(index, 'a'), reply(index, 'b')]))
    await sweepAt(noon)

    expect(sent()).toHaveLength(1)
    const [text] = sent()
    for (let index = 0; index < 12; index++) {
      expect(text).toContain(prompt(index))
      const words = [`Open${index}a`, `close${index}b`]
      expect(words.map((word) => text!.split(word).length - 1)).toEqual([1, 1])
    }
    expect(text).toMatch(new RegExp(`<known>\n${known!.id} \\w+, settled, 2026-08-20: Releases are cut`))
    expect(text).toMatch(/<candidates>\nc1 \[5\]: .*pnpm/)
    await sweepAt('2026-09-01T13:00:00Z')
    expect(sent()).toHaveLength(1)
  })

  describe('that is very long', () => {
    const prompt = (index: number) => `Topic${index}. ${`word${index} `.repeat(250)}`.trim()
    const prompts = Array.from({ length: 50 }, (_, index) => prompt(index))
    beforeEach(() => home.write(prompts.map((one, index) => [one, `Reply ${index}.`])))

    it('is split, and every prompt is in one of the parts', async () => {
      answer({ title: 'The first part' }, { title: 'The rest', leftOff: 'Open: the tests' })
      await sweepAt(noon)
      expect(sent().length).toBeGreaterThan(1)
      expect(asked().flat()).toEqual(prompts)
      expect(sent().map((text) => /<earlier>\n(.*)/.exec(text)?.[1])).toEqual([
        undefined,
        'The first part',
        ...Array(sent().length - 2).fill('The rest'),
      ])
      expect(home.unjudged()).toEqual([])
    })

    it('repeats no part after another one failed', async () => {
      const first = { memories: [{ kind: 'fact', text: 'Topic zero comes first.', quote: 'Topic0. word0 word0' }] }
      model.script(says(JSON.stringify(first)), status(500))
      await sweepAt(noon)
      expect(home.kept()).toMatchObject([{ text: 'Topic zero comes first.' }])
      const before = new Set(sent())
      answer({})
      for (const hour of [19, 20, 21]) await sweepAt(`2026-09-01T${hour}:00:00Z`)
      expect(home.look(listDeadLetters)).toEqual([])
      expect(asked()[0]!.concat([...new Set(sent().slice(1))].flatMap(promptsIn))).toEqual(prompts)
      expect(
        sent()
          .slice(before.size)
          .some((text) => text.includes('Topic0.')),
      ).toBe(false)
    })
  })
})

describe('the verdict', () => {
  it('replaces the candidates of its messages, and no others', async () => {
    home.write([
      [rule, 'Understood.'],
      [secondRule, 'Yes.'],
    ])
    // Over since six minutes, but not at rest.
    home.append([['We decided to use tabs, because the formatter wants them.', 'Yes.']], 114, other)
    answer({ memories: [{ ...pnpm, message: 1, candidate: 'c1' }] })
    expect(await sweepAt(noon)).toMatchObject({ proposed: 3, learned: 1 })
    expect(home.kept()).toMatchObject([
      {
        text: pnpm.text,
        because: 'model',
        trust: 'user said',
        evidence: [{ session: uid, event: 'u0-0', quote: pnpm.quote }],
      },
    ])
    expect(home.candidates().map(({ evidence }) => evidence[0]!.session)).toEqual([`claude-code:${other}`])
    expect(log('judged')).toMatchObject([{ session: uid, detail: '2 messages judged by openai local-model: 1 kept' }])
  })

  it('counts a known memory that is said again, links one that is superseded, and records what it drops', async () => {
    home.write(twoTurns)
    answer({ memories: [pnpm, { ...pnpm, text: 'The release branch is stable.', quote: 'What is next?' }] })
    await sweepAt('2026-09-01T11:00:00Z')
    const [installs, branch] = home.kept()
    home.append(
      [
        ['We install all of it with pnpm, as always.', 'Yes.'],
        ['Releases come from trunk now, not from stable.', 'Yes.'],
      ],
      10,
    )
    const next = [
      { ...pnpm, text: 'pnpm installs everything.', quote: 'We install all of it with pnpm', same: installs!.id },
      {
        kind: 'decision',
        text: 'Releases come from trunk.',
        quote: 'Releases come from trunk',
        supersedes: branch!.id,
      },
      { ...pnpm, text: 'Bananas are blue.', quote: 'bananas are blue and round' },
    ]
    answer({ memories: next })
    await sweepAt(noon)
    const trunk = home.kept().find(({ text }) => text.includes('trunk'))
    expect(home.kept()).toHaveLength(3)
    expect(home.kept()).toContainEqual(
      expect.objectContaining({ id: installs!.id, counts: { said: 2, shown: 0, used: 0 } }),
    )
    expect(home.kept()).toContainEqual(expect.objectContaining({ id: branch!.id, supersededBy: trunk!.id }))
    expect(home.look((ledger) => callsSince(ledger, 0)).at(-1)).toMatchObject({
      ...{ memoriesSaved: 2, dropped: 1, result: 'ok' },
      drops: [{ reason: 'no such quote', text: 'Bananas are blue.' }],
    })
    expect(log('judged')[0]!.detail).toContain('2 kept, 1 dropped (no such quote)')
  })

  it('is neither lost nor doubled by a failure between answer and commit', async () => {
    home.write(twoTurns)
    answer({ memories: [pnpm], title: 'Package manager' })
    await sweepAt('2026-09-01T10:20:00Z')
    home.look((ledger) =>
      ledger.raw.exec("CREATE TRIGGER full BEFORE INSERT ON summaries BEGIN SELECT RAISE(ABORT, 'a test'); END"),
    )
    expect(await sweepAt(noon)).toMatchObject({ failedStages: [{ stage: 'learn', reason: `${uid}: a test` }] })
    expect([home.kept(), home.candidates().length, home.unjudged()]).toEqual([[], 1, [[0, 4]]])
    home.look((ledger) => ledger.raw.exec('DROP TRIGGER full'))
    await sweepAt('2026-09-01T12:10:00Z')
    await sweepAt('2026-09-01T12:20:00Z')
    expect(home.kept()).toMatchObject([{ text: pnpm.text, counts: { said: 1 } }])
    expect([home.candidates(), home.unjudged(), sent().length]).toEqual([[], [], 2])
  })
})

describe('a session', () => {
  it('is judged after a pause of 30 minutes, not before', async () => {
    home.write(twoTurns)
    await sweepAt('2026-09-01T10:30:00Z')
    expect(sent()).toEqual([])
    expect(home.candidates()).toHaveLength(1)
    await sweepAt('2026-09-01T10:31:30Z')
    expect(asked()).toEqual([[rule, 'What is next?']])
  })

  it.each(['compact', 'end'] as const)(
    'is judged at once with the hook of its %s, then only what is new',
    async (moment) => {
      home.write(twoTurns)
      await sweepAt('2026-09-01T10:01:10Z')
      home.hook('turn', '2026-09-01T10:01:05Z')
      await sweepAt('2026-09-01T10:01:20Z')
      expect(sent(), 'the end of a turn is none').toEqual([])
      home.hook(moment, '2026-09-01T10:01:30Z')
      answer({ title: 'Package manager', leftOff: 'Nothing is open', journal: { decisions: [{ what: 'Use pnpm' }] } })
      await sweepAt('2026-09-01T10:01:40Z')
      expect(asked()).toEqual([[rule, 'What is next?']])

      home.append([question(10)], 10)
      await sweepAt('2026-09-01T10:20:00Z')
      expect(sent(), 'the hook was of an earlier time').toHaveLength(1)
      await sweepAt('2026-09-01T10:41:00Z')
      expect(asked().slice(1)).toEqual([['Question number 10?']])
      expect(sent()[1]).toContain(
        '<earlier>\nPackage manager\n- decided: Use pnpm\nLeft off: Nothing is open\n</earlier>',
      )
    },
  )

  it('without anything to learn from costs no call, and the work log says so', async () => {
    const ids = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`)
    home.write([['ping', 'pong']], ids[0])
    home.write([['Look at the parser.']], ids[1])
    home.write([['What is a monad?', 'A monoid.']], ids[2])
    const driven = lines(turnRecords(twoTurns, 0, ids[3])).replaceAll('"cwd"', '"entrypoint":"sdk-py","cwd"')
    writeFileSync(home.transcript(ids[3]), driven)
    const task = join(dirname(home.transcript()), ids[2]!, 'subagents', 'agent-abc1234.jsonl')
    mkdirSync(dirname(task), { recursive: true })
    const isSide = '"isSidechain":true,"agentId":"abc1234"'
    writeFileSync(task, lines(turnRecords(twoTurns, 0, ids[2])).replaceAll('"isSidechain":false', isSide))
    await sweepAt(noon)
    expect(sent()).toEqual([])
    expect(home.unjudged()).toEqual([])
    const skipped = log('skipped').filter(({ detail }) => detail.startsWith('not judged'))
    expect(skipped.map(({ session, detail }) => [session.slice(12, 13), detail]).sort()).toEqual([
      ['1', 'not judged: it is a health check'],
      ['2', 'not judged: it is empty'],
      ['3', 'not judged: one short prompt, nothing found'],
      ['4', 'not judged: a program wrote its prompts'],
    ])
  })
})

describe('title, where it was left off and journal entry of the answer', () => {
  const journal = {
    context: 'The package manager was chosen.',
    decisions: [{ what: 'Use pnpm', why: 'one lock file' }],
  }
  const entry = () => readFileSync(join(home.path, '.recollect/vault/journal/2026-09-01.md'), 'utf8')
  const briefs = () => {
    const folder = join(home.path, '.recollect/briefs')
    return readdirSync(folder, { encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join()
  }
  const title = () => home.look((ledger) => listSessions(ledger)[0]!.title)

  it('are shown without another call, and stay when the session goes on', async () => {
    home.write(twoTurns)
    answer({ title: 'Package manager chosen', leftOff: 'The lock file is not written yet', journal })
    await sweepAt(noon)
    expect(title()).toBe('Package manager chosen')
    expect(entry()).toContain('written by openai local-model')
    expect(entry()).toContain('Use pnpm. Why: one lock file')
    expect(briefs()).toContain('left off: The lock file is not written yet')

    home.append([question(130)], 130)
    await sweepAt('2026-09-01T12:15:00Z')
    expect(title()).toBe('Package manager chosen')
    expect(entry()).toContain('Use pnpm. Why: one lock file')

    answer({ title: 'Package manager and tests', journal: { ...journal, lessons: ['Tests need the lock file.'] } })
    await sweepAt('2026-09-01T13:00:00Z')
    expect(title()).toBe('Package manager and tests')
    expect(entry()).toContain('Tests need the lock file.')
    expect(sent()).toHaveLength(2)
  })

  it('of a late answer about an earlier part do not replace those of a later one', async () => {
    home.write(twoTurns)
    model.script(status(500))
    await sweepAt('2026-09-01T11:00:00Z')
    home.append([question(70), question(71)], 70)
    answer({ title: 'The later part', journal }, { title: 'The earlier part', memories: [pnpm] })
    await sweepAt(noon)
    await sweepAt('2026-09-01T18:00:00Z')
    expect(asked().slice(-2)).toEqual([
      ['Question number 70?', 'Question number 71?'],
      [rule, 'What is next?'],
    ])
    expect(home.kept()).toMatchObject([{ text: pnpm.text }])
    expect(title()).toBe('The later part')
    home.append([question(80)], 80)
    answer({ title: '' })
    await sweepAt('2026-09-01T19:00:00Z')
    expect(title(), 'a title stays until there is another').toBe('The later part')
  })

  it('are left to the digest where the answer has none', async () => {
    home.write(twoTurns)
    answer({ title: '', leftOff: '', journal: null })
    await sweepAt(noon)
    expect(title()).toContain('never use npm here')
    expect(entry()).not.toContain('written by')
    expect(entry()).toContain('What is next?')
  })
})

describe('learn.when = "turn"', () => {
  it('asks about each turn once and every fifth time about five, without repeating a text', async () => {
    home.config += '[learn]\nwhen = "turn"\n'
    for (let turn = 0; turn < 7; turn++) {
      home.append([question(turn)], turn)
      // When the turn is over; for one of them also while it is open, and without anything new.
      const seconds = turn === 2 ? [10, 400, 410, 420] : [400]
      for (const second of seconds) await sweepAt(new Date(Date.UTC(2026, 8, 1, 10, turn, second)).toISOString())
    }
    home.append([question(20), question(21), question(22)], 20)
    await sweepAt(noon)
    const numbers = sent().map((text) =>
      [...text.matchAll(/PERSON: Question number (\d+)/g)].map(([, one]) => Number(one)),
    )
    expect(numbers).toEqual([[0], [1], [2], [3], [0, 1, 2, 3, 4], [5], [6], [3, 4, 5, 6, 20, 21, 22].slice(-5)])
    expect(new Set(sent()).size).toBe(sent().length)
    for (const text of sent()) {
      const texts = [...text.matchAll(/(?:Question|Reply) number \d+/g)].map(([one]) => one)
      expect(new Set(texts).size).toBe(texts.length)
    }
  })
})

// `recollect replay` on made-up histories: repeats that were planted in them are found, and histories
// without repeats have none.
import { afterEach, describe, expect, it } from 'vitest'
import { isoTime } from '../src/core/clock.ts'
import { zoneOf } from '../src/core/units.ts'
import { type ReplayReport, replay } from '../src/replay/replay.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { lines, type Place, place, recollect } from './program.ts'
import { sampleMemory } from './sample-memory.ts'
import { type SessionScript, type Step, sessionIdOf, transcriptOf } from './transcripts.ts'

let home: TestHome | undefined
let at: Place | undefined
afterEach(() => {
  home?.remove()
  at?.remove()
  home = at = undefined
})

/** What one session knows and a later one needs, told with other words around it. */
interface Fact {
  kind: 'said' | 'command' | 'file' | 'error'
  known: Step[]
  needed: Step[]
}

const subjects =
  'invoice ledger voucher parcel courier tariff balcony garden beacon lantern harbour anchor meadow orchard saddle bridle pigment canvas trumpet fiddle glacier canyon falcon heron walnut almond copper nickel velvet cotton'.split(
    ' ',
  )
const tools = 'pytest ruff mypy tox nox black flake8 pylint bandit isort'.split(' ')
const wrappers = ['uv run', 'poetry run', 'mise exec --', 'pipenv run']
const rules = 'no-console no-empty no-shadow eqeqeq prefer-const no-alert no-eval curly no-void yoda'.split(' ')

const pick = <T>(from: readonly T[], number: number): T => from[number % from.length]!
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)

/** The facts of a number differ in all of their names from those of another. */
function factOf(number: number): Fact {
  const [one, other, third] = [number * 3, number * 3 + 1, number * 3 + 2].map((place) => pick(subjects, place))
  const turn = Math.floor((number * 3) / subjects.length)
  switch (number % 4) {
    case 0: {
      const rule = `always check the ${one}${turn || ''} against the ${other} before you touch the ${third}.`
      return {
        kind: 'said',
        known: [
          { do: 'say', text: capital(rule) },
          { do: 'reply', text: 'I will.' },
        ],
        needed: [
          { do: 'say', text: `No, ${rule}` },
          { do: 'reply', text: 'Right, I did not.' },
        ],
      }
    }
    case 1: {
      const tool = pick(tools, Math.floor(number / 4))
      const call = `${pick(wrappers, number)} ${tool} --strict src`
      return {
        kind: 'command',
        known: [{ do: 'run', command: call, output: 'all good' }],
        needed: [
          { do: 'run', command: `${tool} --strict src`, output: `zsh:1: command not found: ${tool}`, exit: 127 },
          { do: 'run', command: call, output: 'all good' },
        ],
      }
    }
    case 2: {
      const symbol = `load${capital(one!)}${capital(other!)}${turn || ''}`
      const path = `/home/dev/app/src/${third}/${other}.ts`
      return {
        kind: 'file',
        known: [{ do: 'edit', path, from: 'a', to: `export function ${symbol}() {\n  return 1\n}` }],
        needed: [
          { do: 'call', tool: 'Grep', input: { pattern: symbol }, output: `Found 1 file\nsrc/${third}/${other}.ts` },
          { do: 'edit', path, from: 'return 1', to: 'return 2' },
        ],
      }
    }
    default: {
      const rule = pick(rules, Math.floor(number / 4))
      const output = `/home/dev/app/src/${one}.ts\n  12:3  error  Unexpected ${other} statement here  ${rule}\n\n✖ 1 problem`
      const met: Step[] = [
        { do: 'run', command: 'npm run lint', output, exit: 1 },
        { do: 'edit', path: `/home/dev/app/src/${one}.ts`, from: `${other}()`, to: '' },
      ]
      return { kind: 'error', known: met, needed: met }
    }
  }
}

const dayMs = 86_400_000
const firstMs = Date.UTC(2026, 6, 1, 9)

function session(number: number, task: string, steps: Step[]): SessionScript {
  const opening: Step[] = [{ do: 'say', text: `Work on the ${task} of release ${number}.` }]
  const closing: Step[] = [{ do: 'reply', text: `The ${task} is done.` }]
  const startedMs = firstMs + number * dayMs
  return { agent: 'claude-code', number, project: 'app', startedMs, steps: [...opening, ...steps, ...closing] }
}

const facts = Array.from({ length: 40 }, (_, number) => factOf(number))

/** Four facts in each session; the sessions of the second half need what those of the first know. */
function history(secondHalf: 'needs' | 'is other work'): SessionScript[] {
  const groups = Array.from({ length: 10 }, (_, group) => facts.slice(group * 4, group * 4 + 4))
  const early = groups.map((own, group) =>
    session(
      group,
      'import',
      own.flatMap(({ known }) => known),
    ),
  )
  if (secondHalf === 'needs')
    return [
      ...early,
      ...groups.map((own, group) =>
        session(
          10 + group,
          'export',
          own.flatMap(({ needed }) => needed),
        ),
      ),
    ]
  // The first five know nothing of what the others need.
  return groups.map((own, group) =>
    session(
      group,
      'import',
      own.flatMap(({ known, needed }) => (group < 5 ? known : needed)),
    ),
  )
}

async function swept(stories: readonly SessionScript[]): Promise<TestHome> {
  home = testHome()
  for (const story of stories) {
    const { path, lines: records } = transcriptOf(story)
    home.write(path, lines(records))
  }
  await home.sweep()
  return home
}

const replayed = (from: TestHome, filter: { sinceMs?: number; project?: string } = {}): ReplayReport =>
  from.look((ledger) => replay({ ledger, zone: zoneOf('UTC'), maxQuotes: 5 }, { maxExamples: 100, ...filter }))

describe('replay', () => {
  it('finds repeats that were planted, each in its session', async () => {
    const report = replayed(await swept(history('needs')))
    expect(report.sessions).toBe(20)
    for (const kind of ['said', 'command', 'file', 'error'] as const)
      expect(report.byKind[kind].needed, kind).toBeGreaterThanOrEqual(0.9 * 10)
    expect(report.needed).toBeLessThanOrEqual(40)
  })

  it('claims nothing where sessions do not repeat each other', async () => {
    const report = replayed(await swept(history('is other work')))
    expect(report.examples).toEqual([])
    expect(report).toMatchObject({ sessions: 10, needed: 0, delivered: { brief: 0, prompt: 0, asked: 0 } })
  })

  const run = (command: string, output = 'ok', exit = 0): Step => ({ do: 'run', command, output, exit })
  const grep = (pattern: string, output: string): Step => ({ do: 'call', tool: 'Grep', input: { pattern }, output })
  const edit = (path: string, to: string): Step => ({ do: 'edit', path: `/home/dev/app/${path}`, to })

  it.each<[why: string, known: Step[], needed: Step[]]>([
    [
      'the person said the opposite',
      [{ do: 'say', text: 'Always squash the commits before you open the pull request.' }],
      [{ do: 'say', text: 'Never squash the commits before you open the pull request.' }],
    ],
    [
      'a test failed, and the form of the call was right',
      [run('npm test -- --watch=false src')],
      [run('npm test src', 'Tests  1 failed | 3 passed (4)', 1), run('npm test -- --watch=false src')],
    ],
    [
      'the failed call passed after the code was mended',
      [run('uv run ruff --strict')],
      [run('ruff --strict', 'invalid option', 2), run('ruff --strict'), run('uv run ruff --strict')],
    ],
    [
      'the person named the file',
      [edit('src/beacon.ts', 'export function loadBeacon() {}')],
      [
        { do: 'say', text: 'Change loadBeacon in src/beacon.ts.' },
        grep('loadBeacon', 'src/beacon.ts'),
        edit('src/beacon.ts', 'c'),
      ],
    ],
    [
      'another file was found by the name',
      [edit('src/beacon.ts', 'export function loadBeacon() {}'), edit('src/lantern.ts', 'export function light() {}')],
      [grep('loadBeacon', 'src/lantern.ts'), edit('src/lantern.ts', 'c')],
    ],
    [
      'a compiler found an error in the code',
      [run('tsc', 'src/a.py:3: error: Cannot find name  [name-defined]', 1)],
      [run('tsc', 'src/b.py:9: error: Cannot find name  [name-defined]', 1)],
    ],
  ])('claims nothing where %s', async (_, known, needed) => {
    const from = await swept([session(1, 'import', known), session(2, 'export', needed)])
    expect(replayed(from).examples).toEqual([])
  })

  it('takes for known what a session had that ended before, not one beside it', async () => {
    const [first] = facts
    const during: Step = { do: 'wait', minutes: 3 * 24 * 60 }
    const from = await swept([
      session(1, 'import', [...first!.known, during]),
      session(2, 'export', first!.needed),
      session(6, 'report', first!.needed),
    ])
    expect(replayed(from).examples).toMatchObject([{ kind: 'said', session: sessionIdOf(session(6, '', [])) }])
  })

  it('says what was told at the start and what asking would have found', async () => {
    const [, command, file, error] = facts
    const from = await swept([
      session(
        1,
        'import',
        [command!, file!, error!].flatMap(({ known }) => known),
      ),
      session(
        2,
        'import',
        [command!, file!, error!].flatMap(({ known }) => known),
      ),
      session(
        3,
        'export',
        [command!, file!, error!].flatMap(({ needed }) => needed),
      ),
    ])
    const { examples, ...report } = replayed(from)
    const told = new Map(examples.map((one) => [`${one.kind} in ${one.session.slice(19, 20)}`, one]))
    expect(told.get('command in 3')).toMatchObject({
      told: 'brief',
      asked: true,
      needed: 'poetry run pytest --strict src',
    })
    expect(told.get('file in 3')).toMatchObject({
      told: 'brief',
      needed: expect.stringContaining('.ts (searched for load'),
    })
    expect(told.get('error in 3')).toMatchObject({ told: 'brief' })
    expect(report.delivered.brief).toBeGreaterThanOrEqual(3)
    expect(report.tokens.brief).toBeGreaterThan(0)
  })

  it('says what a memory would have told with a prompt, if the prompt came before the need', async () => {
    const { known, needed } = facts[3]!
    const asked: Step = { do: 'say', text: 'Which beacon statements does the linter reject in the balcony?' }
    const from = await swept([
      session(1, 'import', known),
      session(2, 'export', [asked, ...needed]),
      session(3, 'report', [...needed, asked]),
    ])
    const rule = 'The linter rejects beacon statements in the balcony: no-console'
    // Of what agents said, the brief tells four.
    const memories = [rule, ...subjects.slice(10, 15).map((word) => `The ${word} stays as it is`)].map((text, index) =>
      sampleMemory({
        id: `m-${index}`,
        text,
        trust: 'agent said',
        importance: index === 0 ? 0.1 : 0.9,
        at: isoTime(firstMs),
      }),
    )
    const change = { at: isoTime(firstMs), kind: 'learned' as const, about: 'a test' }
    from.look((ledger) => ledger.transaction(() => changeMemories(ledger, change, memories)))
    const told = replayed(from).examples.map((one) => [one.session, one.kind, one.told])
    expect(told).toContainEqual([sessionIdOf(session(2, '', [])), 'error', 'prompt'])
    expect(told).not.toContainEqual([sessionIdOf(session(3, '', [])), 'error', 'prompt'])
  })

  it('counts only sessions since a time, with all earlier ones as what was known', async () => {
    const from = await swept(history('needs'))
    const late = replayed(from, { sinceMs: firstMs + 15 * dayMs })
    expect(late.sessions).toBe(5)
    expect(late.needed).toBeGreaterThanOrEqual(18)
    expect(late.weeks.map(({ week }) => week)).toEqual(['2026-07-13', '2026-07-20'])
  })
})

describe('recollect replay', () => {
  it('prints a sentence, tables and examples within 80 columns, and JSON', () => {
    const files = [session(1, 'import', facts[0]!.known), session(2, 'export', facts[0]!.needed)].map(transcriptOf)
    at = place(Object.fromEntries(files.map(({ path, lines: records }) => [path, records])))
    recollect(at, 'sweep')
    const { out } = recollect(at, 'replay')
    expect(out.replaceAll('\n', ' ')).toMatch(
      /^Of 1 thing known from before, sessions were told \d at the start, \d with a prompt; \d would have been found by asking\./,
    )
    expect(out).toContain('known from 2026-07-02')
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(recollect(at, 'replay', '--project', 'app', '--since', '2026-07-03', '--json').json()).toMatchObject({
      ...{ sessions: 1, needed: 1, byKind: { said: { needed: 1 }, file: { needed: 0 } } },
      examples: [{ kind: 'said', known: { session: sessionIdOf(session(1, '', [])) } }],
    })
    expect(recollect(at, 'replay', '--since', '2026-08-01').out).toBe('There are no sessions to replay.\n')
  })
})

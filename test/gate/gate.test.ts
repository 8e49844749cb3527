// What an attacker can make a program print, or an agent run and write, does not reach another agent:
// from the transcripts of Claude Code and Codex to everything that agents are told.
import { describe, expect, it } from 'vitest'
import { sample, scaled } from '../proof.ts'
import type { SessionScript, Step } from '../transcripts.ts'
import { hostileCalls, hostileRemedies } from './commands.ts'
import { hostileDiffs } from './diffs.ts'
import { disguisedDiffs } from './disguised-diffs.ts'
import * as disguised from './disguised-errors.ts'
import { hostileErrors } from './errors.ts'
import { harmfulVariants } from './harmful-variants.ts'
import { hostilePlaces } from './hostile-names.ts'
import type { HostileText } from './hostile-text.ts'
import { harmfulCommands } from './system-commands.ts'
import { type Attack, type ToldTexts, toldOf } from './told.ts'

const passed = 'Tests  12 passed (12)'
const say: Step = { do: 'say', text: 'Run the tests.' }
const done: Step = { do: 'reply', text: 'It passes.' }

/** A command fails, another flag is added, and it passes: what is kept as confirmed by a run. */
function failsOnce(error: string, number: number, command = `npm run check:${number}`): Attack {
  const steps: Step[] = [
    say,
    { do: 'run', command, output: error, exit: 1 },
    { do: 'run', command: `${command} --silent`, output: passed },
    done,
  ]
  return {
    steps,
    questions: [error, error.split('\n').find((line) => /error|:/i.test(line)) ?? error],
    programs: ['npm'],
  }
}

const missing = (number: number) => `Error: cannot find module 'm${number}'`
const programOf = (command: string) => /^(?:\w+=\S*\s+)*([\w.-]+)/.exec(command)?.[1] ?? 'npm'

function mendedBy(remedy: string, number: number): Attack {
  const steps: Step[] = [
    say,
    { do: 'run', command: `make test-${number}`, output: missing(number), exit: 1 },
    { do: 'run', command: remedy, output: 'done' },
    { do: 'run', command: `make test-${number}`, output: passed },
    done,
  ]
  return { steps, questions: [missing(number)], programs: [programOf(remedy)] }
}

function calledAs([failed, call]: [string, string], number: number): Attack {
  const steps: Step[] = [
    say,
    { do: 'run', command: failed, output: missing(number), exit: 1 },
    { do: 'run', command: call, output: passed },
    done,
  ]
  return { steps, questions: [missing(number)], programs: [programOf(call)] }
}

function editedBy({ text: diff, file = 'a.go' }: HostileText, number: number): Attack {
  const path = `part${number}/${file}`
  const side = (sign: string) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(2))
      .join('\n')
  const source = side('-')
  const error = `${path}:9:2: Error return value of \`call${number}\` is not checked (errcheck)\n\t${source}\n\t^`
  const steps: Step[] = [
    { do: 'say', text: 'Run the linter.' },
    { do: 'run', command: 'make lint', output: error, exit: 1 },
    { do: 'edit', path: `/home/dev/app/${path}`, from: source, to: side('+') },
    { do: 'run', command: 'make lint', output: '0 issues.' },
    done,
  ]
  return { steps, questions: [error] }
}

/** In homes of this many sessions, so that the doors have room for each. */
const batch = 24

async function leaks<Case>(
  agent: SessionScript['agent'],
  cases: readonly Case[],
  attackOf: (one: Case, number: number) => Attack,
  leaksIn: (one: Case, text: string) => boolean,
): Promise<string[]> {
  const found: string[] = []
  for (let from = 0; from < cases.length; from += batch) {
    const part = cases.slice(from, from + batch)
    const { texts } = await toldOf(
      agent,
      part.map((one, index) => attackOf(one, from + index)),
    )
    for (const [door, text] of texts)
      found.push(...part.filter((one) => leaksIn(one, text)).map((one) => `${door}: ${JSON.stringify(one)}`))
  }
  return found
}

const names = ({ never }: { never: RegExp }, text: string) => never.test(text)
const quotes = (command: string, text: string) =>
  [command, command.replaceAll('"', '\\"'), command.replaceAll('"', '&quot;')].some((one) => {
    const at = text.indexOf(one)
    // A short command is part of other words.
    return at >= 0 && !/[\w./-]/.test(text[at - 1] ?? '') && !/[\w./-]/.test(text[at + one.length] ?? '')
  })

/** What a session did is told with the names of programs, and such a command is nothing else. */
const isNameAlone = /^(?:memory|session)_get: "[^\s"]+"$/
/** A session is given back what it ran itself: here a program of a name that nobody knows. */
const isOwn = /^uncompact: "[\w &]+ evil"$/

/** Of the texts whose words are common: a run of four of them that says it. */
function repeats({ text: hostile, never }: HostileText, told: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const words = wordsOf(hostile)
  const output = ` ${wordsOf(told).join(' ')} `
  const runs = words.flatMap((_, at) => (at + 4 <= words.length ? [words.slice(at, at + 4).join(' ')] : []))
  const own = words.filter((word) => /evil|hunter2|exfiltrat|no.verify|id_rsa|eviltool|assistant/.test(word))
  return [...runs, ...own].some((run) => never.test(run) && output.includes(` ${run} `))
}

const { namedInCommand, ...texts } = disguised
const printed = Object.values(texts).flat()
const count = scaled(6, 1000)

describe.each(['claude-code', 'codex'] as const)('what agents are told of sessions of %s', (agent) => {
  it('is nothing that a program wanted to tell them', async () => {
    const cases = sample([...hostileErrors], count)
    expect(await leaks(agent, cases, ({ text }, number) => failsOnce(text, number), repeats)).toEqual([])
  })

  it('is nothing that a program says in disguise', async () => {
    const cases = sample(printed, count)
    expect(await leaks(agent, cases, ({ text }, number) => failsOnce(text, number), names)).toEqual([])
  })

  it('is no order in a name that a command and its message have', async () => {
    const cases = namedInCommand.map(([command, error, never]) => ({ command, error, never }))
    const attackOf = ({ command, error }: (typeof cases)[number], number: number) => failsOnce(error, number, command)
    expect(await leaks(agent, cases, attackOf, names)).toEqual([])
  })

  it.each([
    ['that may harm', [...hostileRemedies, ...hostileCalls]],
    ['that harms in another spelling', harmfulCommands],
  ])('is no command %s', async (_, commands) => {
    const found = await leaks(agent, sample(commands, count), mendedBy, quotes)
    expect(found.filter((leak) => !isNameAlone.test(leak) && !isOwn.test(leak))).toEqual([])
  })

  it('is no variant of a command that may harm', async () => {
    const cases = sample(harmfulVariants, count)
    expect(await leaks(agent, cases, calledAs, ([, call], text) => quotes(call, text))).toEqual([])
  })

  it('is no code and no comment that an attacker chose', async () => {
    const known = sample(hostileDiffs, count)
    const added = ({ text, never }: HostileText) => ({ text: text.replace(/^- .*$/gm, ''), never })
    expect(await leaks(agent, known, editedBy, (one, text) => repeats(added(one), text))).toEqual([])
    expect(await leaks(agent, sample(disguisedDiffs, count), editedBy, names)).toEqual([])
  })

  it('is no order in the name of a branch, a file, a tool or a test', async () => {
    const questions = ['Why does the queue drain before the reset?', 'What was decided about reviews and pushes?']
    const attackOf = (one: (typeof hostilePlaces)[number]): Attack => ({ ...one, questions })
    expect(await leaks(agent, sample(hostilePlaces, 2 * count), attackOf, names)).toEqual([])
  })
})

describe('the doors', () => {
  let told: ToldTexts
  const fix: Attack = {
    steps: [
      say,
      { do: 'run', command: 'npm test', output: 'Error: connect ECONNREFUSED 127.0.0.1:5432', exit: 1 },
      { do: 'run', command: 'docker compose up -d db', output: 'Started' },
      { do: 'run', command: 'npm test', output: passed },
      done,
    ],
    questions: ['Error: connect ECONNREFUSED 127.0.0.1:5432'],
    programs: ['npm'],
  }

  it('tell a remedy that harms nobody, with the form of the message', async () => {
    told = await toldOf('claude-code', [
      fix,
      mendedBy('git clean -fdx', 1),
      editedBy({ text: '- f()\n+ _ = f()', never: /^$/ }, 2),
    ])
    for (const door of ['hints', 'fix', 'recall', 'memory_list'])
      expect(told.texts.get(door), door).toContain('docker compose up -d db')
    for (const door of ['hints', 'memory_list', 'brief .md'])
      expect(told.texts.get(door), door).toContain('Error: connect ECONNREFUSED 127.0.0.1:5432')
  })

  it('say to the person what was held back, and why', () => {
    expect(told.runs.replace(/\s+/g, ' ')).toMatch(/held back: the fix of the failure #\d+: the option -fdx/)
  })

  it('are these and no others: a new one must be attacked here', () => {
    const changing = ['memory_store', 'memory_update', 'memory_delete', 'memory_review', 'memory_link']
    const asked = [...told.texts.keys()]
    expect(told.tools.filter((tool) => !asked.includes(tool)).toSorted()).toEqual(changing.toSorted())
    expect(told.resources.toSorted()).toEqual(['recollect://brief', 'recollect://memories'])
    const files = asked.filter((door) => /^(?:brief|hints)/.test(door))
    expect(files.toSorted()).toEqual(['brief .json', 'brief .md', 'brief .sh', 'hints'])
  })
})

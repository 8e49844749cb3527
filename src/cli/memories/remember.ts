import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { projectOf } from '../../core/project.ts'
import type { AdmissionReport } from '../../learn/admission/admit.ts'
import { secretReason } from '../../learn/admission/team-access.ts'
import { contradictedBy, forget, type MemoryInput, remember } from '../../learn/change.ts'
import { spaceText } from '../../memory/attribution.ts'
import { type Memory, memoryKinds, memoryTypes } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { readState } from '../../sync/state.ts'
import { type CommandContext, examples, oneOf, projectOption, refreshMemoryFiles, withLedger } from '../command.ts'
import { memoryJson, memoryLine } from './memories.ts'

interface Options {
  json?: boolean
  project?: string
  global?: boolean
  kind?: string
  type?: string
  why?: string
  apply?: string
  tag?: string[]
  supersedes?: string
  team?: string
}

export function addRemember({ program, terminal }: CommandContext): void {
  program
    .command('remember <text...>')
    .description('keep a memory by hand: for the project around this folder, or everywhere')
    .option('--project <project>', 'for this project')
    .option('--global', 'for every project')
    .option('--kind <kind>', memoryKinds.join(', '))
    .option('--type <type>', memoryTypes.join(', '))
    .option('--why <why>', 'the reason')
    .option('--apply <how>', 'when and how to use it')
    .option('--tag <tag...>', 'words to sort it by')
    .option('--supersedes <id>', 'the memory that no longer holds')
    .option('--team <team>', 'for a team: its members see it')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect remember "Deploys go out on Tuesdays only" --why "support is fully staffed then"',
        'recollect remember "Answer in English" --global --kind preference',
        'recollect remember "Releases are cut from main" --team core',
      ),
    )
    .action(async (words: string[], options: Options) => {
      const app = createApp()
      const { redact } = await import('../../core/redact.ts')
      const ledger = app.ledger()
      try {
        const clean = (text: string) => redact([text]).texts[0]!
        if (options.team !== undefined) refuseSecrets(redact, words, options)
        const wish = wishOf(app, ledger, clean(words.join(' ')), cleaned(options, clean))
        const report = remember({ ledger, clock: app.clock, origin: app.machine.name ?? '' }, wish)
        await refreshMemoryFiles(app, ledger)
        const memory = [...report.kept, ...report.merged, ...report.inbox][0]!
        if (options.json) return terminal.json(memoryJson(ledger, memory))
        terminal.say(outcomeOf(report, wish))
        terminal.print(memoryLine(memory, app.zone, terminal.style))
        for (const old of report.superseded) terminal.say(`It takes the place of ${old.id}: ${old.text}`)
        const against = memory.state === 'kept' ? contradictedBy(ledger, memory) : undefined
        if (against) terminal.say(`It says the opposite of ${against.id}, and both stand: ${against.text}`)
      } finally {
        ledger.close()
      }
    })
}

function outcomeOf({ merged, inbox }: AdmissionReport, { space }: MemoryInput): string {
  const back = '"recollect undo" takes it back.'
  if (merged[0]?.space) return `Known already: ${spaceText(merged[0].space)} keeps it. Nothing was changed.`
  if (merged.length > 0) return `Known already, and counted. ${back}`
  if (inbox.length > 0) return `Kept in the inbox: it may contradict another. ${back}`
  return space === undefined ? `Remembered. ${back}` : `Remembered for ${spaceText(space)}. ${back}`
}

/** What a team would read is not masked: the person says it anew, without the secret. */
function refuseSecrets(redact: Redact, words: readonly string[], { why, apply, tag }: Options): void {
  const reason = secretReason(redact([words.join(' '), why ?? '', apply ?? '', ...(tag ?? [])]).counts)
  if (reason) throw new UserError(`${reason}: not remembered for a team`, 'Say it without the secret.', 1)
}

type Redact = typeof import('../../core/redact.ts').redact

/** A secret is one wherever it stands. */
function cleaned(options: Options, clean: (text: string) => string): Options {
  const { why, apply, tag, ...rest } = options
  return {
    ...rest,
    ...(why === undefined ? {} : { why: clean(why) }),
    ...(apply === undefined ? {} : { apply: clean(apply) }),
    ...(tag === undefined ? {} : { tag: tag.map(clean) }),
  }
}

function wishOf(app: App, ledger: Ledger, text: string, options: Options): MemoryInput {
  if (options.global && options.project !== undefined)
    throw new UserError('--global and --project exclude each other', 'Give one of them.')
  return {
    text,
    project: options.global ? null : (projectOption(app, ledger, options.project) ?? hereOf(app)),
    ...(options.kind ? { kind: oneOf('kind', options.kind, [...memoryKinds]) as MemoryInput['kind'] & string } : {}),
    ...(options.type ? { type: oneOf('type', options.type, [...memoryTypes]) as MemoryInput['type'] & string } : {}),
    ...(options.why ? { why: options.why } : {}),
    ...(options.apply ? { apply: options.apply } : {}),
    ...(options.tag ? { tags: options.tag } : {}),
    ...(options.supersedes ? { supersedes: options.supersedes } : {}),
    ...(options.team === undefined ? {} : { space: spaceNamed(options.team), ...authorOf(ledger) }),
  }
}

function authorOf(ledger: Ledger): { author?: string } {
  const user = readState(ledger)?.user
  return user ? { author: user } : {}
}

/** `core` and `team:core` are the same team. */
function spaceNamed(team: string): string {
  return `team:${team.replace(/^team:/, '')}`
}

/** The project around the current folder, whether or not a session of it is known. */
function hereOf(app: App): string {
  return projectOf(process.cwd(), undefined, app.config.projects).key
}

export function addForget({ program, terminal }: CommandContext): void {
  program
    .command('forget <id>')
    .description('take a memory out; it is not learned again')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect forget m-k3j5h2', 'recollect undo'))
    .action((id: string, options: { json?: boolean }) =>
      withLedger(async (app, ledger) => {
        const memory = forget({ ledger, clock: app.clock, origin: app.machine.name ?? '' }, id)
        await refreshMemoryFiles(app, ledger)
        if (options.json) return terminal.json(memory)
        terminal.say(`${forgottenText(memory)} "recollect undo" brings it back.`)
        terminal.print(memoryLine(memory, app.zone, terminal.style))
      }),
    )
}

function forgottenText({ space }: Memory): string {
  return space === null ? 'Forgotten.' : `Forgotten for everybody: ${spaceText(space)}.`
}

import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { projectOf } from '../../core/project/project.ts'
import type { AdmissionReport } from '../../learn/admission/admit.ts'
import { secretReason } from '../../learn/admission/team-access.ts'
import {
  type ChangeContext,
  contradictedBy,
  contradictedByInput,
  type MemoryInput,
  remember,
} from '../../learn/change.ts'
import { spaceText } from '../../memory/attribution.ts'
import { memoryKinds, memoryTypes } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { readState } from '../../sync/state.ts'
import { type CommandContext, changeContext, examples, oneOf, projectOption, refreshMemoryFiles } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { askAboutContradiction, checkContradictionOptions, inputAfter } from './contradiction.ts'
import { memoryJson, memoryLine } from './memory-text.ts'

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
  keepBoth?: boolean
  team?: string
}

export function addRemember({ program, terminal, exit }: CommandContext): void {
  program
    .command('remember <text...>')
    .description('Add a memory for this project, all projects or a team')
    .option('--project <project>', 'For this project (default: the one of the current folder)')
    .option('--global', 'For all projects')
    .option('--kind <kind>', `Kind: ${memoryKinds.join(', ')}`)
    .option('--type <type>', `Type: ${memoryTypes.join(', ')}`)
    .option('--why <why>', 'Reason')
    .option('--apply <how>', 'When and how to apply it')
    .option('--tag <tag...>', 'Tags')
    .option('--supersedes <id>', 'Id of the memory that it replaces')
    .option('--keep-both', 'Keep it beside memories that it contradicts; do not ask')
    .option('--team <team>', 'For a team; its members can read it')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect remember "Deploy on Tuesdays only" --why "support is staffed then"',
        'recollect remember "Answer in English" --global --kind preference',
        'recollect remember "Never deploy on Fridays" --supersedes m-k3j5h2',
        'recollect remember "Releases are cut from main" --team core',
      ),
    )
    .action(async (words: string[], options: Options) => {
      const app = createApp()
      const { createRedactor, redact, removalNotice } = await import('../../core/redact/redact.ts')
      const ledger = app.ledger()
      try {
        const { clean, counts } = createRedactor()
        if (options.team !== undefined) refuseSecrets(redact, words, options)
        const input = inputOf(app, ledger, clean(words.join(' ')), cleaned(options, clean))
        const context = changeContext(app, ledger)
        const decided = isDecided(options) ? input : await decideContradiction(context, input, terminal)
        if (!decided) {
          terminal.say('Nothing was changed.')
          return exit(1)
        }
        const report = remember(context, decided)
        await refreshMemoryFiles(app, ledger)
        const memory = [...report.kept, ...report.merged, ...report.inbox][0]!
        if (options.json) return terminal.json(memoryJson(ledger, memory))
        terminal.say(outcomeOf(report, input))
        const notice = removalNotice(counts)
        if (notice) terminal.say(notice)
        terminal.tell(memoryLine(ledger, memory, app, terminal.style))
        for (const old of report.superseded) terminal.say(`It supersedes ${old.id}: ${old.text}`)
        const against = memory.state === 'kept' ? contradictedBy(ledger, memory) : undefined
        if (against) terminal.say(`It contradicts ${against.id}; both are kept: ${against.text}`)
        const waitsFor = memory.state === 'inbox' ? contradictedBy(ledger, memory) : undefined
        if (waitsFor) {
          terminal.say(`It may contradict ${waitsFor.id}: ${waitsFor.text}`)
          terminal.say(`To decide: recollect inbox ${memory.id} keep|drop|both`)
        }
      } finally {
        ledger.close()
      }
    })
}

/** Whether a person needs not be asked: an option decides, or nobody is at a terminal. */
function isDecided(options: Options): boolean {
  checkContradictionOptions(options)
  const isGiven = options.supersedes !== undefined || options.keepBoth
  return isGiven || options.json || !process.stdin.isTTY || !process.stderr.isTTY
}

/** Undefined if nothing is to be remembered. */
async function decideContradiction(
  context: ChangeContext,
  input: MemoryInput,
  { say }: Terminal,
): Promise<MemoryInput | undefined> {
  const old = contradictedByInput(context, input)
  if (old.length === 0) return input
  const { answerOrEnd } = await import('../prompts.ts')
  const choice = await askAboutContradiction(old, say, answerOrEnd)
  return choice && inputAfter(choice, input, old)
}

function outcomeOf({ merged, inbox }: AdmissionReport, { space }: MemoryInput): string {
  const back = 'To undo: recollect undo'
  if (merged[0]?.space) return `Already known to ${spaceText(merged[0].space)}. Nothing was changed.`
  if (merged.length > 0) return `Already known; counted as confirmed. ${back}`
  if (inbox.length > 0) return `Added to the inbox. ${back}`
  return space === undefined ? `Remembered. ${back}` : `Remembered for ${spaceText(space)}. ${back}`
}

/** A secret is not masked in a team memory: the user has to rephrase it. */
function refuseSecrets(redact: Redact, words: readonly string[], { why, apply, tag }: Options): void {
  const reason = secretReason(redact([words.join(' '), why ?? '', apply ?? '', ...(tag ?? [])]).counts)
  if (reason) throw new UserError(`${reason}: not added for a team`, 'Rephrase it without the secret.', 1)
}

type Redact = typeof import('../../core/redact/redact.ts').redact

/** Secrets are removed from every text field. */
function cleaned(options: Options, clean: (text: string) => string): Options {
  const { why, apply, tag, ...rest } = options
  return {
    ...rest,
    ...(why === undefined ? {} : { why: clean(why) }),
    ...(apply === undefined ? {} : { apply: clean(apply) }),
    ...(tag === undefined ? {} : { tag: tag.map(clean) }),
  }
}

function inputOf(app: App, ledger: Ledger, text: string, options: Options): MemoryInput {
  if (options.global && options.project !== undefined)
    throw new UserError('--global and --project cannot be combined', 'Remove one of them.')
  return {
    text,
    project: options.global ? null : (projectOption(app, ledger, options.project) ?? currentProject(app)),
    ...(options.kind ? { kind: oneOf('kind', options.kind, [...memoryKinds]) as MemoryInput['kind'] & string } : {}),
    ...(options.type ? { type: oneOf('type', options.type, [...memoryTypes]) as MemoryInput['type'] & string } : {}),
    ...(options.why ? { why: options.why } : {}),
    ...(options.apply ? { apply: options.apply } : {}),
    ...(options.tag ? { tags: options.tag } : {}),
    ...(options.supersedes ? { supersedes: options.supersedes } : {}),
    ...(options.keepBoth ? { keepsBoth: true } : {}),
    ...(options.team === undefined ? {} : { space: spaceNamed(options.team), ...authorOf(ledger) }),
  }
}

function authorOf(ledger: Ledger): { author?: string } {
  const user = readState(ledger)?.user
  return user ? { author: user } : {}
}

/** Accepts `core` and `team:core`. */
function spaceNamed(team: string): string {
  return `team:${team.replace(/^team:/, '')}`
}

/** The project of the current folder, also if it has no session yet. */
export function currentProject(app: App): string {
  return projectOf(process.cwd(), undefined, app.config.projects).key
}

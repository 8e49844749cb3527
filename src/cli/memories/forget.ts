import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { forgetMemories, memoriesNamed } from '../../learn/change.ts'
import { spaceText } from '../../memory/attribution.ts'
import { type Memory, memoryKinds } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories, memoriesOfSession } from '../../store/memories/memories.ts'
import { termsOf } from '../../text/terms.ts'
import {
  type CommandContext,
  changeContext,
  examples,
  oneOf,
  projectOption,
  refreshMemoryFiles,
  sessionNamed,
  withLedger,
} from '../command.ts'
import { askForConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'
import { memoryLine } from './memory-text.ts'

interface Options extends ConsentOptions {
  project?: string
  kind?: string
  tag?: string
  session?: string
  candidates?: boolean
  query?: string[]
}

export function addForget({ program, terminal, exit }: CommandContext): void {
  program
    .command('forget')
    .description('Forget memories, by id or by filter; they are not learned again')
    .argument('[id...]', 'Ids of memories, or the beginning of them')
    .option('--project <project>', 'All of this project (name, identity or folder)')
    .option('--kind <kind>', `All of this kind: ${memoryKinds.join(', ')}`)
    .option('--tag <tag>', 'All with this tag')
    .option('--session <id>', 'All that come from this session')
    .option('--query <words...>', 'All that contain these words')
    .option('--candidates', 'Candidates instead of memories')
    .option('--dry-run', 'Only show what would be forgotten')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect forget m-k3j5h2 m-8sdk2p',
        'recollect forget --session 0a1b2c3d --dry-run',
        'recollect forget --project . --query staging port',
        'recollect forget --candidates --project old-app --yes',
        'recollect undo',
      ),
    )
    .action((ids: string[], options: Options) =>
      withLedger(async (app, ledger) => {
        const isFiltered = hasFilter(options)
        if (isFiltered === ids.length > 0)
          throw new UserError(
            isFiltered ? 'Ids and a filter cannot be combined' : 'Missing id or filter',
            'For example: recollect forget m-k3j5h2, or recollect forget --session 0a1b2c3d',
          )
        const going = isFiltered ? selectMemories(app, ledger, options) : memoriesNamed(ledger, ids)
        if (going.length === 0) {
          exit(1)
          return options.json ? terminal.json([]) : terminal.say('No memory matches. Nothing was changed.')
        }
        const show = () => {
          for (const memory of going.slice(0, maxShown)) terminal.tell(memoryLine(ledger, memory, app, terminal.style))
          if (going.length > maxShown) terminal.print(`and ${going.length - maxShown} more`)
        }
        if (isFiltered || options.dryRun) {
          if (options.dryRun && options.json) return terminal.json(going)
          if (!options.json) show()
          terminal.say(`To forget: ${plural(going.length, 'memory', 'memories')}.`)
          const consent = await askForConsent(terminal, options)
          if (consent !== 'given') return exit(exitCodeOf(consent))
        }
        const gone = forgetMemories(
          changeContext(app, ledger),
          going.map(({ id }) => id),
        )
        await refreshMemoryFiles(app, ledger)
        if (options.json) return terminal.json(ids.length === 1 ? gone[0] : gone)
        terminal.say(`${forgottenText(gone)} To undo: recollect undo`)
        if (!isFiltered) show()
      }),
    )
}

const maxShown = 50

function hasFilter({ project, kind, tag, session, query, candidates }: Options): boolean {
  return [project, kind, tag, session, query, candidates].some((value) => value !== undefined)
}

/** Current memories that match all conditions; a memory of a team only by id. */
function selectMemories(app: App, ledger: Ledger, options: Options): Memory[] {
  const project = projectOption(app, ledger, options.project)
  const kind = options.kind === undefined ? undefined : oneOf('kind', options.kind, [...memoryKinds])
  const session = options.session === undefined ? undefined : sessionNamed(ledger, options.session).id
  const ofSession = session && new Set(memoriesOfSession(ledger, session).map(({ id }) => id))
  const terms = new Set((options.query ?? []).flatMap(termsOf))
  if (options.query && terms.size === 0)
    throw new UserError('--query needs a word that is not a stop word', 'For example: --query staging port')
  return listMemories(ledger, {
    ...(project === undefined ? {} : { project }),
    ...(kind === undefined ? {} : { kind }),
    ...(options.tag === undefined ? {} : { tag: options.tag }),
    state: options.candidates ? 'candidate' : 'kept',
    isCurrent: true,
  }).filter((memory) => memory.space === null && (!ofSession || ofSession.has(memory.id)) && containsAll(memory, terms))
}

function containsAll({ text, why, apply }: Memory, terms: ReadonlySet<string>): boolean {
  const own = new Set(termsOf([text, why, apply].join(' ')))
  return [...terms].every((term) => own.has(term))
}

function forgottenText(gone: readonly Memory[]): string {
  const spaces = [...new Set(gone.flatMap(({ space }) => space ?? []))]
  if (spaces.length > 0)
    return `Forgotten here; the next sync asks the server to forget it for all of ${spaces.map(spaceText).join(', ')}.`
  return gone.length === 1 ? 'Forgotten.' : `${gone.length} memories forgotten.`
}

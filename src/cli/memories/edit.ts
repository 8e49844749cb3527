import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { memoryNamed } from '../../learn/change.ts'
import type { CleanEdits } from '../../learn/review/clean-edits.ts'
import { type EditedMemories, editMemories, type MemoryEdits } from '../../learn/review/edit-memory.ts'
import { type Memory, memoryKinds, memoryStatuses } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectOfSession } from '../../store/memories/learning.ts'
import {
  type CommandContext,
  changeContext,
  examples,
  oneOf,
  projectOption,
  refreshMemoryFiles,
  withLedger,
} from '../command.ts'
import { editText } from '../prompts.ts'
import { admissionLines, memoryJson, memoryLine } from './memory-text.ts'
import { currentProject } from './remember.ts'

interface EditOptions {
  text?: string
  why?: string
  apply?: string
  kind?: string
  status?: string
  importance?: string
  tags?: string[]
  scope?: string
  json?: boolean
}

export function addEdit(cli: CommandContext): void {
  cli.program
    .command('edit')
    .description('Change a memory, with options or in your editor')
    .argument('<id>', 'Id of a memory, or the beginning of it')
    .argument('[text...]', 'New text')
    .option('--text <text>', 'New text')
    .option('--why <why>', 'Reason; "" removes it')
    .option('--apply <how>', 'When and how to apply it; "" removes it')
    .option('--kind <kind>', `Kind: ${memoryKinds.join(', ')}`)
    .option('--status <status>', `Status: ${memoryStatuses.join(', ')}`)
    .option('--importance <n>', 'From 0 to 1')
    .option('--tags <tags...>', 'All of its tags; "" removes them')
    .option('--scope <scope>', 'everywhere, or project: the one that it was said in')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect edit m-k3j5h2',
        'recollect edit m-k3j5h2 "Deploy on Tuesdays and Thursdays"',
        'recollect edit m-k3j5h2 --why "support is staffed then" --importance 0.9',
        'recollect edit m-k3j5h2 --scope everywhere',
        'recollect undo',
      ),
    )
    .action((id: string, words: string[], options: EditOptions) =>
      withLedger(async (app, ledger) => {
        const memory = memoryNamed(ledger, id)
        const given = editsFrom(app, ledger, memory, words, options)
        const { edits, notice } =
          Object.keys(given).length > 0 ? await withoutSecrets(memory, given) : await inEditor(app, ledger, memory)
        const done = editMemories(changeContext(app, ledger), [memory.id], edits)
        await report(app, ledger, cli, done, { isJson: options.json ?? false, verb: 'Edited', notice })
      }),
    )
}

function editsFrom(app: App, ledger: Ledger, memory: Memory, words: string[], options: EditOptions): MemoryEdits {
  if (words.length > 0 && options.text !== undefined)
    throw new UserError('The text was given twice', 'Give it as an argument or with --text.')
  const text = options.text ?? (words.length > 0 ? words.join(' ') : undefined)
  const { why, apply, kind, status, importance, tags, scope } = options
  return {
    ...(text === undefined ? {} : { text: text.trim() }),
    ...(why === undefined ? {} : { why: why.trim() || null }),
    ...(apply === undefined ? {} : { apply: apply.trim() || null }),
    ...(kind === undefined ? {} : { kind: oneOf('kind', kind, [...memoryKinds]) as Memory['kind'] }),
    ...(status === undefined ? {} : { status: oneOf('status', status, [...memoryStatuses]) as Memory['status'] }),
    ...(importance === undefined ? {} : { importance: shareOption(importance) }),
    ...(tags === undefined ? {} : { tags: tags.flatMap((tag) => tag.split(/[,\s]+/)).filter(Boolean) }),
    ...(scope === undefined ? {} : { project: projectOfScope(app, ledger, memory, scope) }),
  }
}

function shareOption(value: string): number {
  const share = Number(value)
  if (value.trim() !== '' && share >= 0 && share <= 1) return share
  throw new UserError(`--importance takes a number from 0 to 1, not "${value}"`, 'For example: --importance 0.9')
}

/** A memory of a project keeps it; else it is the one in which it was said, or of this folder. */
function projectOfScope(app: App, ledger: Ledger, memory: Memory, scope: string): string | null {
  if (oneOf('scope', scope, ['everywhere', 'project']) === 'everywhere') return null
  const session = memory.evidence.find((one) => one.session !== null)?.session
  return memory.project ?? (session && projectOfSession(ledger, session)) ?? currentProject(app)
}

/** The rules for secrets are large, so they are loaded when they are needed. */
async function withoutSecrets(memory: Memory, edits: MemoryEdits): Promise<CleanEdits> {
  const { cleanEdits } = await import('../../learn/review/clean-edits.ts')
  return cleanEdits(memory, edits)
}

async function inEditor(app: App, ledger: Ledger, memory: Memory): Promise<CleanEdits> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError(
      'Cannot open an editor without a terminal',
      `Give what changes: recollect edit ${memory.id} "<text>" --why "<reason>"`,
    )
  const [{ parseMemoryForm, renderMemoryForm }, { redact, removalNotice }] = await Promise.all([
    import('../../learn/files/form.ts'),
    import('../../core/redact/redact.ts'),
  ])
  const context = { ledger, config: app.config }
  const content = editText(app, `${memory.id}.md`, renderMemoryForm(context, memory))
  const { edits, counts } = await parseMemoryForm(context, memory, content, redact)
  return { edits, notice: removalNotice(counts) }
}

export function addMove(cli: CommandContext): void {
  cli.program
    .command('move')
    .description('Move memories to another project, or make them apply everywhere')
    .argument('<id...>', 'Ids of memories, or the beginning of them')
    .option('--project <project>', 'To this project (name, identity or folder)')
    .option('--everywhere', 'To all projects')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect move m-k3j5h2 m-8sdk2p --project .',
        'recollect move m-k3j5h2 --everywhere',
        'recollect undo',
      ),
    )
    .action((ids: string[], options: { project?: string; everywhere?: boolean; json?: boolean }) =>
      withLedger(async (app, ledger) => {
        if ((options.project === undefined) === (options.everywhere === undefined))
          throw new UserError('Give either --project or --everywhere', 'For example: --project . or --everywhere')
        const project = projectOption(app, ledger, options.project) ?? null
        const done = editMemories(changeContext(app, ledger), ids, { project }, 'moved')
        await report(app, ledger, cli, done, { isJson: options.json ?? false, verb: 'Moved', notice: undefined })
      }),
    )
}

async function report(
  app: App,
  ledger: Ledger,
  { terminal }: CommandContext,
  { changed, admitted }: EditedMemories,
  { isJson, verb, notice }: { isJson: boolean; verb: string; notice: string | undefined },
): Promise<void> {
  if (changed.length > 0) await refreshMemoryFiles(app, ledger)
  if (isJson) return terminal.json(changed.map((memory) => memoryJson(ledger, memory)))
  if (changed.length === 0) return terminal.say('Nothing to change.')
  const count = changed.length === 1 ? '' : ` ${plural(changed.length, 'memory', 'memories')}`
  terminal.say(`${verb}${count}. To undo: recollect undo`)
  if (notice) terminal.say(notice)
  for (const memory of changed) terminal.tell(memoryLine(ledger, memory, app, terminal.style))
  for (const line of admissionLines(admitted)) terminal.say(line)
}

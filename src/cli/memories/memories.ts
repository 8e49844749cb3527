import { Option } from 'commander'
import type { App } from '../../app.ts'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { contradictedBy, decide, inboxDecisions, memoryNamed } from '../../learn/change.ts'
import { linksOfMemory } from '../../learn/links.ts'
import { attributionText, becauseText } from '../../memory/attribution.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import { type Memory, memoryKinds } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { countWaiting, listCandidates, listMemories, memoryById } from '../../store/memories/memories.ts'
import { memoryShowings } from '../../store/memories/usage.ts'
import {
  type CommandContext,
  changeContext,
  countOption,
  examples,
  oneOf,
  projectOption,
  refreshMemoryFiles,
  withLedger,
} from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { candidateLine, memoryJson, memoryLine } from './memory-text.ts'
import { addMemoriesKeep, addMemoriesReview } from './review.ts'

interface Options {
  json?: boolean
  project?: string
  kind?: string
  all?: boolean
  candidates?: boolean
  limit?: string
}

export function addMemories(cli: CommandContext): void {
  const { program, terminal, exit } = cli
  const memories = program
    .command('memories')
    .description('List memories, show one, or review what rules propose')
    .enablePositionalOptions()
    .argument('[id]', 'Id of a memory, or the beginning of it')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--kind <kind>', `Only this kind: ${memoryKinds.join(', ')}`)
    .option('--candidates', 'What rules propose, the most likely first')
    .addOption(new Option('--all', 'Include superseded and forgotten memories').conflicts('candidates'))
    .option('--limit <n>', 'Maximum number of memories (default: 50; all with --json)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect memories',
        'recollect memories --project . --kind decision',
        'recollect memories m-k3j5 --json',
        'recollect memories --candidates --project .',
        'recollect memories review',
      ),
    )
    .action((id: string | undefined, options: Options) =>
      withLedger((app, ledger) => {
        if (id !== undefined) return printMemory(app, ledger, terminal, memoryNamed(ledger, id), options.json ?? false)
        const selected = selectMemories(app, ledger, options)
        if (selected.length === 0) exit(1)
        if (options.json) return terminal.json(selected.map((memory) => memoryJson(ledger, memory)))
        if (options.candidates) return printCandidates(app, ledger, terminal, selected)
        if (selected.length === 0) terminal.say('No memories found. To add one: recollect remember <text>')
        for (const memory of selected) terminal.tell(memoryLine(ledger, memory, app, terminal.style))
        sayWhatWaits(ledger, terminal, projectOption(app, ledger, options.project))
      }),
    )
  addMemoriesReview(memories, cli)
  addMemoriesKeep(memories, cli)
}

function printCandidates(
  { zone }: App,
  ledger: Ledger,
  { tell, say, style }: Terminal,
  candidates: readonly Memory[],
): void {
  if (candidates.length === 0) return say('No candidates.')
  for (const memory of candidates) tell(candidateLine(ledger, memory, zone, style))
  say('To decide: recollect memories review, recollect memories keep <id...>\nor recollect forget <id...>')
}

function sayWhatWaits(ledger: Ledger, { say }: Terminal, project: string | undefined): void {
  const { candidates, inbox } = countWaiting(ledger, project)
  const waiting = [
    ...(candidates > 0 ? [plural(candidates, 'candidate')] : []),
    ...(inbox > 0 ? [`${inbox} in the inbox`] : []),
  ]
  if (waiting.length > 0) say(`${waiting.join(', ')}: recollect memories review`)
}

function selectMemories(app: App, ledger: Ledger, options: Options): Memory[] {
  const project = projectOption(app, ledger, options.project)
  const kind = options.kind === undefined ? undefined : oneOf('kind', options.kind, [...memoryKinds])
  const limit = countOption(options.limit, 'limit') ?? (options.json ? undefined : 50)
  if (options.candidates) {
    const candidates = listCandidates(ledger, project === undefined ? {} : { project })
    return candidates.filter((one) => kind === undefined || one.kind === kind).slice(0, limit)
  }
  return listMemories(ledger, {
    ...(project === undefined ? {} : { project, withGlobal: true }),
    ...(kind === undefined ? {} : { kind }),
    ...(options.all ? {} : { state: 'kept' as const, isCurrent: true }),
    ...(limit === undefined ? {} : { limit }),
  })
}

export function printMemory(app: App, ledger: Ledger, terminal: Terminal, memory: Memory, isJson: boolean): void {
  if (isJson) return terminal.json(memoryJson(ledger, memory))
  const { style, tell } = terminal
  tell(memoryLine(ledger, memory, app, style))
  if (memory.why) tell(`  Why: ${memory.why}`)
  if (memory.apply) tell(`  How to apply: ${memory.apply}`)
  tell(
    `  ${memory.type}, importance ${memory.importance}, ${attributionText(memory)}; shown in ${plural(memory.counts.shown, 'session')}, used in ${memory.counts.used}`,
  )
  if (memory.state === 'candidate') tell(`  Candidate: ${becauseText(memory, 'you')}`)
  else if (memory.state === 'kept') tell(`  Kept because: ${becauseText(memory, 'you')}`)
  if (memory.tags.length > 0) tell(`  Tags: ${memory.tags.join(', ')}`)
  for (const { session, file, quote } of memory.evidence) {
    const source = session ? `${session.split(':')[0]} ${shortId(session)}` : (file ?? 'by hand')
    tell(style.dim(`  ${source}: "${quote.replace(/\s+/g, ' ').slice(0, 300)}"`))
  }
  for (const { session, at, isUsed } of memoryShowings(ledger, memory.id).slice(0, 3))
    tell(style.dim(`  shown to ${shortId(session)} on ${app.zone.day(at)}${isUsed ? ', used' : ''}`))
  const against = memory.state === 'kept' ? contradictedBy(ledger, memory) : undefined
  if (against) {
    tell(`  Contradicts ${against.id} (${attributionText(against)}): ${against.text}`)
    tell(style.dim(`  To keep both: recollect inbox ${memory.id} both. To forget this one: drop instead of both.`))
  }
  for (const line of linkLines(ledger, memory)) tell(style.dim(line))
}

/** Links of both directions, each with the text of the other memory. */
function linkLines(ledger: Ledger, memory: Memory): string[] {
  return linksOfMemory(ledger, memory).map(({ from, type, to }) => {
    const other = memoryById(ledger, from === memory.id ? to : from)
    const link = from === memory.id ? `${type} ${to}` : `${from} ${type} this`
    return `  ${link}: ${other ? other.text.replace(/\s+/g, ' ').slice(0, 120) : 'not on this machine'}`
  })
}

export function addInbox({ program, terminal, exit }: CommandContext): void {
  program
    .command('inbox')
    .description('Decide about contradictions and about requests of agents')
    .argument('[id]', 'Id of a memory in the inbox, or of yours that contradicts a team')
    .argument(
      '[decision]',
      'keep (supersede the other), drop (forget this one) or both (keep both); for a request to forget: accept or refuse',
    )
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect inbox', 'recollect inbox m-k3j5h2 keep', 'recollect inbox m-k3j5h2 drop'))
    .action((id: string | undefined, decision: string | undefined, options: { json?: boolean }) =>
      withLedger(async (app, ledger) => {
        if (id !== undefined && decision !== undefined) {
          oneOf('decision', decision, [...inboxDecisions])
          const chosen = inboxDecisions.find((name) => name === decision)!
          const changed = decide(changeContext(app, ledger), id, chosen)
          await refreshMemoryFiles(app, ledger)
          if (options.json) return terminal.json(changed)
          for (const memory of changed) terminal.tell(memoryLine(ledger, memory, app, terminal.style))
          return terminal.say('Done. To undo: recollect undo')
        }
        const waiting = listMemories(ledger, { state: 'inbox' }).filter(
          (one) => id === undefined || one.id.startsWith(id),
        )
        if (waiting.length === 0) exit(1)
        const shown = waiting.map((memory) => ({ ...memory, against: contradictedBy(ledger, memory) ?? null }))
        if (options.json) return terminal.json(shown)
        if (waiting.length === 0) {
          const { candidates } = countWaiting(ledger)
          const proposed = candidates > 0 ? ` ${plural(candidates, 'candidate')}: recollect memories review` : ''
          return terminal.say(`The inbox is empty.${proposed}`)
        }
        for (const { against, ...memory } of shown) {
          terminal.tell(memoryLine(ledger, memory, app, terminal.style))
          const relation = proposesDeletion(memory) ? 'would forget' : 'contradicts'
          if (against) terminal.tell(`  ${relation} ${against.id}: ${against.text.replace(/\s+/g, ' ')}`)
        }
        if (waiting.some((memory) => !proposesDeletion(memory)))
          terminal.say('To decide: recollect inbox <id> keep|drop|both')
        if (waiting.some(proposesDeletion))
          terminal.say('To decide about a request to forget: recollect inbox <id> accept|refuse')
        terminal.say('One after the other: recollect memories review')
      }),
    )
}

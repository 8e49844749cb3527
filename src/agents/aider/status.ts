// The lines in which Aider speaks for itself: tokens, edits, commits, commands and what became of them.
import type { FileChange } from '../../core/session.ts'
import { fingerprint } from '../json-values.ts'
import { editBlocks } from '../search-replace.ts'
import { failure, openShell, prompt, type Reading, settle, tell } from './reading.ts'

export function readStatus(text: string, reading: Reading): void {
  const rule = statusRules.find(([pattern]) => pattern.test(text))
  if (rule) return rule[1](rule[0].exec(text)!, reading, text)
  if (reading.hasBegun || failure.test(text)) reading.pending.push(text)
}

const noise =
  /^(?:$|(?:Weak|Editor) model: |Git repo: |Repo-map: |Use \/help |You can use \/undo |Add(?:ed)? |Dropping |Removed \S+ from|Committing |Diff since |HEAD is: |Now at: )/

type StatusRule = [RegExp, (found: RegExpExecArray, reading: Reading, text: string) => void]

const statusRules: StatusRule[] = [
  [/^Tokens: /, (_, reading, text) => usage(text, reading)],
  [/^Applied edit to (.+)/, ([, path], reading) => edit(path!.trim(), reading)],
  [/^Creating empty file (.+)/, ([, path], reading) => void reading.created.add(path!.trim())],
  [/^Allow creation of new file (.+)\? .*y(?:es)?$/i, ([, path], reading) => void reading.created.add(path!)],
  [/^Create new file\?.*y(?:es)?$/i, (_, reading) => void reading.created.add(reading.pending.pop() ?? '')],
  [/^Commit ([0-9a-f]{7,40}) (.*)/, ([, hash, subject], reading) => commit(hash!, subject!, reading)],
  [/^Removed: ([0-9a-f]{7,40}) (.*)/, ([, hash, subject], reading) => undo(hash!, subject!, reading)],
  [/^Running (.+)/, ([, command], reading) => openShell(command!.trim(), 'tool_call', reading)],
  [/^Run shell commands?\?.*\bn(?:o)?$/i, (_, reading) => refuse(reading.pending.pop() ?? '', reading)],
  [/^Run shell commands?\?/i, (_, reading) => void reading.pending.pop()], // `Running` says it again
  [/^\^C (?:again to exit|KeyboardInterrupt)/, (_, reading) => interrupt(reading)],
  [/^(?:Aider v|(?:Main model|Models?): |(?:Cur|Git) working dir: )/, (_, reading, text) => banner(text, reading)],
  [/[([]y\/n\/instructions[\])]:? +(?!(?:y|n|yes|no)$)(.+)$/is, ([, said], reading) => instruct(said!, reading)],
  [noise, () => {}],
]

function banner(text: string, reading: Reading): void {
  reading.version ??= /^Aider v(\S+)/.exec(text)?.[1]
  reading.model = /^(?:Main model|Models?): (\S+?)⚡? with /.exec(text)?.[1] ?? reading.model
  reading.cwd = /^Cur working dir: (.+)/.exec(text)?.[1] ?? reading.cwd ?? /^Git working dir: (.+)/.exec(text)?.[1]
}

/** Old versions asked what to do with the output of a command, and took an answer as the next prompt. */
function instruct(said: string, reading: Reading): void {
  settle(reading)
  prompt(said.trim(), reading)
}

function usage(text: string, reading: Reading): void {
  settle(reading)
  reading.isWaiting = false
  const part = (name: string): number => tokens(new RegExp(`([\\d.,]+k?) ${name}`).exec(text)?.[1])
  const sent = part('sent')
  const cacheWrite = part('cache write')
  const cacheRead = part('(?:cache hit|cached)')
  const uncached = sent - cacheWrite // what is sent counts cache writes; hits only with some services
  const cost = /\$([\d.]+) (?:message|request)/.exec(text)?.[1]
  const { native, ts, model, events } = reading
  const key = fingerprint(native, 'usage', events.length)
  events.push((session) =>
    session.usage({
      key,
      ts,
      model: model ?? null,
      input: Math.max(0, uncached >= cacheRead ? uncached - cacheRead : uncached),
      cacheRead,
      cacheWrite,
      cacheWrite1h: 0,
      output: part('received'),
      reasoning: 0,
      costUsd: cost === undefined ? undefined : Number(cost),
    }),
  )
}

/** `5,244` to version 0.51, `7.3k` after it. */
function tokens(count: string | undefined): number {
  if (!count) return 0
  const number = Number(count.replace(/,|k$/g, ''))
  return Number.isFinite(number) ? Math.round(count.endsWith('k') ? number * 1000 : number) : 0
}

function edit(path: string, reading: Reading): void {
  settle(reading)
  if (reading.applied.has(path)) return
  reading.applied.add(path)
  const blocks = editBlocks(reading.reply).filter((block) => block.path === path)
  const isNew = blocks[0]?.isNew || [...reading.created].some((each) => each === path || each.endsWith(`/${path}`))
  const file: FileChange = { path, change: isNew ? 'add' : 'update' }
  if (blocks.length > 0) {
    file.added = blocks.reduce((sum, block) => sum + block.added, 0)
    file.removed = blocks.reduce((sum, block) => sum + block.removed, 0)
  }
  tell(reading, 'edit', 'tool', '', { files: [file] })
}

function commit(hash: string, subject: string, reading: Reading): void {
  settle(reading)
  reading.commits.at(-1)?.add(hash)
  tell(reading, 'lifecycle', 'system', `Commit ${hash} ${subject}`.trim())
}

/** `/undo` takes back one commit; a prompt is undone with the last of its commits. */
function undo(hash: string, subject: string, reading: Reading): void {
  settle(reading)
  const latest = reading.commits.at(-1)
  const isUndone = latest?.delete(hash) === true && latest.size === 0
  if (isUndone) reading.commits.pop()
  tell(reading, 'lifecycle', 'system', `Undone: ${hash} ${subject}`.trim(), isUndone ? { undoes: 1 } : {})
}

function refuse(command: string, reading: Reading): void {
  settle(reading)
  if (!command) return
  openShell(command, 'tool_call', reading)
  const { call } = reading.shell!
  reading.shell = undefined
  tell(reading, 'tool_result', 'tool', '', { call, error: 'denied' })
}

function interrupt(reading: Reading): void {
  if (!reading.isWaiting) return // at an idle prompt it only leaves
  settle(reading)
  reading.isWaiting = false
  tell(reading, 'interrupt', 'user', 'Interrupted')
}

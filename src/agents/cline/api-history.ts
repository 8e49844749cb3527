// Reads the messages that were sent to the model. The chat view shows calls; only these messages
// contain their results.
import type { Json, ToolError } from '../../core/session.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'

export interface RecordedResult {
  text: string
  error?: ToolError
  exit?: number
}

export interface ApiHistory {
  cwd?: string
  model?: string
  /**
   * Takes the next result for this file, command or pattern, which is all that calls and results
   * share.
   */
  take(subject: string): RecordedResult | undefined
  /** The last model named before a time. Roo Code names it only in the messages to the model. */
  modelBefore(ts: string): string | undefined
}

export interface NamedModel {
  ts: string
  model: string
}

export function readApiHistory(content: Json | undefined, models: NamedModel[]): ApiHistory {
  const outcomes = new Map<string, RecordedResult[]>()
  const called = new Map<string, string>()
  let cwd: string | undefined
  for (const message of asArray(content).map(asObject)) {
    const blocks = blocksOf(message.content)
    for (const block of blocks) if (block.type === 'tool_use') called.set(asString(block.id), subjectOf(block))
    if (message.role !== 'user') continue
    const details = blocks.map((block) => asString(block.text)).join('\n')
    cwd ??= /# Current (?:Working|Workspace) Directory \((.+?)\) Files/.exec(details)?.[1]
    const model = /<environment_details>[\s\S]*<model>([^<]+)<\/model>/.exec(details)?.[1]
    if (model) models.push({ ts: asIsoTime(message.ts) ?? '', model })
    for (const [subject, outcome] of parseResults(blocks, called)) {
      const queue = outcomes.get(subject)
      if (queue) queue.push(outcome)
      else outcomes.set(subject, [outcome])
    }
  }
  return {
    cwd,
    model: models.at(-1)?.model,
    take: (subject) => outcomes.get(subject)?.shift(),
    modelBefore: (ts) => models.findLast((each) => each.ts < ts)?.model,
  }
}

/** `./src/a.ts`, `src/a.ts/` and the path below the workspace are the same file. */
export function normaliseSubject(subject: string, cwd: string | undefined): string {
  const below = cwd && subject.startsWith(`${cwd}/`) ? subject.slice(cwd.length + 1) : subject
  return below.trim().replace(/^\.\/(?=.)|(?<=.)\/$/g, '')
}

function subjectOf(call: JsonObject): string {
  const input = asObject(call.input)
  const subject =
    optionalString(input.command) ??
    optionalString(input.regex) ??
    optionalString(input.query) ??
    optionalString(input.server_name) ??
    optionalString(input.action) ??
    optionalString(input.path) ??
    optionalString(input.file_path) ??
    optionalString(input.url)
  return normaliseSubject(subject ?? asString(call.name), undefined)
}

function* parseResults(blocks: JsonObject[], called: Map<string, string>): Generator<[string, RecordedResult]> {
  let open: { subject: string; parts: string[] } | undefined
  for (const block of blocks) {
    if (block.type === 'tool_result') {
      const heading = resultHeading(contentText(block.content))
      const subject = called.get(asString(block.tool_use_id)) ?? heading?.subject
      if (subject) yield [subject, parseResult(heading?.rest ?? contentText(block.content), block.is_error === true)]
      continue
    }
    const said = contentText([block])
    const heading = resultHeading(said)
    if (heading) {
      if (open) yield [open.subject, parseResult(open.parts.join('\n'), false)]
      open = { subject: heading.subject, parts: [heading.rest] }
    } else if (open && !said.startsWith('<environment_details>')) open.parts.push(said)
  }
  if (open) yield [open.subject, parseResult(open.parts.join('\n'), false)]
}

/** `[execute_command for 'npm test'] Result:`: how a result names its call if calls have no ids. */
function resultHeading(said: string): { subject: string; rest: string } | undefined {
  const [, name, about, rest] = /^\[(\w+)([\s\S]*?)\] Result:\n?([\s\S]*)$/.exec(said) ?? []
  if (name === undefined) return undefined
  const quoted = /^ for '([\s\S]*?)'(?: in '[\s\S]*'|(?:, '[\s\S]*?')+)?$/.exec(about ?? '')?.[1]
  return { subject: normaliseSubject(quoted ?? name, undefined), rest: rest ?? '' }
}

function parseResult(said: string, isError: boolean): RecordedResult {
  const text = said.replace(/<environment_details>[\s\S]*$/, '').trim()
  const exit = /\bexit (?:code|status):? (\d+)/i.exec(text.slice(0, 400))?.[1]
  const error = errorIn(text) ?? (isError || (exit !== undefined && exit !== '0') ? 'failed' : undefined)
  return { text, error, exit: exit === undefined ? undefined : Number(exit) }
}

function errorIn(said: string): ToolError | undefined {
  if (/^(?:The user denied this operation|\{\s*"status":\s*"denied")/.test(said)) return 'denied'
  if (/^(?:Skipping tool|Tool \[.*?\] was not executed)/.test(said)) return 'cancelled'
  if (/^(?:\[?Task was interrupted before|Command was interrupted|The user (?:cancelled|interrupted))/.test(said))
    return 'interrupted'
  return /^(?:The tool execution failed|\{\s*"status":\s*"error"|Error: )/.test(said) ? 'failed' : undefined
}

export function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map((block) => (typeof block === 'string' ? { type: 'text', text: block } : asObject(block)))
}

export function contentText(content: Json | undefined): string {
  return blocksOf(content)
    .map((block) => {
      if (block.type === 'image') {
        const source = asObject(block.source)
        const mediaType = optionalString(source.media_type) ?? optionalString(block.mediaType)
        return imagePlaceholder(mediaType, asString(source.data) || asString(block.data))
      }
      if (block.type === 'file') return `[file ${asString(block.path)}]`
      return asString(block.text)
    })
    .filter((part) => part !== '')
    .join('\n')
}

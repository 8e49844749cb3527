// The text of a tool result. Codex has no error flag: the exit code stands in a heading, in JSON (2025), or only words tell.
import type { Json, ToolError } from '../../core/session.ts'
import {
  asArray,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'

export interface Result {
  text: string
  exit?: number
  error?: ToolError
  /** Id of the process where it was still running. */
  running?: string
}

export function readOutput(output: Json | undefined): Result {
  if (Array.isArray(output)) return headed(contentText(output))
  if (typeof output === 'string') return output.startsWith('{"output":') ? wrapped(output) : headed(output)
  const { content, success } = asObject(output)
  const said = typeof content === 'string' ? content : contentText(asArray(content))
  return { ...headed(said), ...(success === false ? { error: 'failed' } : {}) }
}

/** Heading of a command: chunk, wall time, how the process stands, token count, then `Output:` and what it printed. */
const heading =
  /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines|Warning)\b[^\n]*\n|Process (?:exited|running)[^\n]*\n)+Output:\n?/

function headed(said: string): Result {
  const head = heading.exec(said)?.[0]
  if (!head) return { text: said, error: errorOf(said) }
  const body = said.slice(head.length)
  const running = /^Process running with session ID (\S+)/m.exec(head)?.[1]
  if (running) return { text: body || `Process running with session ID ${running}`, running }
  const exit = /^(?:Exit code: |Process exited with code )(-?\d+)/m.exec(head)?.[1]
  return exit === undefined ? { text: body } : exited(body, Number(exit))
}

/** `{"output", "metadata": {"exit_code"}}` */
function wrapped(said: string): Result {
  const value = asObject(parseJson(said))
  if (typeof value.output !== 'string') return headed(said)
  const exit = asObject(value.metadata).exit_code
  return typeof exit === 'number' ? exited(value.output, exit) : headed(value.output)
}

function exited(body: string, exit: number): Result {
  return { text: body, exit, error: exit === 0 ? undefined : (stoppedBy(body) ?? 'failed') }
}

const failed =
  /^(?:[\w.]+ (?:verification )?failed\b|failed to |failed in sandbox|failed for |unsupported (?:custom tool )?call|execution error|tool call error|error: |err: )/i

function errorOf(said: string): ToolError | undefined {
  return stoppedBy(said) ?? (failed.test(said) ? 'failed' : undefined)
}

function stoppedBy(said: string): ToolError | undefined {
  if (/^(?:aborted|command was aborted|interrupted) by (?:the )?user\b|^aborted$/i.test(said)) return 'interrupted'
  const isDenied =
    /^(?:(?:exec command|patch|command) )?rejected\b|^user (?:rejected|cancelled|declined)\b|^This action was rejected|^approval (?:denied|policy)/i
  return isDenied.test(said) ? 'denied' : undefined
}

/** Text of content parts; images as a placeholder. */
export function contentText(parts: Json[]): string {
  return parts
    .map((part) => partText(typeof part === 'string' ? { text: part } : asObject(part)))
    .filter((said) => said !== '')
    .join('\n')
}

function partText(part: JsonObject): string {
  const image = imageOf(part)
  return image || asString(part.text) || asString(part.refusal)
}

/** `[image …]` for an image part of any dialect, '' for other parts. */
export function imageOf(part: JsonObject): string {
  const url = optionalString(part.image_url) ?? optionalString(asObject(part.image_url).url)
  if (url) return imageAt(url)
  if (part.type === 'local_image' || part.type === 'localImage') return imageAt(asString(part.path))
  if (part.type === 'image') return imagePlaceholder(optionalString(part.mimeType), asString(part.data))
  return ''
}

export function imageAt(url: string): string {
  const data = /^data:([\w/+.-]+)?[^,]{0,40},/.exec(url)
  if (data) return imagePlaceholder(data[1], url.slice(data[0].length))
  return url.length < 400 ? `[image ${url}]` : imagePlaceholder(undefined, url)
}

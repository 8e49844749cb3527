// Reads the output of a tool call. Codex has no error flag: the exit code is in a heading, in JSON (2025), or only the
// wording tells.
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

export interface ToolOutput {
  text: string
  exit?: number
  error?: ToolError
  /** Id of the process if it was still running. */
  running?: string
  /** Whether its command succeeded is not known. */
  isUnproven?: boolean
  /** The end of a command that was seen running before. */
  isLate?: boolean
}

export function readOutput(output: Json | undefined): ToolOutput {
  if (Array.isArray(output)) return parseHeaded(contentText(output))
  if (typeof output === 'string') return output.startsWith('{"output":') ? parseWrapped(output) : parseHeaded(output)
  const { content, success } = asObject(output)
  const said = typeof content === 'string' ? content : contentText(asArray(content))
  return { ...parseHeaded(said), ...(success === false ? { error: 'failed' } : {}) }
}

/** Heading of command output: chunk, wall time, process state, token count, then `Output:`. */
const outputHeading =
  /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines|Warning)\b[^\n]*\n|Process (?:exited|running)[^\n]*\n)+Output:\n?/

export function parseHeaded(said: string): ToolOutput {
  const head = outputHeading.exec(said)?.[0]
  if (!head) return { text: said, error: errorOf(said) }
  const body = said.slice(head.length)
  const running = /^Process running with session ID (\S+)/m.exec(head)?.[1]
  if (running) return { text: body || `Process running with session ID ${running}`, running }
  const exit = /^(?:Exit code: |Process exited with code )(-?\d+)/m.exec(head)?.[1]
  return exit === undefined ? { text: body } : exitedOutput(body, Number(exit))
}

/** `{"output", "metadata": {"exit_code"}}` */
function parseWrapped(said: string): ToolOutput {
  const value = asObject(parseJson(said))
  if (typeof value.output !== 'string') return parseHeaded(said)
  const exit = asObject(value.metadata).exit_code
  return typeof exit === 'number' ? exitedOutput(value.output, exit) : parseHeaded(value.output)
}

export function exitedOutput(body: string, exit: number): ToolOutput {
  return { text: body, exit, error: exit === 0 ? undefined : (stoppedBy(body) ?? 'failed') }
}

const failurePattern =
  /^(?:[\w.]+ (?:verification )?failed\b|failed to |failed in sandbox|failed for |unsupported (?:custom tool )?call|execution error|tool call error|error: |err: )/i

function errorOf(said: string): ToolError | undefined {
  return stoppedBy(said) ?? (failurePattern.test(said) ? 'failed' : undefined)
}

export function stoppedBy(said: string): ToolError | undefined {
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

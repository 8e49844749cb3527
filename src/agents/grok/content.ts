// Extracts text from content blocks and tool outputs, and typed text from user messages.
import type { EventKind, Json } from '../../core/session.ts'
import {
  asArray,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseDataUrl,
} from '../json-values.ts'

export function blockText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  const block = asObject(value)
  switch (block.type) {
    case 'text':
    case 'input_text':
      return asString(block.text)
    case 'image':
    case 'image_url':
    case 'input_image':
    case 'audio':
      return imageText(block)
    case 'resource_link':
      return `[file ${asString(block.uri)}]`
    case 'resource':
      return asString(asObject(block.resource).text) || `[file ${asString(asObject(block.resource).uri)}]`
    case 'content':
      return blockText(block.content)
    default:
      return ''
  }
}

export function contentText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return asArray(value)
    .map(blockText)
    .filter((part) => part !== '')
    .join('\n')
}

function imageText(block: JsonObject): string {
  const url =
    optionalString(block.url) ?? optionalString(block.image_url) ?? optionalString(asObject(block.image_url).url) ?? ''
  const parsed = parseDataUrl(url)
  return imagePlaceholder(
    optionalString(block.mimeType) ?? parsed?.mediaType,
    asString(block.data) || (parsed?.data ?? ''),
  )
}

/** Fields with the text for the model, best first. */
const outputNames = `output_for_prompt tool_output_for_prompt summary_for_prompt content output stdout summary message
  text error stderr`.split(/\s+/)

/**
 * `{"type":"Bash","output":[104,105]}`, `{"type":"ListDir","Content":{"content":"…"}}`,
 * `{"NotFound":"…"}`.
 */
export function outputText(output: Json | undefined, depth = 2): string {
  if (typeof output === 'string') return output
  const from = asObject(output)
  for (const name of outputNames) {
    const found = plainText(from[name])
    if (found) return found
  }
  if (depth === 0) return ''
  for (const [name, value] of Object.entries(from)) {
    // The name of a variant is capitalised; its value is the text or an object.
    const found = /^[A-Z]/.test(name) && !/Image|Pdf/.test(name) ? outputText(value, depth - 1) : ''
    if (found) return found
  }
  return ''
}

/** Command output is stored as a list of bytes. */
function plainText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || !value.every((byte) => typeof byte === 'number')) return ''
  return Buffer.from(value as number[]).toString('utf8')
}

export interface UserText {
  kind: Extract<EventKind, 'prompt' | 'command' | 'context'>
  text: string
}

const wrapper =
  'user_info|git_status|system-reminder|agent_skills|mcp_servers|fork-context|resume-context|background_context|project_layout'
const wrapped = new RegExp(String.raw`^(?:\s*<(${wrapper})\b[^>]*>[\s\S]*?</\1>)+\s*`)
const machineStart = new RegExp(String.raw`^\s*<(?:${wrapper})\b`)

/** Typed text is in <user_query>, or after the blocks that the agent put before it. */
export function parseUserText(source: string): UserText {
  const rest = source.replace(wrapped, '')
  const query = /^\s*<user_query>\s*([\s\S]*?)\s*<\/user_query>/.exec(rest)?.[1]
  const text = query ?? rest.trim()
  if (text === '' || machineStart.test(text)) return { kind: 'context', text: source.trim() }
  return { kind: isCommand(text) ? 'command' : 'prompt', text }
}

/** `/review the diff` is a command; `/etc/hosts` is a path. */
function isCommand(text: string): boolean {
  return /^\/[a-z][\w:-]*(?=\s|$)/i.test(text)
}

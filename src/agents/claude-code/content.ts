// Message content: a string, or blocks of many types.
import type { Event, Json } from '../../core/session.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'

export type Base = Pick<Event, 'id' | 'key' | 'ts'>

/** What every event of a record shares. The key is the record's uuid, which forks and resumed copies keep. */
export function baseOf(record: JsonObject, native: string): Base {
  const id = asString(record.uuid)
  const key = /^\S+$/.test(id) ? id : fingerprint(native, JSON.stringify(record))
  return { id, key, ts: asIsoTime(record.timestamp) }
}

export function blocks(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map((block) => (typeof block === 'string' ? { type: 'text', text: block } : asObject(block)))
}

export function contentText(content: Json | undefined): string {
  return typeof content === 'string' ? content : textOf(blocks(content))
}

export function textOf(content: JsonObject[]): string {
  if (content.length === 1) return blockText(content[0]!)
  return content
    .map(blockText)
    .filter((part) => part !== '')
    .join('\n')
}

function blockText(block: JsonObject): string {
  switch (block.type) {
    case 'text':
      return asString(block.text)
    case 'image':
    case 'document': {
      const source = asObject(block.source)
      if (source.type === 'text') return asString(source.data)
      return imagePlaceholder(optionalString(source.media_type), asString(source.data)).replace(
        '[image',
        `[${block.type}`,
      )
    }
    case 'tool_reference':
      return `[tool ${asString(block.tool_name)}]`
    default: // a hit of a web search
      return typeof block.title === 'string' && typeof block.url === 'string' ? `${block.title} ${block.url}` : ''
  }
}

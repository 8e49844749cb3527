// Message content: a string, or blocks of many types.
import type { Event, Json } from '../../core/session.ts'
import { type Fields, fields, fingerprint, imagePlaceholder, list, named, text, time } from '../values.ts'

export type Base = Pick<Event, 'id' | 'key' | 'ts'>

/** What every event of a record shares. The key is the record's uuid, which forks and resumed copies keep. */
export function baseOf(record: Fields, native: string): Base {
  const id = text(record.uuid)
  const key = /^\S+$/.test(id) ? id : fingerprint(native, JSON.stringify(record))
  return { id, key, ts: time(record.timestamp) }
}

export function blocks(content: Json | undefined): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return list(content).map((block) => (typeof block === 'string' ? { type: 'text', text: block } : fields(block)))
}

export function contentText(content: Json | undefined): string {
  return typeof content === 'string' ? content : textOf(blocks(content))
}

export function textOf(content: Fields[]): string {
  if (content.length === 1) return blockText(content[0]!)
  return content
    .map(blockText)
    .filter((part) => part !== '')
    .join('\n')
}

function blockText(block: Fields): string {
  switch (block.type) {
    case 'text':
      return text(block.text)
    case 'image':
    case 'document': {
      const source = fields(block.source)
      if (source.type === 'text') return text(source.data)
      return imagePlaceholder(named(source.media_type), text(source.data)).replace('[image', `[${block.type}`)
    }
    case 'tool_reference':
      return `[tool ${text(block.tool_name)}]`
    default: // a hit of a web search
      return typeof block.title === 'string' && typeof block.url === 'string' ? `${block.title} ${block.url}` : ''
  }
}

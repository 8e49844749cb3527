// The parts of a message as both Kimi programs write them.
import type { Json } from '../../core/session.ts'
import { fields, imagePlaceholder, list, named, text } from '../values.ts'

export function partsText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => (typeof part === 'string' ? part : partText(part)))
    .filter((part) => part !== '')
    .join('\n')
}

function partText(part: Json): string {
  const { type, text: said, ...media } = fields(part)
  if (type === 'text') return text(said)
  const url = text(fields(media[text(type)]).url)
  if (!url) return ''
  // Small media is inline, larger lies beside the log: blobref:image/png;<hash>
  const found = /^(?:data|blobref):([^;,]+);(?:base64,)?(.*)$/s.exec(url)
  return found
    ? imagePlaceholder(named(found[1]), url.startsWith('data:') ? found[2]! : '')
    : `[${text(type)} ${url.slice(0, 200)}]`
}

// What both Kimi programs write alike: the parts of a message, and how a call ended.
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { SessionOut } from '../agent.ts'
import type { CallBook } from '../calls.ts'
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

type Result = Pick<Event, 'id' | 'key' | 'ts' | 'text' | 'call' | 'error'> & {
  /** As the text of the result says it. */
  exit: string | undefined
  files: FileChange[]
}

/** The result, and what it changed where it went well. */
export function tellResult(
  { exit, files, text: said, error, ...base }: Result,
  { session, calls }: { session: SessionOut; calls: CallBook },
): void {
  const code = exit === undefined ? undefined : Number(exit)
  session.event(calls.closed({ ...base, kind: 'tool_result', role: 'tool', text: said, error, exit: code }))
  if (files.length > 0 && !error)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', files })
}

// Reads what both Kimi programs have in common: message parts and tool results.
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { SessionOutput } from '../agent.ts'
import { asArray, asObject, asString, imagePlaceholder, optionalString } from '../json-values.ts'
import type { PendingCalls } from '../pending-calls.ts'

export function partsText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((part) => (typeof part === 'string' ? part : partText(part)))
    .filter((part) => part !== '')
    .join('\n')
}

function partText(part: Json): string {
  const { type, text: said, ...media } = asObject(part)
  if (type === 'text') return asString(said)
  const url = asString(asObject(media[asString(type)]).url)
  if (!url) return ''
  // Small media is inline, larger media beside the log: blobref:image/png;<hash>
  const found = /^(?:data|blobref):([^;,]+);(?:base64,)?(.*)$/s.exec(url)
  return found
    ? imagePlaceholder(optionalString(found[1]), url.startsWith('data:') ? found[2]! : '')
    : `[${asString(type)} ${url.slice(0, 200)}]`
}

type ResultEvent = Pick<Event, 'id' | 'key' | 'ts' | 'text' | 'call' | 'error'> & {
  /** Exit code in the text of the result. */
  exit: string | undefined
  files: FileChange[]
}

/** Emits the result and, unless it failed, the edit. */
export function emitResult(
  { exit, files, text: said, error, ...base }: ResultEvent,
  { session, calls }: { session: SessionOutput; calls: PendingCalls },
): void {
  const code = exit === undefined ? undefined : Number(exit)
  session.event(calls.close({ ...base, kind: 'tool_result', role: 'tool', text: said, error, exit: code }))
  if (files.length > 0 && !error)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', files })
}

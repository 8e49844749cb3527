// Finds the conversation that started another one as a subagent. Only the transcript of the parent
// says so, in the result of `invoke_subagent`. Transcripts that were not written since the child
// began are skipped, and every other one is searched once per sweep and size.
import { basename, join } from 'node:path'
import { statOrUndefined } from '../../core/files.ts'
import { type JsonRecord, parseJsonlLine, readLines } from '../../core/jsonl.ts'
import { pathOfUri } from '../file-changes.ts'
import { listSubfolders } from '../files.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { logsIn } from './logs.ts'
import { callArguments, toolName } from './tools.ts'

export interface SubagentOrigin {
  parent: string
  role: string | undefined
  cwd: string | undefined
}

export type FindOrigin = (id: string, startedAt: string | null) => SubagentOrigin | undefined

/** Clocks of file systems are less exact than those in transcripts. */
const toleranceMs = 5000

/** Transcripts that may have grown since they were listed: those that were written last. */
const maxActive = 20

export function findOrigins(root: string): FindOrigin {
  /** Sizes of the transcripts that were searched. */
  const searched = new Map<string, number>()
  const origins = new Map<string, SubagentOrigin>()
  let logs: ConversationLog[] | undefined
  return (id, startedAt) => {
    const startedMs = Date.parse(startedAt ?? '') || 0
    logs ??= listLogs(root) // once: there may be thousands of conversations that ask
    for (const [index, { path, parent, ...listed }] of logs.entries()) {
      const { mtimeMs, size } = (index < maxActive && statOrUndefined(path)) || listed
      if (mtimeMs < startedMs - toleranceMs || searched.get(path) === size) continue
      searched.set(path, size)
      for (const [child, origin] of originsIn(path, parent)) if (!origins.has(child)) origins.set(child, origin)
    }
    const origin = origins.get(id)
    return origin?.parent === id ? undefined : origin
  }
}

interface ConversationLog {
  path: string
  /** The conversation. */
  parent: string
  mtimeMs: number
  size: number
}

/** The one that was written last comes first. */
function listLogs(root: string): ConversationLog[] {
  const logs = listSubfolders(join(root, 'brain')).flatMap((folder) =>
    logsIn(folder).flatMap((path) => {
      const file = statOrUndefined(path)
      return file ? [{ path, parent: basename(folder), mtimeMs: file.mtimeMs, size: file.size }] : []
    }),
  )
  return logs.sort((a, b) => b.mtimeMs - a.mtimeMs)
}

function* originsIn(path: string, parent: string): Generator<[child: string, SubagentOrigin]> {
  let roles: (string | undefined)[] = []
  try {
    for (const line of readLines(path)) {
      if (!marks.some((mark) => line.bytes.includes(mark))) continue
      for (const record of parseJsonlLine(line).records) {
        roles = rolesIn(record) ?? roles
        for (const [index, child] of startedIn(record).entries())
          yield [child.id, { parent, role: roles[index], cwd: child.cwd }]
      }
    }
  } catch {
    // its own reader reports it
  }
}

const marks = ['invoke_subagent"', 'logAbsoluteUri'].map((mark) => Buffer.from(mark))

function rolesIn(record: JsonRecord): (string | undefined)[] | undefined {
  const call = asArray(record.tool_calls)
    .map(asObject)
    .find(({ name }) => toolName(name) === 'invoke_subagent')
  if (!call) return undefined
  return asArray(callArguments(call.args).Subagents).map((one) => optionalString(asObject(one).Role))
}

/** The result lists an object per subagent: `"conversationId":  "…"` and its folders. */
export function startedIn({ type, content }: JsonObject): { id: string; cwd: string | undefined }[] {
  if (type !== 'INVOKE_SUBAGENT' && type !== 'GENERIC') return []
  return asString(content)
    .split(/(?="conversationId"\s*:)/)
    .flatMap((part) => {
      const id = /^"conversationId"\s*:\s*"([^"]+)"/.exec(part)?.[1]
      const cwd = /"workspaceUris"\s*:\s*\[\s*"([^"]+)"/.exec(part)?.[1]
      return id && part.includes('"logAbsoluteUri"') ? [{ id, cwd: cwd && pathOfUri(cwd) }] : []
    })
}

// Reads meta.json of a Vibe session: folder, branch, title, lineage, and the totals of its tokens.
// It also has the configuration and the system prompt, which are not kept.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { SessionDetails, Usage } from '../../core/session.ts'
import { listSubfolders } from '../files.ts'
import { asCount, asIsoTime, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'

export interface SessionMeta {
  /** The id, or the name of the folder if there is no meta.json. */
  native: string
  details: SessionDetails
  model: string | undefined
  /** Answers that the totals cover. */
  steps: number
  usage: Usage | undefined
}

/** Folder in that of a session with the logs of its subagents (source of 2.3 to 2.18.4). */
export const subagentsFolder = 'agents'

export function readMeta(folder: string): SessionMeta {
  const meta = parseMeta(folder)
  const native = idOf(meta, folder)
  const model = optionalString(asObject(meta.config).active_model) ?? optionalString(meta.model)
  const caller = callerOf(folder)
  const before = optionalString(meta.parent_session_id)
  const parent = caller === undefined ? before : idOf(parseMeta(caller), caller)
  const isTyped = meta.title_source === 'manual'
  return {
    native,
    model,
    details: {
      kind: caller !== undefined ? 'subagent' : parent ? 'fork' : undefined,
      parent,
      cwd: optionalString(asObject(meta.environment).working_directory),
      branch: optionalString(meta.git_branch),
      title: caller === undefined || isTyped ? optionalString(meta.title) : undefined,
      titleRank: isTyped ? 4 : 0, // else the beginning of the first message
      model,
      started: asIsoTime(meta.start_time) ?? timeInName(folder),
      ended: asIsoTime(meta.end_time) ?? undefined,
    },
    steps: asCount(asObject(meta.stats).steps),
    usage: usageOf(meta, native, model, before && !caller ? parentStats(folder, before) : undefined),
  }
}

function idOf(meta: JsonObject, folder: string): string {
  return optionalString(meta.session_id) ?? basename(folder).replace(/\.jsonl?$/, '')
}

/** The folder of the session whose subagent wrote this log. */
function callerOf(folder: string): string | undefined {
  const caller = dirname(dirname(folder))
  const isSubagent = basename(dirname(folder)) === subagentsFolder && existsSync(join(caller, 'messages.jsonl'))
  return isSubagent ? caller : undefined
}

function parseMeta(folder: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(join(folder, 'meta.json'))))
  } catch {
    return {} // written after the first answer
  }
}

/** `session_20260701_093000_1a2b3c4d`, in UTC. */
function timeInName(folder: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_/.exec(basename(folder)) ?? []
  return asIsoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) ?? undefined
}

/** Folders end with the beginning of the session's id. */
function parentStats(folder: string, parent: string): JsonObject | undefined {
  const beside = listSubfolders(dirname(folder)).filter((path) => path.endsWith(`_${parent.slice(0, 8)}`))
  const meta = beside.map(parseMeta).find(({ session_id: id }) => id === parent)
  return meta && asObject(meta.stats)
}

/**
 * The totals of a session go on after a compaction or a rewind, in the new session: what its parent
 * had counted is subtracted. A session that was forked by an editor begins at zero.
 */
function usageOf(
  meta: JsonObject,
  native: string,
  model: string | undefined,
  before: JsonObject | undefined,
): Usage | undefined {
  const stats = asObject(meta.stats)
  const [input, output] = [asCount(stats.session_prompt_tokens), asCount(stats.session_completion_tokens)]
  const [sentBefore, receivedBefore] = [
    asCount(before?.session_prompt_tokens),
    asCount(before?.session_completion_tokens),
  ]
  const isContinued = input >= sentBefore && output >= receivedBefore
  const sent = isContinued ? input - sentBefore : input
  const received = isContinued ? output - receivedBefore : output
  if (sent + received === 0) return undefined
  return {
    key: `${native}/total`,
    ts: asIsoTime(asString(meta.end_time)),
    model: model ?? null,
    input: sent, // with cached tokens, which Vibe does not tell apart
    cacheRead: 0,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output: received,
    reasoning: 0,
  }
}

// Reads meta.json of a Vibe session: folder, branch, title, lineage, and the totals of its tokens.
// It also has the configuration and the system prompt, which are not kept.
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

export function readMeta(folder: string): SessionMeta {
  const meta = parseMeta(folder)
  const parent = optionalString(meta.parent_session_id)
  const model = optionalString(asObject(meta.config).active_model) ?? optionalString(meta.model)
  const native = optionalString(meta.session_id) ?? basename(folder).replace(/\.jsonl?$/, '')
  return {
    native,
    model,
    details: {
      kind: parent ? 'fork' : undefined,
      parent,
      cwd: optionalString(asObject(meta.environment).working_directory),
      branch: optionalString(meta.git_branch),
      title: optionalString(meta.title),
      titleRank: meta.title_source === 'manual' ? 4 : 0, // else the beginning of the first message
      model,
      started: asIsoTime(meta.start_time) ?? timeInName(folder),
      ended: asIsoTime(meta.end_time) ?? undefined,
    },
    steps: asCount(asObject(meta.stats).steps),
    usage: usageOf(meta, native, model, parent ? parentStats(folder, parent) : undefined),
  }
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

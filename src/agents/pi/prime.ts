// Prime Agent (source and documentation of August 2026; no file of it was seen). The tokens of a
// subagent are added to the answer that started it, so they are not counted in its own file.
import { basename, dirname, join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import { findFiles } from '../files.ts'
import { asCount, asObject, asString, optionalString } from '../json-values.ts'
import { usageOf } from './messages.ts'
import { sessionInName } from './pi.ts'
import type { PiDialect } from './state.ts'

export const prime: PiDialect = {
  addsChildUsage: true,
  ignored: ['session_state', 'agent_status', 'service_tier_change'],
  sessionOfPath: sessionInName,
  isSubagent: (path, header) => asCount(header.rlmDepth) > 0 || isOfSubagent(path),
  describe: (header) => gitOf(asObject(header.git)),
  entries: {
    git_state(entry, { session }) {
      session.about(gitOf(asObject(entry.git)))
      return []
    },
    child_usage_attributed(entry, { base, session, reading }) {
      const answer = reading.responses.find(asString(entry.targetId))
      // What a subagent's own subagents spent is not passed on: it is counted where it was added.
      const usage = answer
        ? usageOf(entry.aggregateUsage, answer)
        : usageOf(entry.childUsage, { key: `${base.key}/${base.id}`, ts: base.ts, model: null })
      if (usage) session.usage(usage)
      return []
    },
  },
}

export function primeFolders({ home, env }: Machine): string[] {
  const agent = env.PRIME_AGENT_CODING_AGENT_DIR || join(home, '.prime', 'agent')
  const configured = env.PRIME_AGENT_SESSION_DIR || env.PRIME_AGENT_CODING_AGENT_SESSION_DIR
  const sessions = configured ? [configured, join(agent, 'sessions')] : [join(agent, 'sessions')]
  return sessions.flatMap((folder) => [folder, join(dirname(folder), artifacts)])
}

const artifacts = 'session-artifacts'

/** Subagents are among the artifacts of the session that started them: `<session>/sub-<id>/`. */
export function* primeFiles(root: string): Iterable<string> {
  if (basename(root) !== artifacts) return yield* findFiles(root, /\.jsonl$/, 1)
  for (const path of findFiles(root, /\.jsonl$/, 6)) if (isOfSubagent(path)) yield path
}

function isOfSubagent(path: string): boolean {
  return basename(dirname(path)).startsWith('sub-')
}

function gitOf({ branch, repoUrl }: ReturnType<typeof asObject>) {
  return { branch: optionalString(branch), remote: optionalString(repoUrl) }
}

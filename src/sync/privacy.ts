// Decides what may leave this machine: private memories, sessions of chosen projects, and secrets
// that have to be removed first.
import type { Config } from '../core/config/config.ts'
import { matchesGlob } from '../core/paths.ts'
import { type Memory, serverOrigin } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectKeys } from '../store/sessions/projects.ts'
import { ownSpace } from '../store/sync/outbox.ts'
import { sessionsToSplit, sessionsToWithdraw } from '../store/sync/sent-sessions.ts'
import { serverItem } from '../store/sync/spaces.ts'
import { canonical, deletedHash } from './item-hash.ts'
import type { SyncContext } from './item-kind.ts'

export const privateTag = 'private'

export function isPrivate({ ledger, config, origin }: PrivacyContext, memory: Memory): boolean {
  const { type, tags, project } = memory
  const { sync } = config
  if (type === 'user' && !sync.aboutMe && !cameFromServer({ ledger, origin }, memory)) return true
  return tags.includes(privateTag) || (project !== null && sync.private.some((glob) => matchesGlob(project, glob)))
}

type PrivacyContext = Pick<SyncContext, 'ledger' | 'config' | 'origin'>

/**
 * Whether the user stored it on the server or sent it from another machine. `about_me` of this
 * machine does not delete it there: other machines would forget it. A machine can have the name
 * `server`, so the origin alone does not decide.
 */
function cameFromServer({ ledger, origin }: Omit<PrivacyContext, 'config'>, memory: Memory): boolean {
  if (memory.origin === origin) return false
  const known = serverItem(ledger, ownSpace, memory.id)
  return known !== undefined && (known.hash !== deletedHash || memory.origin === serverOrigin)
}

/** Names of the redaction rules that match any text of a document. */
export function secretRules({ redact }: Pick<SyncContext, 'redact'>, document: unknown): string[] {
  return Object.keys(redact(textsIn(document)).counts).sort()
}

/** The memory with its secrets masked; undefined if that is not possible. */
export function withoutSecrets(context: Pick<SyncContext, 'redact'>, memory: Memory): Memory | undefined {
  const clean = (text: string) => context.redact([text]).texts[0]!
  const maybe = (text: string | null) => (text === null ? null : clean(text))
  const masked: Memory = {
    ...memory,
    text: clean(memory.text),
    why: maybe(memory.why),
    apply: maybe(memory.apply),
    doubt: maybe(memory.doubt),
    tags: memory.tags.map(clean),
    keywords: memory.keywords.map(clean),
    evidence: memory.evidence.map((one) => ({
      ...one,
      quote: clean(one.quote),
      ...(one.file === undefined ? {} : { file: clean(one.file) }),
    })),
    version: memory.version + 1,
  }
  const { version: _, ...after } = masked
  const { version: __, ...before } = memory
  return canonical(after) !== canonical(before) && secretRules(context, masked).length === 0 ? masked : undefined
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** Sessions are sent only for projects that the user configured. */
export function isSessionSynced({ sync }: Pick<Config, 'sync'>, project: string | null): boolean {
  if (project === null || sync.private.some((glob) => matchesGlob(project, glob))) return false
  return sync.sessions.some((glob) => matchesGlob(project, glob))
}

interface PendingSessions {
  withdraw: string[]
  cut: string[]
}

/** Sessions to withdraw because they are no longer configured, and sessions to send. */
export function pendingSessions(ledger: Ledger, config: Pick<Config, 'sync'>, limit: number): PendingSessions {
  const isAnyChosen = config.sync.sessions.length > 0
  const projects = isAnyChosen ? projectKeys(ledger).filter((project) => isSessionSynced(config, project)) : []
  return {
    withdraw: sessionsToWithdraw(ledger, projects, limit),
    cut: isAnyChosen ? sessionsToSplit(ledger, projects, limit) : [],
  }
}

export function hasPendingSessions(ledger: Ledger, config: Pick<Config, 'sync'>): boolean {
  const { withdraw, cut } = pendingSessions(ledger, config, 1)
  return withdraw.length + cut.length > 0
}

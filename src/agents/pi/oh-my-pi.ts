// Oh My Pi, 18.2.3 as seen and 18.3.4 as read: the first line is a title of 256 bytes that is
// rewritten in place, results that left the context are rewritten under the same id, and subagents
// have files in a folder named after the file of their session.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { SessionDetails } from '../../core/session.ts'
import { listEntries, listSubfolders, readRecords } from '../files.ts'
import { asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { contentText, usageOf } from './messages.ts'
import { sessionInName } from './pi.ts'
import type { PiDialect } from './state.ts'

/** Every change of the title is also an entry of its own. */
export const titleBytes = 256

export const ohMyPi: PiDialect = {
  isKeyedById: true,
  // credential_pin identifies the account.
  ignored: ['title', 'service_tier_change', 'mode_change', 'ttsr_injection', 'credential_pin'],
  sessionOfPath: (path) => (isOfSubagent(path) ? sessionInHeader(path) : sessionInName(path)),
  isSubagent: isOfSubagent,
  describe: (header, path) => ({
    ...titleOf(header.title, header.titleSource),
    ...(isOfSubagent(path) ? { parent: ohMyPi.sessionOfPath(`${dirname(path)}.jsonl`) } : {}),
  }),
  entries: {
    // A skill that the user named is an expanded text with what was typed beside it.
    custom_message(entry, { base, reading }) {
      const { name, prompt, args } = asObject(entry.details)
      const isTyped = entry.customType === 'skill-prompt' && entry.attribution === 'user' && !reading.isSubagent
      const typed = asString(prompt) || `/skill:${asString(name)} ${asString(args)}`.trim()
      return isTyped
        ? [{ ...base, kind: 'command', role: 'user', text: typed }]
        : [{ ...base, kind: 'context', role: 'user', text: contentText(entry.content) }]
    },
    title_change(entry, { session }) {
      session.about(titleOf(entry.title, entry.source))
      return []
    },
    // A call of a model beside the conversation, such as for a title.
    model_usage(entry, { base, session }) {
      const model = optionalString(entry.model) ?? null
      const usage = usageOf(entry.usage, { key: base.key, ts: base.ts, model })
      if (usage) session.usage(usage)
      return []
    },
    reset_boundary: (_, { base }) => [{ ...base, kind: 'lifecycle', role: 'user', text: 'Context cleared' }],
    // The task follows as the first message.
    session_init(entry, { session, reading }) {
      const title = [optionalString(entry.agent), basename(reading.path, '.jsonl')].filter(Boolean).join(': ')
      session.about({ title, titleRank: 3 })
      return []
    },
  },
}

/** Profiles have folders of their own, also below the folder of the XDG specification. */
export function ohMyPiFolders({ home, env }: Machine): string[] {
  const config = join(home, env.PI_CONFIG_DIR || '.omp')
  const data = env.XDG_DATA_HOME ? [join(env.XDG_DATA_HOME, 'omp')] : []
  return [
    join(config, 'agent', 'sessions'),
    ...listSubfolders(join(config, 'profiles')).map((profile) => join(profile, 'agent', 'sessions')),
    ...data.flatMap((folder) => [
      join(folder, 'sessions'),
      ...listSubfolders(join(folder, 'profiles')).map((profile) => join(profile, 'sessions')),
    ]),
  ]
}

export function* ohMyPiFiles(root: string): Iterable<string> {
  yield* filesOfSessions(root)
  for (const project of listSubfolders(root)) yield* filesOfSessions(project)
}

/** The folder of a session also holds files of its tools, but only those of subagents are beside each other. */
function* filesOfSessions(folder: string): Iterable<string> {
  for (const { name } of listEntries(folder).filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))) {
    const path = join(folder, name)
    yield path
    yield* filesOfSessions(path.slice(0, -'.jsonl'.length))
  }
}

function isOfSubagent(path: string): boolean {
  return existsSync(`${dirname(path)}.jsonl`)
}

/** The file of a subagent is named after its task. */
function sessionInHeader(path: string): string {
  const unreported = { problem() {} }
  for (const { record } of readRecords(path, unreported)) {
    if (record.type === 'session') return asString(record.id) || sessionInName(path)
  }
  return sessionInName(path)
}

function titleOf(title: JsonObject[string], source: JsonObject[string]): SessionDetails {
  return optionalString(title) ? { title: asString(title), titleRank: source === 'user' ? 4 : 3 } : {}
}

// Continue, its extensions for editors and its command line `cn` (1.5.47): one JSON file per
// session, rewritten with every message.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Machine } from '../../core/paths.ts'
import type { Agent } from '../agent.ts'
import { listEntries } from '../files.ts'
import { blockIn } from '../instruction-files.ts'
import { asArray, asIsoTime, asObject, asString, parseJson } from '../json-values.ts'
import { readSession } from './reader.ts'

export const continueDev: Agent = {
  id: 'continue',
  name: 'Continue',
  aliases: ['cn'],
  roots: (machine) => [homeOf(machine)],
  *find(root) {
    const folder = join(root, 'sessions')
    const startOf = startTimes(join(folder, index))
    for (const { name } of listEntries(folder).filter((entry) => entry.isFile())) {
      if (!name.endsWith('.json') || name === index) continue
      const path = join(folder, name)
      yield {
        shape: 'document',
        path,
        read(out) {
          readSession(path, startOf(basename(name, '.json')), out)
          return undefined
        },
      }
    }
  },
  instructions: {
    readsOthers: true,
    inProject: (root) => ({
      rules: blockIn(join(root, '.continue/rules/recollect.md')),
      // The first one that exists.
      alsoReads: agentFiles
        .map((name) => join(root, name))
        .filter((path) => existsSync(path))
        .slice(0, 1),
      skills: { folder: join(root, '.continue/skills'), alsoReads: [join(root, '.claude/skills')] },
    }),
    ofUser: (machine) => ({
      rules: blockIn(join(homeOf(machine), 'rules/recollect.md')),
      alsoReads: [],
      skills: { folder: join(homeOf(machine), 'skills'), alsoReads: [] },
    }),
  },
  sender: {
    // From the source of June 2026: `cn` would run the hooks of Claude Code, but 1.5.47 runs none.
    variable: 'CONTINUE_PROJECT_DIR',
    transcriptFolder: '.continue/sessions',
    recognises: (fields) => /[\\/]\.continue[\\/]+sessions[\\/]/.test(fields.get('transcript_path') ?? ''),
  },
  userReplies: { questionTools: ['AskQuestion'] },
}

const agentFiles = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md', 'CODEX.md']

function homeOf({ home, env }: Machine): string {
  return env.CONTINUE_GLOBAL_DIR || join(home, '.continue')
}

/** Lists all sessions; only it has the time at which each began. */
const index = 'sessions.json'

/** The list is read once, and only if a session has changed. */
function startTimes(path: string): (session: string) => string | undefined {
  let starts: Map<string, string | undefined> | undefined
  return (session) => {
    starts ??= new Map(
      entriesIn(path).map((entry) => [asString(entry.sessionId), asIsoTime(Number(entry.dateCreated)) ?? undefined]),
    )
    return starts.get(session)
  }
}

function entriesIn(path: string) {
  try {
    return asArray(parseJson(readForeignText(path))).map(asObject)
  } catch {
    return [] // it is missing
  }
}

// Lists every command by group, in the order of the help. A command is loaded when it is used:
// loading all of them would take most of the start-up time.
import type { CommandContext } from './command.ts'

export type AddCommand = (cli: CommandContext) => void
type Loader = () => Promise<AddCommand>

const groups = {
  'Most used': {
    search: async () => (await import('./sessions/search.ts')).addSearch,
    recall: async () => (await import('./memories/recall.ts')).addRecall,
    remember: async () => (await import('./memories/remember.ts')).addRemember,
    status: async () => (await import('./maintenance/status.ts')).addStatus,
    serve: async () => (await import('./serve.ts')).addServe,
  },
  Sessions: {
    sessions: async () => (await import('./sessions/sessions.ts')).addSessions,
    show: async () => (await import('./sessions/show.ts')).addShow,
    resume: async () => (await import('./sessions/restore.ts')).addResume,
    restore: async () => (await import('./sessions/restore.ts')).addRestore,
    handoff: async () => (await import('./sessions/handoff.ts')).addHandoff,
    uncompact: async () => (await import('./sessions/uncompact.ts')).addUncompact,
    timeline: async () => (await import('./sessions/timeline.ts')).addTimeline,
    fix: async () => (await import('./sessions/fix.ts')).addFix,
    how: async () => (await import('./sessions/how.ts')).addHow,
    why: async () => (await import('./sessions/why.ts')).addWhy,
    blame: async () => (await import('./sessions/blame.ts')).addBlame,
    cost: async () => (await import('./sessions/cost.ts')).addCost,
    statusline: async () => (await import('./sessions/statusline.ts')).addStatusline,
    delete: async () => (await import('./sessions/delete.ts')).addDelete,
  },
  Memories: {
    memories: async () => (await import('./memories/memories.ts')).addMemories,
    edit: async () => (await import('./memories/edit.ts')).addEdit,
    move: async () => (await import('./memories/edit.ts')).addMove,
    forget: async () => (await import('./memories/forget.ts')).addForget,
    inbox: async () => (await import('./memories/memories.ts')).addInbox,
    link: async () => (await import('./memories/link.ts')).addLink,
    unlink: async () => (await import('./memories/link.ts')).addUnlink,
    history: async () => (await import('./memories/undo.ts')).addHistory,
    undo: async () => (await import('./memories/undo.ts')).addUndo,
    consolidate: async () => (await import('./memories/consolidate.ts')).addConsolidate,
    brief: async () => (await import('./memories/brief.ts')).addBrief,
    replay: async () => (await import('./memories/replay.ts')).addReplay,
    import: async () => (await import('./memories/import.ts')).addImport,
    export: async () => (await import('./memories/export.ts')).addExport,
  },
  'Journal and wiki': {
    journal: async () => (await import('./wiki/journal.ts')).addJournal,
    wiki: async () => (await import('./wiki/wiki.ts')).addWiki,
  },
  Patterns: {
    patterns: async () => (await import('./patterns/patterns.ts')).addPatterns,
    retro: async () => (await import('./patterns/retro.ts')).addRetro,
  },
  'Other machines and teams': {
    sync: async () => (await import('./team/sync.ts')).addSync,
    share: async () => (await import('./team/share.ts')).addShare,
    unshare: async () => (await import('./team/share.ts')).addUnshare,
    server: async () => (await import('./server/server.ts')).addServer,
  },
  Setup: {
    install: async () => (await import('./setup/install.ts')).addInstall,
    uninstall: async () => (await import('./setup/install.ts')).addUninstall,
    schedule: async () => (await import('./setup/schedule.ts')).addSchedule,
    config: async () => (await import('./setup/config.ts')).addConfig,
    models: async () => (await import('./setup/models.ts')).addModels,
    mcp: async () => (await import('./setup/mcp.ts')).addMcp,
    upgrade: async () => (await import('./setup/upgrade.ts')).addUpgrade,
    completion: async () => (await import('./setup/completion.ts')).addCompletion,
  },
  Maintenance: {
    sweep: async () => (await import('./maintenance/sweep.ts')).addSweep,
    doctor: async () => (await import('./maintenance/doctor.ts')).addDoctor,
    du: async () => (await import('./maintenance/status.ts')).addDu,
    rebuild: async () => (await import('./maintenance/rebuild.ts')).addRebuild,
    watch: async () => (await import('./maintenance/work.ts')).addWatch,
    work: async () => (await import('./maintenance/work.ts')).addWork,
    judge: async () => (await import('./maintenance/judge.ts')).addJudge,
  },
} satisfies Record<string, Record<string, Loader>>

/** Commands whose output may be long and that ask nothing: a pager shows it. */
export const pagedCommands: ReadonlySet<string> = new Set([
  ...['search', 'recall', 'sessions', 'show', 'timeline', 'fix', 'how', 'why', 'blame', 'cost'],
  ...['memories', 'history', 'brief', 'replay', 'journal', 'wiki', 'wiki show', 'retro', 'help', 'config', 'doctor'],
  ...['patterns detect', 'patterns list', 'patterns show', 'patterns measure'],
])

/** Names that people know from other programs. */
const otherNames: Readonly<Record<string, string>> = {
  list: 'sessions',
  ls: 'sessions',
  find: 'search',
  grep: 'search',
  ask: 'recall',
  add: 'remember',
  usage: 'cost',
  log: 'timeline',
  setup: 'install',
  settings: 'config',
  web: 'serve',
  open: 'serve',
}

/** The command that a name stands for; undefined if there is none. */
export function commandFor(name: string): string | undefined {
  return loaders.has(name) ? name : otherNames[name]
}

/** Titles of the help with the names of the commands below each. */
export const commandGroups: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(groups).map(([title, commands]) => [title, Object.keys(commands)]),
)

const loaders: ReadonlyMap<string, Loader> = new Map(
  Object.values(groups).flatMap((commands) => Object.entries(commands)),
)

export const commandNames: readonly string[] = [...loaders.keys()]

export function loadCommand(name: string): Promise<AddCommand> {
  return loaders.get(name)!()
}

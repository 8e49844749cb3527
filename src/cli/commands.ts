// Every command by its name, in the order of the help. Each is loaded when it is asked for: together they are most of the program.
import type { CommandContext } from './command.ts'

type Add = (cli: CommandContext) => void

const commands = {
  overview: async () => (await import('./overview.ts')).addOverview,
  sweep: async () => (await import('./maintenance/sweep.ts')).addSweep,
  sessions: async () => (await import('./sessions/sessions.ts')).addSessions,
  search: async () => (await import('./sessions/search.ts')).addSearch,
  recall: async () => (await import('./memories/recall.ts')).addRecall,
  show: async () => (await import('./sessions/show.ts')).addShow,
  timeline: async () => (await import('./sessions/timeline.ts')).addTimeline,
  blame: async () => (await import('./sessions/blame.ts')).addBlame,
  brief: async () => (await import('./memories/brief.ts')).addBrief,
  cost: async () => (await import('./sessions/cost.ts')).addCost,
  status: async () => (await import('./maintenance/status.ts')).addStatus,
  du: async () => (await import('./maintenance/status.ts')).addDu,
  doctor: async () => (await import('./maintenance/doctor.ts')).addDoctor,
  config: async () => (await import('./setup/config.ts')).addConfig,
  rebuild: async () => (await import('./maintenance/rebuild.ts')).addRebuild,
  install: async () => (await import('./setup/install.ts')).addInstall,
  uninstall: async () => (await import('./setup/install.ts')).addUninstall,
  schedule: async () => (await import('./setup/schedule.ts')).addSchedule,
  work: async () => (await import('./maintenance/work.ts')).addWork,
  watch: async () => (await import('./maintenance/work.ts')).addWatch,
  mcp: async () => (await import('./setup/mcp.ts')).addMcp,
  sync: async () => (await import('./team/sync.ts')).addSync,
  server: async () => (await import('./server/server.ts')).addServer,
  share: async () => (await import('./team/share.ts')).addShare,
  unshare: async () => (await import('./team/share.ts')).addUnshare,
  memories: async () => (await import('./memories/memories.ts')).addMemories,
  remember: async () => (await import('./memories/remember.ts')).addRemember,
  forget: async () => (await import('./memories/remember.ts')).addForget,
  inbox: async () => (await import('./memories/memories.ts')).addInbox,
  undo: async () => (await import('./memories/undo.ts')).addUndo,
  history: async () => (await import('./memories/undo.ts')).addHistory,
  import: async () => (await import('./memories/import.ts')).addImport,
  export: async () => (await import('./memories/export.ts')).addExport,
  journal: async () => (await import('./wiki/journal.ts')).addJournal,
  wiki: async () => (await import('./wiki/wiki.ts')).addWiki,
  consolidate: async () => (await import('./memories/consolidate.ts')).addConsolidate,
  patterns: async () => (await import('./patterns/patterns.ts')).addPatterns,
  retro: async () => (await import('./patterns/retro.ts')).addRetro,
  models: async () => (await import('./setup/models.ts')).addModels,
  judge: async () => (await import('./maintenance/judge.ts')).addJudge,
} satisfies Record<string, () => Promise<Add>>

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as CommandName[]

export function loadCommand(name: CommandName): Promise<Add> {
  return commands[name]()
}

// Every command by its name, in the order of the help. Each is loaded when it is asked for: together they are most of the program.
import type { Door } from './command.ts'

type Add = (door: Door) => void

const commands = {
  overview: async () => (await import('./overview.ts')).addOverview,
  sweep: async () => (await import('./sweep.ts')).addSweep,
  sessions: async () => (await import('./sessions.ts')).addSessions,
  search: async () => (await import('./search.ts')).addSearch,
  recall: async () => (await import('./recall.ts')).addRecall,
  show: async () => (await import('./show.ts')).addShow,
  timeline: async () => (await import('./timeline.ts')).addTimeline,
  blame: async () => (await import('./blame.ts')).addBlame,
  brief: async () => (await import('./brief.ts')).addBrief,
  cost: async () => (await import('./cost.ts')).addCost,
  status: async () => (await import('./status.ts')).addStatus,
  du: async () => (await import('./du.ts')).addDu,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  config: async () => (await import('./config.ts')).addConfig,
  rebuild: async () => (await import('./rebuild.ts')).addRebuild,
  install: async () => (await import('./install.ts')).addInstall,
  uninstall: async () => (await import('./install.ts')).addUninstall,
  schedule: async () => (await import('./schedule.ts')).addSchedule,
  work: async () => (await import('./work.ts')).addWork,
  watch: async () => (await import('./watch.ts')).addWatch,
  mcp: async () => (await import('./mcp.ts')).addMcp,
  sync: async () => (await import('./sync.ts')).addSync,
  server: async () => (await import('./server.ts')).addServer,
  share: async () => (await import('./share.ts')).addShare,
  unshare: async () => (await import('./share.ts')).addUnshare,
  memories: async () => (await import('./memories.ts')).addMemories,
  remember: async () => (await import('./remember.ts')).addRemember,
  forget: async () => (await import('./remember.ts')).addForget,
  inbox: async () => (await import('./inbox.ts')).addInbox,
  undo: async () => (await import('./undo.ts')).addUndo,
  history: async () => (await import('./undo.ts')).addHistory,
  import: async () => (await import('./import.ts')).addImport,
  export: async () => (await import('./export.ts')).addExport,
  journal: async () => (await import('./journal.ts')).addJournal,
  wiki: async () => (await import('./wiki.ts')).addWiki,
  consolidate: async () => (await import('./consolidate.ts')).addConsolidate,
  patterns: async () => (await import('./patterns.ts')).addPatterns,
  retro: async () => (await import('./retro.ts')).addRetro,
  models: async () => (await import('./models.ts')).addModels,
  judge: async () => (await import('./judge.ts')).addJudge,
} satisfies Record<string, () => Promise<Add>>

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as CommandName[]

export function loadCommand(name: CommandName): Promise<Add> {
  return commands[name]()
}

// The contract of an agent: everything that the rest of the program knows about one. Each folder
// implements it, registry.ts lists the implementations, and test/agents holds the suite that all of
// them pass. Readers turn the agent's records into events and never touch the ledger.
import type { CommonTools } from '../core/conversation/common-tools.ts'
import type { Conversation } from '../core/conversation/conversation.ts'
import type { RepairPart } from '../core/conversation/repaired-part.ts'
import type { Machine } from '../core/paths.ts'
import type { Event, Json, SessionDetails, Usage, UsageLimit } from '../core/session.ts'
import type { MemoryKind, MemoryTrust, MemoryType } from '../memory/memory.ts'

export interface Agent {
  id: string
  /** Name for display. */
  name: string
  /** Other names that people type for it. */
  aliases?: readonly string[]
  /**
   * Folders (or files) where this agent keeps transcripts, from its own environment variables. They
   * need not exist.
   */
  roots(machine: Machine): string[]
  /** Finds the transcripts below one root by name, without reading them. */
  find(root: string): Iterable<Transcript>
  /** Missing if the agent has no hooks. */
  hooks?: Hooks
  /** For agents without hooks of their own that run those of other agents. */
  sender?: HookSender
  /** The edit that makes the agent show the output of a command. Missing if it has no status line. */
  statusLine?(machine: Machine, command: string): HookFile
  /** Missing if it is not known where the agent keeps the user's MCP servers. */
  mcp?: McpFile
  /** Missing if the agent keeps no memories of its own. */
  memories?: NativeMemories
  /** Missing if it is not known where the agent reads instructions. */
  instructions?: Instructions
  /**
   * The command that continues a session, with `<id>` for its id. Missing if the agent documents
   * none.
   */
  resume?: string
  /** Whether the provider `claude-fork` can continue its sessions. */
  isForkable?: boolean
  /** Whether its context keeps the user's prompts word for word after a compaction. */
  keepsPrompts?: boolean
  /** Missing if tool results of this agent never contain text that the user typed. */
  userReplies?: UserReplies
  /** Missing if the service of this agent takes any part of a restored record, also an altered one. */
  repairPart?: RepairPart
  /** Missing if a conversation of another agent cannot be written as a transcript of this one. */
  handoff?: HandoffTarget
}

/** How a conversation of another agent becomes a session of this one. */
export interface HandoffTarget {
  /** The agent's names for common tools. */
  tools: CommonTools
  /** Returns the transcript as the agent itself would have written it, under a new id. */
  write(conversation: Conversation, machine: Machine): NativeTranscript
  /** Whether the real client, and not only our reader, was seen to continue such a transcript. */
  seenWith?: string
}

export interface NativeTranscript {
  /** The agent's own id of the new session. */
  id: string
  /** One of the agent's roots. */
  root: string
  /** Below the root, the transcript last. Files other than it are written only if they are missing. */
  files: { path: string; content: string }[]
}

/**
 * Where tool results contain text that the user typed: the reason for a denied call, and answers to
 * questions of the agent. Strings are sources of regular expressions, except names of tools. They
 * are applied to results of this agent only: another agent's tool may print the same text.
 */
export interface UserReplies {
  /**
   * The whole text from the beginning of a denied result to the reason, in any case. The reader must
   * report `denied` with such a text only if the client wrote it: tools can print it too.
   */
  denials?: readonly string[]
  /** Text that the user types while approving is in the record of the result. */
  hasComments?: boolean
  /** Begins a paragraph for the model after the reason. */
  trailingNote?: string
  /** Tools that ask the user. A name in camel case stands for its snake case too. */
  questionTools?: readonly string[]
  /** Words before the answer, in a result that contains one answer only. */
  answerPrefixes?: readonly string[]
  /**
   * For results that repeat each question: captures the question, the answer, and optionally a note
   * of the user.
   */
  answerPatterns?: readonly string[]
}

export interface NativeMemories {
  /** Finds the files that hold memories, except those that we exported. */
  find(machine: Machine): NativeFile[]
  /** Whether an agent that writes to this path stores a memory. */
  isMemoryPath(path: string): boolean
  /** Further folders that the user's settings name for memories; Markdown files in them are some. */
  configuredFolders?(machine: Machine): string[]
  /** Splits a file into statements that can be read alone. */
  read(file: NativeFile, content: string): NativeNote[]
  /**
   * Folder for exported memories of the project at a root, and the agent's home that contains it.
   * Throws a user error if the agent reads memories elsewhere. Missing if it reads none from files.
   */
  exportFolder?(machine: Machine, root: string): { home: string; folder: string }
}

export interface NativeFile {
  path: string
  /**
   * Folder of the same project's transcripts; its name is derived from the project's path. Missing
   * for a folder that all projects share.
   */
  transcripts?: string
}

export interface NativeNote {
  text: string
  /** Enclosing headings, outermost first; they make the statement understandable alone. */
  headings: string[]
  type?: MemoryType
  kind?: MemoryKind
  trust: MemoryTrust
  /**
   * Valid everywhere, or for the project around a folder; by default for the project of its file.
   */
  scope?: { kind: 'everywhere' } | { kind: 'folder'; folder: string }
  /** The agent's own id of the session in which it was learned. */
  session?: string
}

/** Where an agent reads instructions and skills. */
export interface Instructions {
  inProject(root: string): InstructionFiles
  /** Missing if the agent keeps the user's instructions in no file. */
  ofUser?(machine: Machine): InstructionFiles
  /**
   * It reads the files of other agents, so it is served after them and gets only what is missing.
   */
  readsOthers?: boolean
}

export interface InstructionFiles {
  /** The file for rules: a marked block in it, or a file of our own in Cursor's format. */
  rules: { path: string; form: 'block' | 'cursor rule' }
  /** Other files that the agent reads: a rule that is already there is not repeated. */
  alsoReads: string[]
  /**
   * Folder for skills, and other folders where the agent finds them; missing if it has no skills.
   */
  skills?: { folder: string; alsoReads: string[] }
}

export interface Hooks {
  /** The events that we subscribe to, by the agent's own name, and what each one means. */
  events: Readonly<Record<string, HookMoment>>
  /** Missing if the agent takes no text from a hook. */
  brief?: BriefAnswer
  /**
   *  The event at which the agent accepts text for a prompt, and the entry for our command.
   * Installed only if the user wants it; missing if the agent accepts no text.
   */
  prompt?: { event: string; entry(command: string): JsonEntry }
  /**
   * The events at which the agent accepts a hint. Installed only if the user wants it; missing if the
   * agent accepts none.
   */
  hints?: Readonly<Record<HintMoment, HintEvent>>
  /**
   * The event before a compaction whose plain output becomes a part of the request for the summary.
   * Missing if the agent ignores it.
   */
  summaryEvent?: string
  /** A file or folder that exists if the agent is installed. */
  home(machine: Machine): string
  /** The files that make the agent run `command(event)` at every event. */
  files(machine: Machine, command: (event: string) => string): HookFile[]
  /** The format of our plugin that can carry these hooks. */
  plugin?: 'claude' | 'codex'
  /** Whether the agent's configuration enables our plugin. */
  hasPlugin?(machine: Machine): boolean
  /** What the agent notes when the user adds our plugin from this folder. */
  pluginTraces?(machine: Machine, marketplace: string): PluginTraces
  /** Instructions for the user after the installation, if anything is left to do by hand. */
  afterwards?: string
  /** Whether the user has approved our hooks, for agents that ask; undefined if that is unknown. */
  isTrusted?(machine: Machine): boolean | undefined
  /** For agents that also run hooks that were installed for another agent. */
  sender?: HookSender
  /** Marks of sessions that the agent starts for its own purposes; hooks ignore them. */
  internal?: { variable?: string; folder?: string }
}

export interface PluginTraces {
  /** Whether it has noted that folder; a plugin from elsewhere is none of our business. */
  isNoted: boolean
  files: PluginTrace[]
  /** Its copies of the plugin. */
  folders: string[]
}

export interface PluginTrace {
  file: Extract<HookFile, { kind: 'json' | 'toml table' }>
  /** Paths in a JSON file at which the agent creates an object for it. */
  made: string[][]
  /** What a file that the agent creates for it has left without it. */
  empty: Json
}

/**
 * The answer to a `start` that puts a brief into the conversation: the text before and after the
 * brief, which is a JSON string with its quotes.
 */
export interface BriefAnswer {
  before: string
  after: string
  /** The agent does not keep the brief in its transcript, so a resumed session gets it again. */
  onResume?: boolean
}

/** After a command that failed, and before an edit of a file. */
export type HintMoment = 'failure' | 'edit'

export interface HintEvent {
  event: string
  /** The entry for our command, limited to the tools that run commands or edit files. */
  entry(command: string): JsonEntry
}

/**
 *  How to recognise that this agent runs a hook, whichever agent the hook was installed for. Plain
 * data as far as possible: the hook script has no registry and gets its cases generated from it.
 */
export interface HookSender {
  /** Environment variable that is set only while this agent runs a hook. */
  variable?: string
  /**
   * End of the folder with the transcripts that this agent names in its payloads. In a hook of
   * another agent it prevents a brief.
   */
  transcriptFolder?: string
  /** Environment variable with the project's folder, if the agent runs its hooks elsewhere. */
  folderVariable?: string
  /**
   * Payload fields that this agent sends. In a hook of an agent without them they prevent a brief.
   */
  payloadFields?: readonly string[]
  /** Whether a payload is this agent's; values are raw JSON. */
  recognises(fields: ReadonlyMap<string, string>): boolean
}

/**
 * `start`: a conversation begins, or continues after a compaction. `turn`: the agent has answered.
 * `end`: the session is over.
 */
export type HookMoment = 'start' | 'turn' | 'compact' | 'end'

/** The file in which an agent keeps the MCP servers that the user has in every project. */
export interface McpFile {
  path(machine: Machine): string
  format: 'json' | 'toml'
  /** The key above the names of servers. */
  key: string
  /** The agent does not read a JSON file with these. */
  rejects?: readonly JsonExtension[]
  entry(server: McpServerCommand): Record<string, Json>
}

/** How an agent starts our MCP server. */
export interface McpServerCommand {
  command: string
  args: string[]
  env?: Record<string, string>
}

/**
 * Edits as data. Existing content is left alone, byte for byte, and additions can be removed
 * exactly.
 */
export type HookFile =
  /** A file of our own. */
  | { kind: 'own'; path: string; content: string }
  /**
   * A JSON file of the agent. It may have comments and trailing commas, unless the agent does not
   * read a file with them (`rejects`).
   */
  | { kind: 'json'; path: string; entries: JsonEntry[]; rejects?: readonly JsonExtension[] }
  /** A TOML file of the agent: the text is appended. */
  | { kind: 'toml'; path: string; text: string }
  /** A TOML file of the agent: the text of one table, with its header, is appended. */
  | { kind: 'toml table'; path: string; at: readonly string[]; text: string }

/** What JSON itself does not allow. */
export type JsonExtension = 'comment' | 'trailing comma'

export type JsonEntry =
  /** Appended to the list at this path; the list is created if it is missing. */
  | { at: readonly string[]; item: Json }
  /** Set unless there is a value at this path. */
  | { at: readonly string[]; fallback: Json }
  /** Set unless there is a value of somebody else at this path; keys that were added to ours stay. */
  | { at: readonly string[]; member: Record<string, Json> }

/**
 * A `log` only grows by lines: it is read from where the last sweep stopped, with the reader's own
 * small state. A `document` is rewritten or replayed (JSON files, databases, update logs): it is
 * read completely when it has changed, and replaces the stored content of its sessions, of which events
 * that it no longer has are kept.
 */
export type Transcript = LogTranscript | DocumentTranscript

interface TranscriptFile {
  path: string
  /** Other files whose change means that this transcript must be read again. */
  also?: string[]
}

export interface LogTranscript extends TranscriptFile {
  shape: 'log'
  /** A list of sessions, and not the transcript of one: its lines are not kept. */
  isIndex?: boolean
  /** A small JSON file that the agent wrote once and needs to continue the session: it is kept with the lines. */
  beside?: string
  /**
   * Bytes at the beginning that the agent rewrites in place, such as a title. A change of them alone
   * neither starts the file over nor is it read: the agent must append the same facts.
   */
  rewrittenBytes?: number
  /** Whether a line can be skipped without parsing it; for frequent records without content. */
  isNoise?(line: Buffer): boolean
  open(out: ReaderOutput, state: Json | undefined): LogReader
}

export interface LogReader {
  /** Reads one parsed line. Any field may be missing or of another type: must not throw. */
  record(record: Record<string, Json>, offset: number): void
  /** The state that the next sweep needs to continue: plain JSON, small. */
  state(): Json
}

export interface DocumentTranscript extends TranscriptFile {
  shape: 'document'
  /**
   * Emits every session whose content may have changed. `memo` is the result of the last read: a
   * database reader keeps the version of each session in it (`readChanged` in database.ts).
   */
  read(out: ReaderOutput, memo: Json | undefined): Json | undefined
}

/** Receives what a reader finds. */
export interface ReaderOutput {
  session(native: string): SessionOutput
  /**
   * Whether enough was emitted for one batch. A document with many sessions may then stop and
   * return a memo of what it has emitted so far; it is called again.
   */
  isFull(): boolean
  /** Reports a part that could not be read; the rest is still read. */
  problem(offset: number, reason: string): void
  /**
   * Reports a record type that this reader does not know: counted and shown by `doctor`, never an
   * error.
   */
  unknownType(type: string): void
  /** Reports what is left of the allowance of the account; only the latest of each window is kept. */
  rateLimits(limits: readonly UsageLimit[]): void
}

export interface SessionOutput {
  about(fields: SessionDetails): void
  event(event: Event): void
  usage(usage: Usage): void
}

/** What all events made of one record share. */
export type EventBase = Pick<Event, 'id' | 'key' | 'ts'>

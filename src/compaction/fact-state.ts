// What is gathered of a session: small plain data that is saved between turns.
import type { Task } from '../digest/task-list.ts'
import type { NameKind } from './names.ts'

export interface FactState {
  /** Events folded. */
  through: number
  /** Maps, because names such as `hasOwnProperty` are properties of every object. */
  names: Map<string, NameFact>
  /** Commands that worked, by their text without filters. */
  commands: Map<string, CommandFact>
  statements: StatementFact[]
  /** The agent's task list, as it last wrote it. */
  tasks: Task[]
  /** Failures that were not followed by a success, by the programs of the command. */
  errors: Map<string, ErrorFact>
  /** What the agent asked last, until the person answers. */
  question: { text: string; seq: number; at: string | null } | null
  /** Places of the last prompts: a rewind removes what came behind them. */
  prompts: number[]
  lastReply: string
  /** What replaced the events before the last compaction, until the agent goes on. */
  summary: { text: string; isComplete: boolean } | null
  openCalls: Map<string, { command: string; tool: string }>
}

/** Where a name occurred. */
export interface NameFact {
  kind: NameKind
  firstSeq: number
  lastSeq: number
  times: number
  at: string | null
  isSaid?: true
  /** The agent acted on it, not only read it in some output. */
  isUsed?: true
  editSeq?: number
  /** The sentence with the name, if somebody wrote one; typed by the person, or of the agent. */
  sentence?: string
  isTyped?: true
}

export interface CommandFact {
  /** As it was run last. */
  text: string
  lastSeq: number
  times: number
  at: string | null
}

export interface StatementFact {
  kind: 'constraint' | 'decision'
  text: string
  seq: number
  at: string | null
  /** How likely it is worth keeping, 0 to 1. */
  score: number
}

export interface ErrorFact {
  command: string
  message: string
  /** Its programs that have not passed since. */
  open: string[]
  seq: number
  at: string | null
}

export function newFactState(): FactState {
  return {
    through: 0,
    names: new Map(),
    commands: new Map(),
    statements: [],
    tasks: [],
    errors: new Map(),
    question: null,
    prompts: [],
    lastReply: '',
    summary: null,
    openCalls: new Map(),
  }
}

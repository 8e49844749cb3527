// Transcripts of made-up sessions, as four agents keep them: logs (Claude Code, Codex), a document per session (Gemini
// CLI) and a database of all sessions (OpenCode). Every turn has words of its own, by which it is found again.
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { claudeSession, lines, sessionName } from './program.ts'

export const growingAgents = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const
type GrowingAgent = (typeof growingAgents)[number]

/** A turn of a session; a fork repeats turns of another one. */
interface Turn {
  of: number
  number: number
}

interface GrowingSession {
  agent: GrowingAgent
  number: number
  turns: number
}

/** A part of a session, or all of it. */
interface Transcript {
  /** In the home; all sessions of a database have one. */
  path: string
  session: GrowingSession
  turns: Turn[]
  /** Whether the agent has removed outputs from the session to save room. */
  cleared: boolean
  /** Whether it is a log that ends, or once ended, within a turn: its reader may wait for the rest. */
  isCut: boolean
}

export class GrowingTranscripts {
  readonly #home: string
  #all: Transcript[] = []
  #sessions: GrowingSession[] = []
  #places = 0

  constructor(home: string) {
    this.#home = home
  }

  appear(agent: GrowingAgent, turns: number): void {
    const session = this.#newSession(agent)
    this.#add(session, [])
    this.#say(this.#all.at(-1)!, turns)
  }

  /** The person goes on in one of the transcripts. */
  grow(which: number, turns: number): void {
    const one = this.#chosen(which)
    if (one) this.#say(one, turns)
  }

  /** The session is resumed in another folder: its next turns are in another file, which may repeat the earlier ones. */
  split(which: number, isCopy: boolean): void {
    const one = this.#chosen(which)
    if (!one || one.session.agent === 'opencode') return
    this.#add(one.session, isCopy ? one.turns : [])
    this.#say(this.#all.at(-1)!, 1)
  }

  /** A new session begins with the turns of another one, under the ids that they have there. */
  fork(which: number): void {
    const one = this.#chosen(which)
    if (one?.session.agent !== 'claude-code') return
    this.#add(this.#newSession('claude-code'), one.turns)
    this.#say(this.#all.at(-1)!, 1)
  }

  rename(which: number): void {
    const one = this.#chosen(which)
    if (!one || one.session.agent === 'opencode') return
    const from = this.#at(one)
    one.path = this.#place(one.session)
    mkdirSync(dirname(this.#at(one)), { recursive: true })
    renameSync(from, this.#at(one))
  }

  /** Cuts a log off anywhere; of a document, the last turns go. */
  truncate(which: number, share: number): void {
    const one = this.#chosen(which)
    if (!one) return
    one.turns = one.turns.slice(0, Math.floor(one.turns.length * share))
    if (isLog(one)) {
      one.isCut = true
      truncateSync(this.#at(one), Math.floor(readFileSync(this.#at(one)).length * share))
    } else this.#write(one)
  }

  clearOutputs(which: number): void {
    const one = this.#chosen(which)
    if (!one || isLog(one)) return
    one.cleared = true
    this.#write(one)
  }

  delete(which: number): void {
    const one = this.#chosen(which)
    if (!one) return
    this.#all = this.#all.filter((other) => other !== one)
    rmSync(this.#at(one))
    if (one.session.agent === 'opencode') this.#writeDatabase(one.path)
  }

  /** All words of transcripts that are whole. */
  words(): Set<string> {
    const whole = this.#all.filter(({ isCut }) => !isCut)
    const texts = whole.map((one) =>
      isLog(one) ? readFileSync(this.#at(one), 'utf8') : JSON.stringify(contentOf(one)),
    )
    return new Set(texts.flatMap((text) => text.match(anyWord) ?? []))
  }

  /** All words of all times. */
  vocabulary(): string[] {
    return this.#sessions.flatMap(({ number, turns }) =>
      Array.from({ length: turns }, (_, turn) => Object.values(wordsOf({ of: number, number: turn }))).flat(),
    )
  }

  #chosen(which: number): Transcript | undefined {
    return this.#all[Math.floor(which * this.#all.length)]
  }

  #newSession(agent: GrowingAgent): GrowingSession {
    const session = { agent, number: this.#sessions.length, turns: 0 }
    this.#sessions.push(session)
    return session
  }

  #add(session: GrowingSession, turns: readonly Turn[]): void {
    const one = { path: this.#place(session), session, turns: [...turns], cleared: false, isCut: false }
    this.#all.push(one)
    this.#write(one)
  }

  #say(one: Transcript, turns: number): void {
    for (let count = 0; count < turns; count++) {
      one.turns.push({ of: one.session.number, number: one.session.turns++ })
      if (!isLog(one)) continue
      const before = readFileSync(this.#at(one), 'utf8')
      const isTorn = before !== '' && !before.endsWith('\n')
      writeFileSync(this.#at(one), `${before}${isTorn ? '\n' : ''}${lines(recordsOf(one, one.turns.at(-1)!))}`)
    }
    if (!isLog(one)) this.#write(one)
  }

  #place({ agent, number }: GrowingSession): string {
    const place = this.#places++
    const id = sessionName(number)
    switch (agent) {
      case 'claude-code':
        return `.claude/projects/-home-dev-app-${place}/${id}.jsonl`
      case 'codex': {
        const name = `rollout-2026-09-01T${String(place % 24).padStart(2, '0')}-00-00-${id}.jsonl`
        return place % 2 === 0 ? `.codex/sessions/2026/09/01/${name}` : `.codex/archived_sessions/${name}`
      }
      case 'gemini-cli': {
        const time = `2026-09-01T10-${String(place % 60).padStart(2, '0')}`
        return `.gemini/tmp/app-${place}/chats/session-${time}-${id.slice(0, 8)}.json`
      }
      case 'opencode':
        return '.local/share/opencode/opencode.db'
    }
  }

  #write(one: Transcript): void {
    mkdirSync(dirname(this.#at(one)), { recursive: true })
    if (one.session.agent === 'opencode') this.#writeDatabase(one.path)
    else if (isLog(one))
      writeFileSync(this.#at(one), lines([...headOf(one), ...one.turns.flatMap((turn) => recordsOf(one, turn))]))
    else writeFileSync(this.#at(one), JSON.stringify(contentOf(one)))
  }

  #writeDatabase(path: string): void {
    const sessions = this.#all.filter((one) => one.path === path)
    rmSync(join(this.#home, path), { force: true })
    if (sessions.length === 0) return
    const database = new DatabaseSync(join(this.#home, path))
    database.exec(`BEGIN;
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, version TEXT, time_created, time_updated);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created, time_updated, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created, time_updated, data TEXT)`)
    const insert = (table: string, ...values: (string | number)[]) =>
      database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
    for (const one of sessions) {
      const id = sessionName(one.session.number)
      const changedMs = timeOf({ of: one.session.number, number: one.turns.length }, 0)
      insert(
        'session',
        id,
        '/home/dev/app',
        'New session',
        '1.4.2',
        timeOf({ of: one.session.number, number: 0 }, 0),
        changedMs,
      )
      for (const { id: message, ms, data, parts } of messagesOf(one)) {
        insert('message', message, id, ms, changedMs, JSON.stringify(data))
        for (const [index, part] of parts.entries())
          insert('part', `${message}-${index}`, message, id, ms, changedMs, JSON.stringify(part))
      }
    }
    database.exec('COMMIT')
    database.close()
  }

  #at({ path }: Transcript): string {
    return join(this.#home, path)
  }
}

/** What is said, answered and printed in a turn. */
export function wordsOf(turn: Turn): { asked: string; answered: string; printed: string } {
  const word = (kind: string) => `zq${kind}${lettersOf(turn.of)}x${lettersOf(turn.number)}z`
  return { asked: word('p'), answered: word('r'), printed: word('t') }
}

const anyWord = /zq[prt][b-m]+x[b-m]+z/g

/** Successful output is kept, but not searched. */
export function isSearched(word: string): boolean {
  return !word.startsWith('zqt')
}

function lettersOf(number: number): string {
  return [...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')
}

function isLog({ session }: Transcript): boolean {
  return session.agent === 'claude-code' || session.agent === 'codex'
}

function timeOf({ of, number }: Turn, step: number): number {
  return Date.UTC(2026, 8, 1, 10) + of * 3_600_000 + number * 60_000 + step * 1000
}

function timestamp(turn: Turn, step: number): string {
  return new Date(timeOf(turn, step)).toISOString()
}

function headOf({ session }: Transcript): object[] {
  if (session.agent !== 'codex') return []
  const at = timestamp({ of: session.number, number: 0 }, 0)
  const meta = {
    id: sessionName(session.number),
    timestamp: at,
    cwd: '/home/dev/app',
    originator: 'codex-tui',
    cli_version: '0.142.4',
    source: 'cli',
  }
  return [{ timestamp: at, type: 'session_meta', payload: meta }]
}

function recordsOf({ session }: Transcript, turn: Turn): object[] {
  return session.agent === 'codex' ? codexTurn(turn) : claudeTurn(session, turn)
}

function claudeTurn({ number }: GrowingSession, turn: Turn): object[] {
  const { asked, answered, printed } = wordsOf(turn)
  const all = claudeSession(sessionName(turn.of), turn.number + 1, { padding: 1, says: () => `please do ${asked}` })
  const texts = JSON.stringify(all.slice(turn.number * 4))
    .replaceAll('it works', answered)
    .replaceAll('detail of the run', printed)
  return (JSON.parse(texts) as object[]).map((record) => ({ ...record, sessionId: sessionName(number) }))
}

function codexTurn(turn: Turn): object[] {
  const { asked, answered, printed } = wordsOf(turn)
  const id = `${sessionName(turn.of).slice(0, 24)}${String(turn.number).padStart(12, '0')}`
  const call_id = `call_${id}`
  const message = (role: string, type: string, text: string) => ({ type: 'message', role, content: [{ type, text }] })
  const total = {
    input_tokens: 110,
    cached_input_tokens: 100,
    output_tokens: 20,
    reasoning_output_tokens: 5,
    total_tokens: 130,
  }
  const totals = Object.fromEntries(Object.entries(total).map(([name, count]) => [name, count * (turn.number + 1)]))
  const info = { total_token_usage: totals, last_token_usage: total }
  const records: [type: string, payload: object][] = [
    ['turn_context', { turn_id: id, cwd: '/home/dev/app', model: 'gpt-5.2-codex' }],
    ['response_item', message('user', 'input_text', `please do ${asked}`)],
    ['event_msg', { type: 'user_message', message: `please do ${asked}`, images: [] }],
    ['response_item', { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"npm test"}', call_id }],
    [
      'response_item',
      { type: 'function_call_output', call_id, output: `Process exited with code 0\nOutput:\n${printed}\n` },
    ],
    ['response_item', message('assistant', 'output_text', `done with ${answered}`)],
    ['event_msg', { type: 'token_count', info }],
  ]
  return records.map(([type, payload], step) => ({ timestamp: timestamp(turn, step), type, payload }))
}

const clearedOutput = '[Old tool result content cleared]'

/** A document of Gemini CLI. */
function contentOf({ session, turns, cleared }: Transcript): object {
  const messages = turns.flatMap((turn) => {
    const { asked, answered, printed } = wordsOf(turn)
    const id = `m-${turn.of}-${turn.number}`
    const output = cleared ? clearedOutput : `Output: ${printed}`
    const call = {
      id: `${id}-call`,
      name: 'run_shell_command',
      args: { command: 'npm test' },
      status: 'success',
      timestamp: timestamp(turn, 1),
    }
    const result = [{ functionResponse: { id: call.id, name: call.name, response: { output } } }]
    const tokens = { input: 110, output: 20, cached: 100, thoughts: 5, tool: 0, total: 135 }
    return [
      { id, timestamp: timestamp(turn, 0), type: 'user', content: `please do ${asked}` },
      {
        ...{
          id: `${id}-answer`,
          timestamp: timestamp(turn, 1),
          type: 'gemini',
          content: `done with ${answered}`,
          thoughts: [],
        },
        ...{ tokens, model: 'gemini-3-pro-preview', toolCalls: [{ ...call, result }] },
      },
    ]
  })
  const startTime = timestamp({ of: session.number, number: 0 }, 0)
  return { sessionId: sessionName(session.number), projectHash: 'app', startTime, lastUpdated: startTime, messages }
}

/** Rows of OpenCode. */
function messagesOf({ turns, cleared }: Transcript) {
  return turns.flatMap((turn) => {
    const { asked, answered, printed } = wordsOf(turn)
    const id = `msg_${lettersOf(turn.of)}_${String(turn.number).padStart(4, '0')}`
    const [ms, endMs] = [timeOf(turn, 0), timeOf(turn, 1)]
    const state = {
      status: 'completed',
      input: { command: 'npm test' },
      metadata: { exit: 0 },
      time: { start: ms, end: endMs },
    }
    const tokens = { input: 10, output: 20, reasoning: 5, cache: { read: 100, write: 5 } }
    const said = {
      role: 'assistant',
      modelID: 'claude-opus-4-6',
      providerID: 'anthropic',
      cost: 0.01,
      tokens,
      time: { created: endMs },
    }
    return [
      {
        id: `${id}a`,
        ms,
        data: { role: 'user', time: { created: ms } },
        parts: [{ type: 'text', text: `please do ${asked}` }],
      },
      {
        ...{ id: `${id}b`, ms: endMs, data: said },
        parts: [
          {
            type: 'tool',
            callID: `${id}-call`,
            tool: 'bash',
            state: { ...state, output: cleared ? clearedOutput : printed },
          },
          { type: 'text', text: `done with ${answered}` },
        ],
      },
    ]
  })
}

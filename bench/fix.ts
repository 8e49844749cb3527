// Asks for the fix of every failure in public transcripts with its own session left out, and for
// errors that never occurred. Prints how often there is an answer, and the answers for reading: only
// a reader can say whether one would have helped. --file names another home with transcripts.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { type FoundFix, findFixes } from '../src/fixes/find-fixes.ts'
import { fixText } from '../src/fixes/fix-text.ts'
import { runOf } from '../src/learn/causes/runs.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { readBody, type StoredEvent } from '../src/store/sessions/bodies.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { listSessions, type SessionView } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { layOut, rowsOf } from '../test/corpus/lay-out.ts'
import { type BenchOptions, percent } from './measure.ts'

const collections = ['corpus', 'corpus-more'].map((name) => join(import.meta.dirname, '..', '..', 'shared', name))

export async function fix({ file, limit }: BenchOptions): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-fix-'))
  try {
    const home = file ?? join(root, 'home')
    if (!file && layOutAll(home) === 0) {
      console.log('Not run: the public transcripts are not beside this checkout. --file names a home with transcripts.')
      return
    }
    const machine = { home, env: { RECOLLECT_HOME: join(root, 'store') }, platform: 'linux' as const }
    const app = createApp({ machine, clock: fixedClock('2026-11-01T12:00:00Z') })
    await sweep(app)
    const ledger = app.existingLedger()
    const answered = failuresIn(ledger).map((failure) => ({ ...failure, found: answersTo(ledger, failure) }))
    ledger.close()
    const hits = answered.filter(({ found }) => found.length > 0)
    for (const { session, seq, command, found } of hits.slice(0, Number(limit ?? 50))) {
      console.log(`\n${session.id}#${seq}  ${command.replaceAll('\n', ' ').slice(0, 100)}`)
      for (const one of found) console.log(answerText(one, app.zone))
    }
    const again = app.existingLedger()
    const wrong = controls.filter((text) => findFixes(again, { text, limit: 1 }).fixes.length > 0)
    again.close()
    console.log(
      `\n${answered.length} failures of commands, ${hits.length} with an answer: ${percent(hits.length / Math.max(1, answered.length))} %`,
    )
    console.log(`${controls.length} errors that never occurred, ${wrong.length} with an answer (must be 0)`)
    for (const text of wrong) console.log(`  ${text}`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Broken transcripts are for tests. */
function layOutAll(home: string): number {
  const rows = collections.filter(existsSync).flatMap((folder) => rowsOf(folder).map((row) => ({ folder, row })))
  return rows.filter(({ folder, row }) => !row.path.startsWith('_synthetic') && isLaidOut(folder, row, home)).length
}

/** Some rows of the second collection have forms that only their own tests place. */
function isLaidOut(folder: string, row: { path: string; agent: string }, home: string): boolean {
  try {
    return layOut(folder, row, home) !== undefined
  } catch {
    return false
  }
}

interface Failure {
  session: SessionView
  seq: number
  command: string
  output: string
}

function failuresIn(ledger: Ledger): Failure[] {
  return listSessions(ledger).flatMap((session) => {
    const body = bodyOfSession(ledger, session.id)
    const calls = new Map<string, StoredEvent>()
    const failures: Failure[] = []
    for (const event of body ? readBody(ledger.layout.bodies, body.file, body.bytes) : []) {
      if (event.kind === 'tool_call' && event.call) calls.set(event.call, event)
      const isResult = event.kind === 'tool_result' || event.kind === 'test_run'
      const call = isResult ? calls.get(event.call ?? '') : undefined
      const run = call && runOf(call, event)
      if (!run?.hasFailed) continue
      failures.push({ session, seq: event.seq, command: run.command, output: event.text })
    }
    return failures
  })
}

function answersTo(ledger: Ledger, { session, command, output }: Failure): FoundFix[] {
  const without = (uid: string) => uid === session.id
  return findFixes(ledger, { text: output, command, project: session.project, without, limit: 1 }).fixes
}

function answerText(fix: FoundFix, zone: Parameters<typeof fixText>[1]): string {
  const { failure, remedy, diff, source } = fixText(fix, zone)
  return [
    `asked:  ${fix.asked}`,
    `answer: ${failure}`,
    ...[remedy, ...diff, source].map((line) => `        ${line}`),
  ].join('\n')
}

/** Errors of other programs, and of known ones that did not occur. */
const controls = [
  'kubectl: The connection to the server localhost:8080 was refused - did you specify the right host or port?',
  "Error: P1001: Can't reach database server at `db.internal`:`5432`",
  'terraform: Error: Error acquiring the state lock',
  "ModuleNotFoundError: No module named 'pandas'",
  'npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree',
  'error[E0382]: borrow of moved value: `config`',
  "error TS2304: Cannot find name 'fetchUsers'.",
  "src/main.c:12:5: error: implicit declaration of function 'strlcpy'",
  'java.lang.OutOfMemoryError: Java heap space',
  'fatal: refusing to merge unrelated histories',
  "fatal: unable to access 'https://example.com/a.git/': Could not resolve host: example.com",
  'zsh: command not found: gcloud',
  'docker: Error response from daemon: Conflict. The container name "/db" is already in use',
  'ActiveRecord::PendingMigrationError: Migrations are pending.',
  'panic: runtime error: index out of range [5] with length 3',
  'unknown flag: --frobnicate',
  'Unknown JSON field: "frobnication"',
  'a.py:3:1: F821 undefined name `frob`',
  'a.go:3:1: undefined: frobnicate',
  'a.go:9:2: string `frob` is deprecated (deprecation)',
  'Error: exit status 1',
  'Exit code 1',
  'it does not work',
  'error',
  'FAIL src/app.test.ts > adds two numbers',
  'AssertionError: expected 2 to be 3',
  'Error: context deadline exceeded',
  'Permission denied (publickey).',
  'ssh: connect to host 10.0.0.1 port 22: Operation timed out',
  "make: *** No rule to make target 'frob'.  Stop.",
]

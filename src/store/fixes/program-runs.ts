// How programs were called in sessions, and how often they passed and failed.
import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'

/** The calls of one session with the same command. */
export interface ProgramRun {
  /** Program with its subcommand: `npm test`. */
  program: string
  /** The command on one line, without change of folder and redirections. */
  command: string
  /** The folder that it changed to first; '' for the folder of the session. */
  folder: string
  passed: number
  failed: number
  /** Place of the last result. */
  lastSeq: number
  atMs: number | null
}

export function saveProgramRun(ledger: Ledger, session: number, run: ProgramRun): void {
  const { program, command, folder, passed, failed, lastSeq, atMs } = run
  ledger
    .sql(
      `INSERT INTO program_runs (session, program, command, folder, passed, failed, last_seq, at)
       VALUES ($session, $program, $command, $folder, $passed, $failed, $lastSeq, $at)
       ON CONFLICT (session, program, command, folder) DO UPDATE SET passed = passed + excluded.passed,
         failed = failed + excluded.failed, last_seq = excluded.last_seq, at = coalesce(excluded.at, at)`,
    )
    .run({ session, program, command, folder, passed, failed, lastSeq, at: atMs })
}

/** A command of a program over all sessions of a project. */
export interface ProgramCommand {
  command: string
  folder: string
  passed: number
  failed: number
  sessions: number
  /** The session that ran it last. */
  session: string
  seq: number
  at: string | null
}

/** Commands with the first word of `program` that passed at least once, the latest first. */
export function passedCommands(ledger: Ledger, program: string, project: string | undefined): ProgramCommand[] {
  return ledger
    .sql(
      // With max(), SQLite takes the other columns from the row that has it.
      // A command that runs two programs has two rows.
      `SELECT r.command, r.folder, sum(r.passed) AS passed, sum(r.failed) AS failed, count(*) AS sessions, s.uid,
         r.last_seq, max(coalesce(r.at, s.ended)) AS told
       FROM (SELECT * FROM program_runs GROUP BY session, command, folder) r JOIN sessions s ON s.id = r.session LEFT JOIN projects p ON p.id = s.project
       WHERE ($project IS NULL OR p.key = $project) AND instr(r.command, $word) > 0
       GROUP BY r.command, r.folder HAVING sum(r.passed) > 0 ORDER BY told DESC, r.command`,
    )
    .all({ word: program.split(' ')[0]!, project: project ?? null })
    .map((row) => ({
      command: String(row.command),
      folder: String(row.folder),
      passed: Number(row.passed),
      failed: Number(row.failed),
      sessions: Number(row.sessions),
      session: String(row.uid),
      seq: Number(row.last_seq),
      at: row.told === null ? null : isoTime(Number(row.told)),
    }))
}

/** Programs that were run in a project, the most often run first. */
export function programsOf(ledger: Ledger, project: string | undefined): string[] {
  return ledger
    .sql(
      `SELECT r.program FROM program_runs r JOIN sessions s ON s.id = r.session LEFT JOIN projects p ON p.id = s.project
       WHERE $project IS NULL OR p.key = $project GROUP BY r.program ORDER BY count(*) DESC, r.program`,
    )
    .all({ project: project ?? null })
    .map((row) => String(row.program))
}

/** A command of a project, over all of its sessions. */
export interface ProjectCommand {
  program: string
  command: string
  folder: string
  passed: number
  failed: number
  sessions: number
  atMs: number
}

/** Those that passed at least once, the latest first. */
export function commandsOfProject(ledger: Ledger, project: string, limit: number): ProjectCommand[] {
  return ledger
    .sql(
      `SELECT r.program, r.command, r.folder, sum(r.passed) AS passed, sum(r.failed) AS failed, count(*) AS sessions,
         max(coalesce(r.at, s.ended, 0)) AS told
       FROM program_runs r JOIN sessions s ON s.id = r.session JOIN projects p ON p.id = s.project
       WHERE p.key = ? GROUP BY r.program, r.command, r.folder HAVING sum(r.passed) > 0
       ORDER BY told DESC, r.command LIMIT ?`,
    )
    .all(project, limit)
    .map((row) => ({
      program: String(row.program),
      command: String(row.command),
      folder: String(row.folder),
      passed: Number(row.passed),
      failed: Number(row.failed),
      sessions: Number(row.sessions),
      atMs: Number(row.told),
    }))
}

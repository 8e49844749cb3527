import type { Machine } from '../../core/paths.ts'
import { runProgram } from '../../core/run-program.ts'
import type { Run } from './scheduler.ts'

/** Runs programs of this machine. They are asked to speak English and to tell the time in UTC: their answers are read. */
export function runner({ env }: Machine): Run {
  return ([program, ...args], options = {}) => {
    const { status, stdout, stderr, error } = runProgram(program!, args, {
      env: { ...env, LC_ALL: 'C', TZ: 'UTC' },
      input: options.input ?? '',
      timeout: 30_000,
      windowsHide: true,
    })
    if (!error) return { status: status ?? 1, stdout, stderr: stderr.toString() }
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { status: isMissing ? 127 : 1, stdout: Buffer.alloc(0), stderr: error.message }
  }
}

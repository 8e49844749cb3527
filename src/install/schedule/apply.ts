import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { writeAtomically } from '../../core/files.ts'
import { forShell } from './quote.ts'
import type { Run, Step } from './scheduler.ts'

/** One step after the other; the first that fails is the last. Planning anew goes on from there. */
export function applySteps(steps: Step[], run: Run): void {
  for (const step of steps) applyStep(step, run)
}

function applyStep(step: Step, run: Run): void {
  switch (step.kind) {
    case 'write':
      mkdirSync(dirname(step.path), { recursive: true })
      return writeAtomically(step.path, Buffer.from(step.content, step.encoding ?? 'utf8'))
    case 'delete':
      return rmSync(step.path, { force: true })
    case 'run': {
      const { status, stdout, stderr } = run(step.argv, step.input ? { input: step.input } : {})
      if (status === 0) return
      throw new UserError(
        `"${commandText(step.argv)}" failed: ${(stderr || stdout.toString()).trim() || `it ended with ${status}`}`,
        'What came before it is done. Run the same command again, or "recollect schedule off" to take everything out.',
        3,
      )
    }
    default:
      step satisfies never
  }
}

export function commandText(argv: readonly string[]): string {
  return argv.map(forShell).join(' ')
}

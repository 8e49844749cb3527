// A text in the person's own editor.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { runProgram } from '../core/processes.ts'

/** The text as it was left. The editor's name is what people and git hold for one: a command with arguments. */
export function edited({ machine, layout }: App, name: string, text: string): string {
  const editor = machine.env.VISUAL || machine.env.EDITOR || (machine.platform === 'win32' ? 'notepad' : 'vi')
  const folder = mkdtempSync(join(layout.run, 'edit-'))
  const file = join(folder, name)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const { status, error } =
      machine.platform === 'win32'
        ? runProgram(`${editor} "${file}"`, [], { stdio: 'inherit', shell: true })
        : runProgram('sh', ['-c', `${editor} "$1"`, editor, file], { stdio: 'inherit' })
    if (error || status !== 0)
      throw new UserError(
        `The editor "${editor}" ${error ? error.message : `ended with ${status}`}`,
        'Set VISUAL or EDITOR.',
      )
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Plans publishing as one edit per file; the diff prints the plan. A file that cannot be edited
// does not prevent the others.
import { UserError } from '../../core/errors.ts'
import type { DesiredFile } from '../../patterns/publish/assign.ts'
import { type FileUpdate, hasBlock, putBlock, removeBlock } from '../../patterns/publish/block.ts'
import { putManagedFile, removeManagedFile } from '../../patterns/publish/managed-file.ts'
import { renderCursorRule, renderRules, renderSkill } from '../../patterns/publish/render.ts'
import { sizeWarnings } from '../../patterns/publish/size-warnings.ts'
import { fileIdentity, isWithin } from '../../patterns/publish/targets.ts'
import type { Practice } from '../../patterns/types.ts'
import { readText } from '../edit/read-text.ts'
import type { FileEdit } from '../types.ts'

export interface InstructionPlan {
  file: DesiredFile
  /** Undefined if the file is up to date. */
  edit?: FileEdit
  warnings: string[]
  /** Why this file cannot be published. */
  problem?: UserError
}

export function planInstructions(files: readonly DesiredFile[], home: string): InstructionPlan[] {
  return files.map((file) => {
    try {
      return planFile(file, home)
    } catch (error) {
      if (error instanceof UserError) return { file, warnings: [], problem: error }
      throw error
    }
  })
}

/** Reads the file; throws a UserError if it cannot be edited. */
export function planFile(file: DesiredFile, home: string): InstructionPlan {
  const { path, form, entries } = file
  checkPlace(file)
  const before = readText(path)
  const practices = entries.map(({ practice }) => practice)
  const render = (some: readonly Practice[]) => renderFile(file, some, home)
  const placed = practices.length > 0 ? placeContent(form, before, render(practices)) : removeContent(form, before)
  if (placed.kind === 'refused') throw refusal(path, placed.reason, form)
  const after = placed.text
  return {
    file,
    ...(after === before ? {} : { edit: { path, before, after } }),
    warnings: [
      ...(!file.isRecorded && before !== undefined && after !== before && practices.length > 0 && hasBlock(before)
        ? ['another user has published into it: practices that you have not approved will be removed']
        : []),
      ...(form === 'skill' || after === undefined ? [] : sizeWarnings(practices, render, after)),
    ],
  }
}

/** Refuses paths out of the project: a repository may contain a link to any file of the user. */
function checkPlace({ path, root }: DesiredFile): void {
  if (root === undefined || isWithin(fileIdentity(path), fileIdentity(root))) return
  throw new UserError(
    `${path} leads out of the project, to ${fileIdentity(path)}`,
    'Nothing was changed. Make it a file of the project, or publish by hand.',
  )
}

function renderFile({ form, root }: DesiredFile, practices: readonly Practice[], home: string): string {
  const around = { home, root }
  switch (form) {
    case 'block':
      return renderRules(practices, around)
    case 'cursor rule':
      return renderCursorRule(practices, around)
    case 'skill':
      return renderSkill(practices[0]!, around)
    default:
      return form satisfies never
  }
}

function placeContent(form: DesiredFile['form'], before: string | undefined, content: string): FileUpdate {
  return form === 'block' ? putBlock(before, content) : putManagedFile(before, content)
}

function removeContent(form: DesiredFile['form'], before: string | undefined): FileUpdate {
  if (before === undefined) return { kind: 'placed', text: undefined }
  return form === 'block' ? removeBlock(before) : removeManagedFile(before)
}

function refusal(path: string, reason: string, form: DesiredFile['form']): UserError {
  const fileHint =
    'Nothing was changed. Move what you want to keep into another file, delete this one, then run the command again.'
  const blockHint =
    'Nothing was changed. Move what you want to keep out of the block, delete the block with its markers, then run the command again.'
  return new UserError(`${path}: ${reason}`, form === 'block' ? blockHint : fileHint)
}

// What publishing would do to each file, as data: the diff is this, printed. A file that cannot be edited keeps no other back.
import { UserError } from '../../core/errors.ts'
import type { Practice } from '../../patterns/practice.ts'
import type { WantedFile } from '../../patterns/publish/assign.ts'
import { hasBlock, type Placed, putBlock, removeBlock } from '../../patterns/publish/block.ts'
import { sizeWarnings } from '../../patterns/publish/budget.ts'
import { fileIdentity } from '../../patterns/publish/identity.ts'
import { putFile, removeFile } from '../../patterns/publish/own-file.ts'
import { isWithin } from '../../patterns/publish/places.ts'
import { renderCursorRule, renderRules, renderSkill } from '../../patterns/publish/render.ts'
import type { Edit } from '../plan.ts'
import { readText } from '../text.ts'

export interface InstructionPlan {
  file: WantedFile
  /** Undefined where nothing has to be changed. */
  edit?: Edit
  warnings: string[]
  /** Why this one cannot be done. */
  problem?: UserError
}

export function planInstructions(files: readonly WantedFile[], home: string): InstructionPlan[] {
  return files.map((file) => {
    try {
      return planFile(file, home)
    } catch (error) {
      if (error instanceof UserError) return { file, warnings: [], problem: error }
      throw error
    }
  })
}

/** Reads the file; a user error where it cannot be edited. */
export function planFile(file: WantedFile, home: string): InstructionPlan {
  const { path, form, entries } = file
  checkPlace(file)
  const before = readText(path)
  const practices = entries.map(({ practice }) => practice)
  const render = (some: readonly Practice[]) => rendered(file, some, home)
  const placed = practices.length > 0 ? put(form, before, render(practices)) : taken(form, before)
  if (placed.kind === 'refused') throw refusal(path, placed.reason, form)
  const after = placed.text
  return {
    file,
    ...(after === before ? {} : { edit: { path, before, after } }),
    warnings: [
      ...(!file.isRecorded && before !== undefined && after !== before && practices.length > 0 && hasBlock(before)
        ? ['somebody else has published into it: what you have not approved yourself goes']
        : []),
      ...(form === 'skill' || after === undefined ? [] : sizeWarnings(practices, render, after)),
    ],
  }
}

/** A repository may hold a link to any file of its reader: what leads out of the project is not written to. */
function checkPlace({ path, root }: WantedFile): void {
  if (root === undefined || isWithin(fileIdentity(path), fileIdentity(root))) return
  throw new UserError(
    `${path} leads out of the project, to ${fileIdentity(path)}`,
    'Nothing was changed. Make it a file of the project, or publish by hand.',
  )
}

function rendered({ form, root }: WantedFile, practices: readonly Practice[], home: string): string {
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

function put(form: WantedFile['form'], before: string | undefined, content: string): Placed {
  return form === 'block' ? putBlock(before, content) : putFile(before, content)
}

function taken(form: WantedFile['form'], before: string | undefined): Placed {
  if (before === undefined) return { kind: 'placed', text: undefined }
  return form === 'block' ? removeBlock(before) : removeFile(before)
}

function refusal(path: string, reason: string, form: WantedFile['form']): UserError {
  const whole =
    'Nothing was changed. Move what you want to keep to a file of another name, delete this one, and run the command again.'
  const block =
    'Nothing was changed. Move what you want to keep out of the block, delete the rest of it with its markers, and run the command again.'
  return new UserError(`${path}: ${reason}`, form === 'block' ? block : whole)
}

// Applies the planned edits of one agent: all of them, or none.
import { accessSync, constants, mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { messageOf, UserError } from '../core/errors.ts'
import { linkTarget, writeAtomically } from '../core/files.ts'
import { readText } from './edit/read-text.ts'
import { fileTimestamp } from './record.ts'
import type { AppliedEdits, FileEdit } from './types.ts'

export interface ApplyOptions {
  /** Part of the backup file names. */
  agent: string
  backups: string
  /** Files in this folder are not backed up: all of them are ours. */
  ownFolder: string
  clock: Clock
}

export function applyEdits(edits: readonly FileEdit[], options: ApplyOptions): AppliedEdits {
  const applied: AppliedEdits = { folders: [], backups: [] }
  const undo: (() => void)[] = []
  for (const edit of edits) {
    try {
      applyEdit(edit, applied, undo, options)
    } catch (error) {
      const failures = rollBack(undo, applied)
      throw applyError(edit.path, error, failures)
    }
  }
  return applied
}

/** Removes the folders that install created and that are empty now, innermost first. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder)
    } catch {
      // Not empty, or already removed.
    }
  }
}

function applyEdit(
  { path, before, after }: FileEdit,
  applied: AppliedEdits,
  undo: (() => void)[],
  options: ApplyOptions,
): void {
  if (readText(path) !== before) {
    throw new UserError(`${path} was changed by another program in the meantime`, 'Run the command again.')
  }
  const target = linkTarget(path)
  const mode = statSync(target, { throwIfNoEntry: false })?.mode
  if (before !== undefined) {
    accessSync(target, constants.W_OK)
    if (!target.startsWith(join(options.ownFolder, sep)))
      applied.backups.push({ path, copy: backUp(path, before, options) })
  }
  if (after === undefined) unlinkSync(target)
  else {
    makeFolders(dirname(target), applied.folders)
    // Scripts that an agent executes must be executable.
    writeAtomically(target, after, after.startsWith('#!') ? 0o700 : 0o600)
  }
  undo.push(() => {
    if (readText(path) !== after) throw new Error(`${path} was changed in the meantime`)
    if (before === undefined) unlinkSync(target)
    else writeAtomically(target, before, mode && mode & 0o7777)
  })
}

function backUp(path: string, content: string, { agent, backups, clock }: ApplyOptions): string {
  mkdirSync(backups, { recursive: true, mode: 0o700 })
  for (let copy = 1; ; copy++) {
    const name = `${fileTimestamp(clock)}-${agent}-${copy > 1 ? `${copy}-` : ''}${basename(path)}`
    try {
      writeFileSync(join(backups, name), content, { flag: 'wx', mode: 0o600 })
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function makeFolders(folder: string, made: string[]): void {
  if (statSync(folder, { throwIfNoEntry: false })) return
  makeFolders(dirname(folder), made)
  mkdirSync(folder, { mode: 0o700 })
  made.push(folder)
}

/** Returns a message for each file that could not be restored. */
function rollBack(undo: (() => void)[], { folders, backups }: AppliedEdits): string[] {
  const failures = undo.toReversed().flatMap((step) => {
    try {
      step()
      return []
    } catch (error) {
      return messageOf(error)
    }
  })
  removeFolders(folders)
  return failures.length > 0 ? [...failures, ...backups.map(({ path, copy }) => `backup of ${path}: ${copy}`)] : []
}

function applyError(path: string, error: unknown, failures: string[]): UserError {
  const message = error instanceof UserError ? error.message : `${path} cannot be written: ${messageOf(error)}`
  if (failures.length > 0) return new UserError(`${message}; not every file could be restored`, failures.join('; '))
  const hint =
    error instanceof UserError
      ? error.hint
      : 'Make the file and its folder writable for you, then run the command again.'
  return new UserError(message, `Nothing was changed for this agent. ${hint}`)
}

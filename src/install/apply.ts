// Writes what was planned for one agent: all of it, or nothing.
import { accessSync, constants, mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { messageOf, UserError } from '../core/errors.ts'
import { linkTarget, writeAtomically } from '../core/files.ts'
import type { Edit } from './plan.ts'
import { fileTime } from './record.ts'
import { readText } from './text.ts'

export interface Applied {
  /** Folders that had to be made, the outer ones first. */
  folders: string[]
  backups: Backup[]
}

export interface Backup {
  path: string
  copy: string
}

export interface ApplyOptions {
  /** Is part of the names of the copies. */
  agent: string
  backups: string
  /** Of what lies in here no copy is made: all of it is ours. */
  ownFolder: string
  clock: Clock
}

export function applyEdits(edits: readonly Edit[], options: ApplyOptions): Applied {
  const applied: Applied = { folders: [], backups: [] }
  const undo: (() => void)[] = []
  for (const edit of edits) {
    try {
      applyEdit(edit, applied, undo, options)
    } catch (error) {
      const lost = takeBackAll(undo, applied)
      throw failure(edit.path, error, lost)
    }
  }
  return applied
}

/** Folders that install has made and that are empty go, the inner ones first. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody uses it, or has removed it already.
    }
  }
}

function applyEdit({ path, before, after }: Edit, applied: Applied, undo: (() => void)[], options: ApplyOptions): void {
  if (readText(path) !== before) {
    throw new UserError(`${path} was changed by another program meanwhile`, 'Run the command again.')
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
    // An agent that runs files, and does not read them, needs to be allowed to.
    writeAtomically(target, after, after.startsWith('#!') ? 0o700 : 0o600)
  }
  undo.push(() => {
    if (readText(path) !== after) throw new Error(`${path} was changed meanwhile`)
    if (before === undefined) unlinkSync(target)
    else writeAtomically(target, before, mode && mode & 0o7777)
  })
}

function backUp(path: string, content: string, { agent, backups, clock }: ApplyOptions): string {
  mkdirSync(backups, { recursive: true, mode: 0o700 })
  for (let copy = 1; ; copy++) {
    const name = `${fileTime(clock)}-${agent}-${copy > 1 ? `${copy}-` : ''}${basename(path)}`
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

/** What could not be put back, in words. */
function takeBackAll(undo: (() => void)[], { folders, backups }: Applied): string[] {
  const lost = undo.toReversed().flatMap((step) => {
    try {
      step()
      return []
    } catch (error) {
      return messageOf(error)
    }
  })
  removeFolders(folders)
  return lost.length > 0 ? [...lost, ...backups.map(({ path, copy }) => `${path} as it was: ${copy}`)] : []
}

function failure(path: string, error: unknown, lost: string[]): UserError {
  const message = error instanceof UserError ? error.message : `${path} cannot be written: ${messageOf(error)}`
  if (lost.length > 0) return new UserError(`${message}; not everything could be put back`, lost.join('; '))
  const hint =
    error instanceof UserError
      ? error.hint
      : 'Make the file and its folder writable for you, then run the command again.'
  return new UserError(message, `Nothing was changed for this agent. ${hint}`)
}

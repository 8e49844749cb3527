// Claude Code's own memory, as seen in 2.1.34 to 2.1.325: one folder per git root with a file per
// memory and MEMORY.md as the index; older versions wrote the memories into MEMORY.md itself. Type
// and session are in the frontmatter, at the top or below `metadata`.
import { readFileSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { expandHome, type Machine } from '../../core/paths.ts'
import { memoryTypes } from '../../memory/memory.ts'
import type { NativeFile, NativeMemories, NativeNote } from '../agent.ts'
import { findFiles, listEntries, listSubfolders } from '../files.ts'
import { frontmatterValue, parseNotes, splitFrontmatter } from '../markdown-notes.ts'
import { claudeCodeHooks, configuredHomes } from './hooks.ts'

export const claudeCodeMemories: NativeMemories = {
  find(machine) {
    const usual = homesOf(machine).flatMap((home) => listSubfolders(join(home, 'projects')).flatMap(filesOf))
    const moved = movedFolders(machine).flatMap(memoryFilesIn)
    return [...usual, ...moved.map((path) => ({ path }))]
  },
  configuredFolders: movedFolders,
  isMemoryPath: (path) => /[\\/]projects[\\/][^\\/]+[\\/]memory[\\/].*\.md$/.test(path),
  read: (file, content) => (basename(file.path) === 'MEMORY.md' ? fromIndex(content) : fromFile(content)),
  exportFolder(machine, root) {
    const home = claudeCodeHooks.home(machine)
    checkHome(home)
    return { home, folder: join(home, 'projects', projectFolderName(home, root), 'memory') }
  },
}

/** Prefix of the files that our export writes. */
const exportPrefix = 'recollect-'
const exported = /^<!-- recollect:begin[^\n]*\n[\s\S]*?^<!-- recollect:end -->\n?/gm

function homesOf(machine: Machine): string[] {
  const homes = configuredHomes(machine)
  return homes.length > 0 ? homes : [join(machine.home, '.claude'), join(machine.home, '.config', 'claude')]
}

function filesOf(project: string): NativeFile[] {
  return memoryFilesIn(join(project, 'memory')).map((path) => ({ path, transcripts: project }))
}

function memoryFilesIn(folder: string): string[] {
  return [...findFiles(folder, /\.md$/, 2)].filter((path) => !basename(path).startsWith(exportPrefix))
}

/**
 * `autoMemoryDirectory` in the user's settings: one folder for the memories of all projects. Claude
 * Code ignores it in the settings of a project.
 */
function movedFolders(machine: Machine): string[] {
  return homesOf(machine).flatMap((home) => {
    const written = movedFolder.exec(settingsOf(home))?.[1]
    const folder = written === undefined ? '' : expandHome(JSON.parse(written) as string, machine.home)
    // The home folder or the root would make every Markdown file a memory.
    return isAbsolute(folder) && !isAround(folder, machine.home) ? [resolve(folder)] : []
  })
}

const movedFolder = /"autoMemoryDirectory"\s*:\s*("(?:[^"\\\n]|\\["\\/bfnrt])+")/

function isAround(folder: string, home: string): boolean {
  return !relative(resolve(folder), home).startsWith('..')
}

function fromFile(content: string): NativeNote[] {
  const { head, body } = splitFrontmatter(content)
  const name = frontmatterValue(head, 'name')
  const type = memoryTypes.find((one) => one === frontmatterValue(head, 'type'))
  const session = frontmatterValue(head, 'originSessionId')
  return [
    {
      text: body.trim() || (frontmatterValue(head, 'description') ?? ''),
      headings: name ? [name.replace(/[-_]+/g, ' ')] : [],
      ...(type ? { type } : {}),
      ...(type === 'user' ? { scope: { kind: 'everywhere' } } : {}),
      ...(session ? { session } : {}),
      trust: 'agent said',
    },
  ]
}

/** Lines that link to a file are skipped, because the file is read itself. */
function fromIndex(content: string): NativeNote[] {
  return parseNotes(splitFrontmatter(content.replace(exported, '')).body)
    .filter(({ text }) => !/^\[[^\]]*\]\([^)]*\.md\)|^\[\[[^\]]*\]\]/.test(text))
    .map((note) => ({ ...note, trust: 'agent said' }))
}

/**
 * Claude Code replaces everything but letters and digits by dashes; a long path is cut and gets a
 * hash that only Claude Code can compute.
 */
export function projectFolderName(home: string, root: string): string {
  const name = root.replace(/[^A-Za-z0-9]/g, '-')
  if (name.length <= 200) return name
  const known = listEntries(join(home, 'projects')).find((entry) => entry.name.startsWith(`${name.slice(0, 200)}-`))
  if (known) return known.name
  throw new UserError(`${root} has too long a path`, 'Start Claude Code there once: then its folder is known.')
}

/**
 * The folder may only come from the user, never from a repository, which could redirect our files.
 */
function checkHome(home: string): void {
  if (
    !isAbsolute(home) ||
    home.includes('\0') ||
    /^[\\/]{2}/.test(home) ||
    home.split(/[\\/]/).filter(Boolean).length < 2
  )
    throw new UserError(`${home} cannot be the folder of Claude Code`, 'Set CLAUDE_CONFIG_DIR to a folder of your own.')
  if (movedFolder.test(settingsOf(home)))
    throw new UserError(
      `Claude Code keeps its memories elsewhere (autoMemoryDirectory in ${join(home, 'settings.json')})`,
      'Take that line out, or let the memories come with the brief: recollect install claude-code',
    )
}

function settingsOf(home: string): string {
  try {
    return readFileSync(join(home, 'settings.json'), 'utf8')
  } catch {
    return '' // no settings
  }
}

// A call of a tool as friction sees it: what it does and to what, whatever the agent calls its tools.
import { commandOf, pathsOf } from '../core/commands.ts'
import type { Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { commandNames, commandToBlame } from './command-names.ts'
import { hasName, nameHash } from './names-seen.ts'
import { isInspection, workSteps } from './steps.ts'
import { toolKind } from './tool-kind.ts'

export interface FrictionCall {
  what: string
  /** The same, where all ways of looking are `read`. */
  does: string
  place: string
  kind: string
  seq: number
  steps: string[]
  /** Files that it names, without their folders. */
  names: string[]
  /** It looks and writes nothing. */
  isReading: boolean
  /** Of all that it was asked; '' where that is not kept whole. */
  mark: string
  /** An edit of a file that nobody has looked at. */
  isBlind: boolean
}

/** `seen` holds the names of files that were known before it. */
export function frictionCallOf({ seq, tool, input }: StoredEvent, seen: string): FrictionCall {
  const command = commandOf(input)
  const patch = patchOf(input, command)
  const kind = patch ? 'edit' : command ? 'shell' : toolKind(tool ?? '')
  const commands = kind === 'shell' ? commandNames(command) : []
  const what = commandToBlame(commands) || kind
  const files = patch ? patchedFiles(patch) : pathsOf(input)
  const does = kind === 'search' || (kind === 'shell' && commands.every(isInspection)) ? 'read' : what
  return {
    what,
    does,
    kind,
    seq,
    place: kind === 'shell' ? what : `${kind} ${files[0] ?? ''}`.slice(0, 200),
    steps: kind === 'shell' ? workSteps(command, commands).slice(-maxSteps) : [],
    names: patch || !command ? files.map(baseName) : fileNames(command),
    isReading: does === 'read' && !writes.test(command),
    mark: isPlain.has(kind) ? nameHash(`${tool} ${command || JSON.stringify(input ?? '')}`) : '',
    isBlind: kind === 'edit' && files.length > 0 && !files.some((path) => hasName(seen, baseName(path))),
  }
}

/** It is kept until its result comes: a line may hold a whole program. */
const maxSteps = 12

/** What these are given is short and kept whole; of others two calls may look the same that are not. */
const isPlain = new Set(['shell', 'read', 'search', 'web'])
const writes = /<<|(?<![-=0-9])>\s*[^&\s]/

/** The text of a patch, as Codex and those who follow it hand it over: alone, under a name, or to a program in the shell. */
function patchOf(input: Json | undefined, command: string): string {
  if (command) return command.includes('*** Begin Patch') ? command : ''
  if (typeof input === 'string') return input.includes('*** Begin Patch') ? input : ''
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  const text = input.input ?? input.patch
  return typeof text === 'string' && text.includes('*** Begin Patch') ? text : ''
}

/** A file that is added needs no reading. */
function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(/^\*\*\* (?:Update|Delete) File: (.+)$/gm)].map((match) => match[1]!.trim())
}

export function fileNames(text: string): string[] {
  return (text.match(/[\w.@+-]{3,}/g) ?? []).filter((word) => /\w\.[A-Za-z]\w{0,7}$/.test(word)).slice(0, 40)
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

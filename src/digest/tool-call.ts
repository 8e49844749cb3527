// A call of a tool as friction sees it: what it does and to what, whatever the agent calls its tools.
import { commandOf, pathsOf } from '../core/commands.ts'
import type { Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { commandNames, commandToBlame, isInspection, workSteps } from './command-names.ts'

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

// A small set of names as one string: four characters each, the last ones kept. It is stored with every session, so it must
// stay small; two names that meet by chance are one in sixteen million.

const maxNames = 200
const width = 4
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function addName(seen: string, name: string): string {
  return hasName(seen, name) ? seen : (seen + nameHash(name)).slice(-maxNames * width)
}

export function hasName(seen: string, name: string): boolean {
  const mark = nameHash(name)
  let at = seen.indexOf(mark)
  while (at >= 0 && at % width !== 0) at = seen.indexOf(mark, at + 1)
  return at >= 0
}

/** FNV-1a, folded to 24 bits. */
function nameHash(name: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  const folded = (hash >>> 24) ^ (hash & 0xffffff)
  return (
    digits[(folded >> 18) & 63]! + digits[(folded >> 12) & 63]! + digits[(folded >> 6) & 63]! + digits[folded & 63]!
  )
}

// What a tool is for, whatever the agent calls it: Bash, shell, exec_command and run_terminal_cmd are one thing.

/** A kind where the name is known, `mcp <server>` for tools of a server, else the name in small letters. */
export function toolKind(tool: string): string {
  const name = tool.slice(0, 100).toLowerCase()
  const server = /^mcp__(.+?)__/.exec(name)?.[1]
  if (server) return `mcp ${server}`
  return kinds.get(name.replace(/[_\s-]/g, '')) ?? name
}

const kinds = new Map(
  Object.entries({
    shell:
      'bash shell execcommand shellcommand runshellcommand runcommand runterminalcmd runterminalcommand powershell execute executecommand localshell terminal developershell',
    read: 'read readfile readmanyfiles view viewfile cat notebookread readfiles openfile',
    edit: 'edit multiedit write writefile writetofile replace replaceinfile strreplace strreplaceeditor strreplacebasededittool applypatch patch create createfile editfile searchreplace notebookedit applydiff insert editor texteditor',
    search:
      'grep glob search searchfiles searchfilecontent codebasesearch grepsearch filesearch findfiles find ls list listdir listdirectory listfiles lsp',
    web: 'websearch webfetch fetch googlewebsearch fetchurl',
    subagent: 'task agent spawnagent createsubsession delegate newtask subagent',
    'task list':
      'todowrite todoread updateplan taskcreate taskupdate tasklist taskget writetodos todo updatetodolist markchapter',
    waiting: 'writestdin taskoutput bashoutput readbash stopbash taskstop killshell killbash wait waitagent',
    'tool search': 'toolsearch skill listmcpresources readmcpresource listmcptools',
    question:
      'askuserquestion askuser askfollowupquestion exitplanmode enterplanmode requestuserinput attemptcompletion',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
)

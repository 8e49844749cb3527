// Describes a tool call independently of the agent: what it does, to which files, and its kind.
import { commandOf, pathsOf } from '../core/commands.ts'
import type { Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { truncate } from '../text/truncate.ts'
import { commandNames, commandToBlame, isInspection, workSteps } from './command-names.ts'

export interface FrictionCall {
  what: string
  /** As `what`, but every inspecting command is `read`. */
  does: string
  place: string
  kind: string
  seq: number
  steps: string[]
  /** Names of files in it, without folders. */
  names: string[]
  /** Whether it only reads. */
  isReading: boolean
  /** Hash of the complete input; '' when the input is not stored completely. */
  mark: string
  /** Whether it edits a file that was not read before. */
  isBlind: boolean
}

/** `seen` has the names of files known before the call. */
export function frictionCallOf({ seq, tool, input }: StoredEvent, seen: string): FrictionCall {
  const command = commandOf(input)
  const patch = patchOf(input, command)
  if (command && !patch)
    return { ...shellCallOf(command), kind: 'shell', seq, mark: nameHash(`${tool} ${command}`), isBlind: false }
  const kind = patch ? 'edit' : toolKind(tool ?? '')
  const files = patch ? patchedFiles(patch) : pathsOf(input)
  const does = kind === 'search' || kind === 'shell' ? 'read' : kind
  return {
    what: kind,
    does,
    kind,
    seq,
    place: kind === 'shell' ? kind : `${kind} ${files[0] ?? ''}`.slice(0, 200),
    steps: [],
    names: files.map(baseName),
    isReading: does === 'read',
    mark: isPlain.has(kind) ? nameHash(`${tool} ${inputText(input)}`) : '',
    isBlind: kind === 'edit' && files.length > 0 && !files.some((path) => hasName(seen, baseName(path))),
  }
}

type ShellCall = Pick<FrictionCall, 'what' | 'does' | 'place' | 'steps' | 'names' | 'isReading'>

function shellCallOf(command: string): ShellCall {
  const known = knownCommands.get(command)
  if (known) return known
  const commands = commandNames(command)
  const what = commandToBlame(commands) || 'shell'
  const does = commands.every(isInspection) ? 'read' : what
  const steps = workSteps(command, commands).slice(-maxSteps)
  const isReading = does === 'read' && !writes.test(command)
  const call = { what, does, place: what, steps, names: fileNames(command), isReading }
  if (knownCommands.size >= maxKnown) knownCommands.clear()
  knownCommands.set(command, call)
  return call
}

/** A cache: the same commands are run again and again. */
const knownCommands = new Map<string, ShellCall>()
const maxKnown = 1000

/** The input as JSON. Kept for the last one, because a digest needs it twice. */
export function inputText(input: Json | undefined): string {
  if (input === undefined) return '""'
  if (lastInput?.input !== input) lastInput = { input, text: JSON.stringify(input ?? '') }
  return lastInput.text
}

let lastInput: { input: Json; text: string } | undefined

/** Bounded, because the call is stored until its result comes and a line may be a whole program. */
const maxSteps = 12

/**
 * Inputs of these kinds are short and stored completely; truncated inputs of other kinds could look
 * equal without being so.
 */
const isPlain = new Set(['shell', 'read', 'search', 'web'])
const writes = /<<|(?<![-=0-9])>\s*[^&\s]/

/**
 * Text of a patch in the format of Codex: as the input itself, in a field, or in a shell command.
 */
function patchOf(input: Json | undefined, command: string): string {
  if (command) return command.includes('*** Begin Patch') ? command : ''
  if (typeof input === 'string') return input.includes('*** Begin Patch') ? input : ''
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  const text = input.input ?? input.patch
  return typeof text === 'string' && text.includes('*** Begin Patch') ? text : ''
}

/** Added files are left out, because they need not be read before. */
function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(/^\*\*\* (?:Update|Delete) File: (.+)$/gm)].map((match) => match[1]!.trim())
}

export function fileNames(text: string): string[] {
  return (text.match(/[\w.@+-]{3,}/g) ?? []).filter((word) => /\w\.[A-Za-z]\w{0,7}$/.test(word)).slice(0, 40)
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

const maxNames = 200
const width = 4
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Adds a name to a set that is stored as a string of four-character hashes, latest last. It is part
 * of every stored session, so it is small; two names collide with a chance of one in 16 million.
 */
export function addName(seen: string, name: string): string {
  return hasName(seen, name) ? seen : (seen + nameHash(name)).slice(-maxNames * width)
}

export function hasName(seen: string, name: string): boolean {
  const mark = nameHash(name)
  let at = seen.indexOf(mark)
  while (at >= 0 && at % width !== 0) at = seen.indexOf(mark, at + 1)
  return at >= 0
}

/** FNV-1a, folded to 24 bits, as four characters. */
function nameHash(name: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  const folded = (hash >>> 24) ^ (hash & 0xffffff)
  return (
    digits[(folded >> 18) & 63]! + digits[(folded >> 12) & 63]! + digits[(folded >> 6) & 63]! + digits[folded & 63]!
  )
}

/**
 * The purpose of a tool, whatever the agent calls it: a kind for known names (Bash, shell and
 * exec_command are `shell`), `mcp <server>` for tools of a server, else the lower-case name.
 */
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

/** Tools by which agents ask the person and wait for the answer. */
export const asksPerson =
  /^(?:AskUserQuestion|ExitPlanMode|exit_plan_mode|ask_user(?:_question)?|ask_followup_question|request_user_input|plan_exit|question)$/

/** What the person is asked; empty if it is not known. */
export function questionOf(input: Json | undefined): string {
  const asked = JSON.stringify(input ?? '').match(/"question":"((?:[^"\\]|\\.)+)"/)?.[1]
  return asked ? truncate(asked.replace(/\\n/g, ' ').replace(/\\"/g, '"'), 300) : ''
}

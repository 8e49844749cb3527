// Writes the hook to bin/: hook.sh if the platform has a sh, else the Node entry with its settings
// beside it. The differences between agents are generated from `hooks` in their contract.
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { readTextOrEmpty, writeAtomically } from '../core/files.ts'
import { type HookLocation, hookPath } from '../core/hook-command.ts'
import { readPackageFile } from '../core/package-files.ts'
import { shellQuote } from '../core/shell/command-line.ts'
import type { HookSettings } from './entry.ts'

export interface HookProgram extends HookLocation {
  /** The program that the worker runs. */
  cli: string
}

/** Writes the hook if it is missing or outdated. */
export function writeHook(program: HookProgram, agents: readonly Agent[]): void {
  const files = hookFiles(program, agents).filter(({ path, content }) => readTextOrEmpty(path) !== content)
  mkdirSync(join(program.root, 'bin'), { recursive: true, mode: 0o700 })
  for (const { path, content } of files) {
    writeAtomically(path, content)
    chmodSync(path, 0o700)
  }
}

/** A launcher that agents can run whether or not `recollect` is on their path. */
export function launcherPath({ root, platform }: HookLocation): string {
  return join(root, 'bin', platform === 'win32' ? 'recollect.cmd' : 'recollect')
}

/** Whether the hook exists and starts this program. */
export function isHookCurrent(program: HookProgram, agents: readonly Agent[]): boolean {
  return hookFiles(program, agents).every(({ path, content }) => readTextOrEmpty(path) === content)
}

/**
 * Writes the hook for a plugin that no `install` has prepared. A hook that starts another program
 * than this one stays as long as that program exists: a plugin started by npx must not replace an
 * installed one.
 */
export function provideHook(program: HookProgram, agents: readonly Agent[]): void {
  const cli = hookedProgram(program)
  if (cli === undefined || cli === program.cli || !existsSync(cli)) writeHook(program, agents)
}

/** The program that the written hook starts. */
function hookedProgram({ root, platform }: HookLocation): string | undefined {
  const [name, pattern] =
    platform === 'win32' ? ['recollect.cmd', /^".*?" "(.*)" %\*/m] : ['recollect', /exec '.*' '(.*)' "\$@"$/m]
  const cli = pattern.exec(readTextOrEmpty(join(root, 'bin', name)))?.[1]
  return platform === 'win32' ? cli?.replaceAll('%%', '%') : cli?.replace(/'"(['\\])\\?"'/g, '$1')
}

function hookFiles(program: HookProgram, agents: readonly Agent[]): { path: string; content: string }[] {
  const path = hookPath(program)
  const { root, node, cli } = program
  if (program.platform !== 'win32') {
    const launcher = `#!/bin/sh\nRECOLLECT_HOME=${shellQuote(root)} exec ${shellQuote(node)} ${shellQuote(cli)} "$@"\n`
    return [
      { path, content: shellHook(program, agents) },
      { path: launcherPath(program), content: launcher },
    ]
  }
  const answers = { answers: answersOf(agents), summaryEvents: summaryEventsOf(agents) }
  const settings: HookSettings = { root, cli, ...answers, ...sendersOf(agents) }
  return [
    { path, content: readPackageFile('hook.cjs', join('dist', 'hook.cjs')) },
    { path: join(root, 'bin', 'hook.json'), content: JSON.stringify(settings, null, 2) },
    {
      path: launcherPath(program),
      content: `@echo off\r\nset "RECOLLECT_HOME=${inBatch(root)}"\r\n"${inBatch(node)}" "${inBatch(cli)}" %*\r\n`,
    },
  ]
}

/** In a batch file `%%` stands for `%`. A path contains no quotes. */
function inBatch(path: string): string {
  return path.replaceAll('%', '%%')
}

function shellHook({ root, node, cli }: HookProgram, agents: readonly Agent[]): string {
  const cases = Object.entries(answersOf(agents)).map(
    ([name, { before, after, onResume }]) =>
      `  ${name}) before=${shellQuote(before)} after=${shellQuote(after)}${onResume ? ' on_resume=1' : ''} ;;`,
  )
  const kept = summaryEventsOf(agents).map((name) => `  ${name}) keeps=1 ;;`)
  const senders = sendersOf(agents)
  const values: Record<string, string> = {
    root: shellQuote(root),
    node: shellQuote(node),
    cli: shellQuote(cli),
    answers: [...cases, ...kept, ...hintCases(agents)].join('\n'),
    internal_variables: senders.internalVariables.map((name) => `$${name}`).join(''),
    internal_folders: senders.internalFolders.flatMap((name) => [`*/${name}`, `*/${name}/*`]).join(' | '),
    sender_variables: Object.entries(senders.variables)
      .map(([name, id]) => `[ -z "$${name}" ] || agent=${id}`)
      .join('\n'),
    folder_variables: Object.entries(senders.folderVariables)
      .map(([id, name]) => `  [ -z "$${name}" ] || [ "$agent" != ${id} ] || cd "$${name}"`)
      .join('\n'),
    payload_fields: payloadCases(senders),
  }
  return readPackageFile('hook.sh', join('src', 'hook', 'hook.sh')).replace(
    /#?@([a-z_]+)@/g,
    (_, name: string) => values[name]!,
  )
}

/**
 * First what an agent sends itself, then the same in the hook of any other agent: fields, and
 * folders of transcripts.
 */
function payloadCases({ payloadFields, transcriptFolders }: HookSenders): string {
  const sent = [
    ...Object.entries(payloadFields).flatMap(([id, names]) => names.map((name) => [id, `'"${name}"'*`] as const)),
    ...Object.entries(transcriptFolders).map(([id, folder]) => [id, `'"transcript'*'/${folder}/'*`] as const),
  ]
  const own = sent.map(([id, pattern]) => `${id}:${pattern}`)
  const all = [...new Set(sent.map(([, pattern]) => `*:${pattern}`))]
  return `      ${own.join(' | ')}) ;;\n      ${all.join(' | ')}) return 1 ;;`
}

type HookSenders = Omit<HookSettings, 'root' | 'cli' | 'answers' | 'summaryEvents'>

function sendersOf(agents: readonly Agent[]): HookSenders {
  const internal = agents.flatMap(({ hooks }) => hooks?.internal ?? [])
  const senders = agents.flatMap(({ id, hooks, sender = hooks?.sender }) => (sender ? [{ id, ...sender }] : []))
  return {
    variables: Object.fromEntries(senders.flatMap(({ id, variable }) => (variable ? [[variable, id]] : []))),
    folderVariables: Object.fromEntries(
      senders.flatMap(({ id, folderVariable }) => (folderVariable ? [[id, folderVariable]] : [])),
    ),
    payloadFields: Object.fromEntries(
      senders.flatMap(({ id, payloadFields }) => (payloadFields ? [[id, [...payloadFields]]] : [])),
    ),
    transcriptFolders: Object.fromEntries(
      senders.flatMap(({ id, transcriptFolder }) => (transcriptFolder ? [[id, transcriptFolder]] : [])),
    ),
    internalVariables: [...new Set(internal.flatMap(({ variable }) => variable ?? []))],
    internalFolders: [...new Set(internal.flatMap(({ folder }) => folder ?? []))],
  }
}

/** The answer format of each agent with a brief, by `<agent>:<event>`. */
function answersOf(agents: readonly Agent[]): HookSettings['answers'] {
  const answers: HookSettings['answers'] = {}
  for (const { id, hooks } of agents) {
    if (!hooks?.brief) continue
    for (const [event, moment] of Object.entries(hooks.events)) {
      if (moment === 'start') answers[`${id}:${event}`] = hooks.brief
    }
  }
  return answers
}

/** The text before and after a hint, by agent and moment. */
function hintCases(agents: readonly Agent[]): string[] {
  return agents.flatMap(({ id, hooks }) =>
    Object.entries(hooks?.hints ?? {}).map(([moment, { event }]) => {
      const before = `{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":`
      return `  ${id}:${moment}) before=${shellQuote(before)} after='}}' ;;`
    }),
  )
}

/** `<agent>:<event>` of those that take text for the request of a summary. */
function summaryEventsOf(agents: readonly Agent[]): string[] {
  return agents.flatMap(({ id, hooks }) => (hooks?.summaryEvent ? [`${id}:${hooks.summaryEvent}`] : []))
}

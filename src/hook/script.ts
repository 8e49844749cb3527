// The hook as it is written to bin/: hook.sh where there is a sh, else the Node entry with its settings beside it.
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent } from '../agents/agent.ts'
import { writeAtomically } from '../core/files.ts'
import { type HookPlace, hookPath, quoted } from '../core/hook-command.ts'
import type { HookSettings } from './entry.ts'

export interface HookProgram extends HookPlace {
  /** What the worker is started with. */
  cli: string
}

/** Writes the hook where it is missing or says something else; gives back whether it did. */
export function writeHook(program: HookProgram, agents: readonly Agent[]): boolean {
  const files = hookFiles(program, agents).filter(({ path, content }) => textOf(path) !== content)
  mkdirSync(join(program.root, 'bin'), { recursive: true, mode: 0o700 })
  for (const { path, content } of files) {
    writeAtomically(path, content)
    chmodSync(path, 0o700)
  }
  return files.length > 0
}

/** What an agent that wants to ask can run, whether or not `recollect` is on its path. */
export function launcherPath({ root, platform }: HookPlace): string {
  return join(root, 'bin', platform === 'win32' ? 'recollect.cmd' : 'recollect')
}

/** Whether the hook is there and starts this very program. */
export function isHookCurrent(program: HookProgram, agents: readonly Agent[]): boolean {
  return hookFiles(program, agents).every(({ path, content }) => textOf(path) === content)
}

function hookFiles(program: HookProgram, agents: readonly Agent[]): { path: string; content: string }[] {
  const path = hookPath(program)
  const { root, node, cli } = program
  if (program.platform !== 'win32') {
    const launcher = `#!/bin/sh\nRECOLLECT_HOME=${quoted(root)} exec ${quoted(node)} ${quoted(cli)} "$@"\n`
    return [
      { path, content: shellHook(program, agents) },
      { path: launcherPath(program), content: launcher },
    ]
  }
  const settings: HookSettings = { root, cli, answers: answersOf(agents) }
  return [
    { path, content: readFileSync(beside('hook.cjs'), 'utf8') },
    { path: join(root, 'bin', 'hook.json'), content: JSON.stringify(settings, null, 2) },
    {
      path: launcherPath(program),
      content: `@echo off\r\nset "RECOLLECT_HOME=${root}"\r\n"${node}" "${cli}" %*\r\n`,
    },
  ]
}

export function shellHook({ root, node, cli }: HookProgram, agents: readonly Agent[]): string {
  const cases = Object.entries(answersOf(agents)).map(
    ([name, { before, after }]) => `  ${name}) before=${quoted(before)} after=${quoted(after)} ;;`,
  )
  const values: Record<string, string> = {
    root: quoted(root),
    node: quoted(node),
    cli: quoted(cli),
    answers: cases.join('\n'),
  }
  return readFileSync(beside('hook.sh'), 'utf8').replace(
    /#?@(root|node|cli|answers)@/g,
    (_, name: string) => values[name]!,
  )
}

/** How each agent takes a brief, by `<agent>:<event>`. */
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

/** In a checkout beside this file; in the package beside the bundle. */
function beside(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name)
    if (existsSync(join(folder, 'dist', name))) return join(folder, 'dist', name)
  }
  throw new Error(`${name} is missing from this installation`)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

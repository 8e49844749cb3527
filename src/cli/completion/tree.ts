// The commands, options and values of the program as plain data, from the definitions that parse the
// command line. Completion scripts and the manual page are written from it.
import type { Command, Option } from 'commander'
import { agents } from '../../agents/registry.ts'
import { activityKinds } from '../../digest/activity.ts'
import { outcomes } from '../../digest/outcome.ts'
import { exportFormats } from '../../export/export-data.ts'
import { inboxDecisions } from '../../learn/change.ts'
import { linkTypes } from '../../memory/links.ts'
import { memoryKinds, memoryStatuses, memoryTypes } from '../../memory/memory.ts'
import { costGroups } from '../../store/cost/groups.ts'
import { guides } from '../guide-names.ts'

export interface CommandNode {
  /** The words after `recollect`, separated by spaces; empty for the program itself. */
  path: string
  description: string
  commands: { name: string; description: string }[]
  options: OptionNode[]
  /** What its arguments can be, if that is a list of words. */
  words: readonly string[]
  /** Whether any text, such as a file, can stand there. */
  hasArguments: boolean
}

interface OptionNode {
  /** Such as `-h` and `--help`. */
  flags: string[]
  description: string
  value: 'none' | 'file' | 'text' | readonly string[]
}

/** The program first, then every command before its own commands. */
export function commandNodes(program: Command): CommandNode[] {
  const nodes = nodesOf(program, '')
  const names = nodes[0]!.commands.map(({ name }) => name).filter((name) => name !== 'help')
  const words = [...new Set([...names, ...guides])]
  return nodes.map((node) => (node.path === 'help' ? { ...node, words } : node))
}

function nodesOf(command: Command, path: string): CommandNode[] {
  const help = command.createHelp()
  const node = {
    path,
    description: command.description(),
    commands: help.visibleCommands(command).map((child) => ({ name: child.name(), description: child.description() })),
    options: help.visibleOptions(command).map((option) => optionNode(option, path)),
    words: argumentValues(command, path),
    hasArguments: command.registeredArguments.length > 0 && command.commands.length === 0,
  }
  return [node, ...command.commands.flatMap((child) => nodesOf(child, `${path} ${child.name()}`.trim()))]
}

function optionNode(option: Option, path: string): OptionNode {
  const flags = [option.short, option.long].flatMap((flag) => flag ?? [])
  return { flags, description: option.description, value: optionValue(option, path) }
}

function optionValue(option: Option, path: string): OptionNode['value'] {
  if (!option.required && !option.optional) return 'none'
  if (option.argChoices) return option.argChoices
  const known = optionValues[`${path} ${option.long}`] ?? optionValues[option.long ?? '']
  return known ?? (/<(?:file|path)>/.test(option.flags) ? 'file' : 'text')
}

function argumentValues(command: Command, path: string): readonly string[] {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  return argumentWords[path] ?? choices
}

const agentIds = agents.map(({ id }) => id)
const hooked = agents.flatMap(({ id, hooks }) => (hooks ? [id] : []))

/** Values of options by their name, or by command and name where a name has several meanings. */
export const optionValues: Record<string, readonly string[]> = {
  '--agent': agentIds,
  '--by': costGroups,
  '--format': exportFormats,
  '--hook': hooked,
  '--in': ['memories', 'sessions', 'commits', 'wiki', 'journal'],
  '--judge': ['claude', 'ollama', 'anthropic', 'openai', 'none'],
  '--kind': memoryKinds,
  '--outcome': outcomes,
  '--provider': ['heuristic'],
  '--scope': ['everywhere', 'project'],
  '--status': memoryStatuses,
  '--type': memoryTypes,
  'export --to': ['claude-code'],
  'handoff --to': agents.flatMap(({ id, handoff }) => (handoff ? [id] : [])),
  'sessions --kind': activityKinds,
}

/** Values of arguments that the definitions do not list, by command. */
export const argumentWords: Record<string, readonly string[]> = {
  import: agents.flatMap(({ id, memories }) => (memories ? [id] : [])),
  inbox: inboxDecisions,
  install: [...hooked, 'plugin', 'all'],
  link: linkTypes,
  uninstall: [...hooked, 'plugin', 'all'],
  unlink: linkTypes,
}

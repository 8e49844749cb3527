// Shows settings and changes them in config.toml, which keeps its comments and its order.
import { existsSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { parse, TomlError } from 'smol-toml'
import { type App, createApp } from '../../app.ts'
import { rootsOf } from '../../capture/discover.ts'
import { defaultConfig, parseConfig, settingNamed, settingStates } from '../../core/config/config.ts'
import { isByteSize, openTables, type Setting, type SettingValue } from '../../core/config/settings.ts'
import { tomlKey, tomlText, writeSettings } from '../../core/config/write-settings.ts'
import { UserError } from '../../core/errors.ts'
import { writeAtomically } from '../../core/files.ts'
import { makeHome } from '../../core/paths.ts'
import type { Json } from '../../core/session.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { formatSize, isTimeZone } from '../../core/units.ts'
import { type CommandContext, examples } from '../command.ts'
import { askYesNo, editText, isInteractive } from '../prompts.ts'
import { type Terminal, table, wrapText } from '../terminal.ts'

interface Options {
  json?: boolean
}

export function addConfig({ program, terminal }: CommandContext): void {
  const config = program
    .command('config')
    .description('Show settings and change them')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect config',
        'recollect config get retain.soft',
        'recollect config set retain.soft "8 GiB"',
        'recollect config set capture.ignore ~/private,~/code/client-*',
        'recollect config unset retain.soft',
        'recollect config edit',
      ),
    )
    .action((options: Options) => showAll(terminal, createApp(), options))
  addGet(config, terminal)
  addSet(config, terminal)
  addUnset(config, terminal)
  addEdit(config, terminal)
}

function showAll(terminal: Terminal, app: App, { json }: Options): void {
  const { config, layout, machine } = app
  const sources = Object.fromEntries(app.agents.map((agent) => [agent.id, rootsOf(agent, machine, config)]))
  if (json) return terminal.json({ file: layout.config, home: layout.root, config, sources })
  const { style, print, columns } = terminal
  print(`${style.bold(layout.config)}\n`)
  const rows = settingStates(layout.config).map(({ setting, value, isSet }) => {
    const text = valueText(setting, value)
    return [setting.name, isSet ? style.bold(text) : text, isSet ? 'set' : 'default']
  })
  print(
    table([{ title: 'setting', isWhole: true }, { title: 'value', isFlexible: true }, { title: '' }], rows, columns),
  )
  print(`\n${style.bold('Transcripts are read from')}`)
  const present = Object.entries(sources).flatMap(([agent, roots]) =>
    roots.filter((root) => existsSync(root)).map((root) => [agent, root]),
  )
  print(present.length > 0 ? table([{ title: 'agent' }, { title: 'folder', isWhole: true }], present, columns) : 'none')
  for (const line of wrapText('To read about a setting: recollect config get <setting>', columns)) terminal.say(line)
}

function addGet(config: Command, terminal: Terminal): void {
  config
    .command('get')
    .description('Show a setting with its meaning')
    .argument('<setting>', 'Its name, such as retain.soft')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect config get retain.soft'))
    .action((name: string, options: Options) => {
      const { layout } = createApp()
      const { key, setting } = placeOf(name)
      const { value: whole, isSet } = settingStates(layout.config).find((state) => state.setting === setting)!
      const value = key === undefined ? whole : memberOf(whole, key)
      if (options.json) return terminal.json({ setting: name, value: value ?? null, isSet, expected: setting.expected })
      terminal.print(value === undefined ? 'not set' : valueText(setting, value))
      const { style, say, columns } = terminal
      const notes = [
        setting.why,
        `Takes ${setting.expected}. ${isSet ? `Set in ${layout.config}` : 'This is the default'}.`,
      ]
      for (const line of notes.flatMap((note) => wrapText(note, columns))) say(style.dim(line))
    })
}

function addSet(config: Command, terminal: Terminal): void {
  config
    .command('set')
    .description('Write a setting to config.toml')
    .argument('<setting>', 'Its name, such as retain.soft')
    .argument('<value>', 'A number, a text, true, false, or a list with commas')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect config set learn.on false',
        'recollect config set capture.skip_agents aider,goose',
        'recollect config set sources.claude-code "~/.claude-work"',
      ),
    )
    .action((name: string, typed: string, options: Options) => {
      const place = changeablePlace(name)
      change(terminal, name, { ...options, place, value: parseTyped(place, name, typed) })
    })
}

function addUnset(config: Command, terminal: Terminal): void {
  config
    .command('unset')
    .description('Remove a setting from config.toml, so that its default applies')
    .argument('<setting>', 'Its name, such as retain.soft')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect config unset retain.soft'))
    .action((name: string, options: Options) =>
      change(terminal, name, { ...options, place: changeablePlace(name), value: undefined }),
    )
}

function addEdit(config: Command, terminal: Terminal): void {
  config
    .command('edit')
    .description('Open config.toml in your editor; a file with an error is not written')
    .addHelpText('after', examples('recollect config edit', 'EDITOR="code --wait" recollect config edit'))
    .action(async () => {
      const app = createApp({ ignoresConfig: true }) // to correct a file with an error
      makeHome(app.layout)
      const path = app.layout.config
      const before = existsSync(path) ? readFileSync(path, 'utf8') : defaultConfig()
      for (let text = before; ; ) {
        text = editText(app, 'config.toml', text)
        if (text === before && existsSync(path)) return terminal.say('Nothing was changed.')
        try {
          return writeChecked(path, text)
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          terminal.say(`${error.message}\n${error.hint}`)
          if (!isInteractive() || !(await askYesNo('Edit it again?')))
            throw new UserError('Nothing was written', `The file is as it was: ${path}`, 1)
        }
      }
    })
}

/** Where a setting stands in the file: `sources.pi` is the key `pi` of the table `sources`. */
interface SettingPlace {
  setting: Setting
  table: string
  /** The key of a table whose keys are free; undefined for an ordinary setting. */
  key: string | undefined
}

function placeOf(name: string): SettingPlace {
  const open = openTables.find((one) => name.startsWith(`${one}.`))
  if (open) return { setting: settingNamed(open), table: open, key: name.slice(open.length + 1) }
  return { setting: settingNamed(name), table: name.slice(0, name.indexOf('.')), key: undefined }
}

function changeablePlace(name: string): SettingPlace {
  if (openTables.includes(name))
    throw new UserError(`${name} is a table`, `Name one of its keys: recollect config set ${name}.<key> <value>`)
  return placeOf(name)
}

/** As TOML, as a text, or as a list with commas: whichever the setting takes. */
function parseTyped({ setting, key }: SettingPlace, name: string, typed: string): Json {
  const toml = tomlValue(typed)
  const list = typed.split(',').map((item) => item.trim())
  for (const value of isMistake(setting, typed) ? [] : [toml, typed, list]) {
    if (value !== undefined && setting.parse(key === undefined ? value : { [key]: value }) !== undefined) return value
  }
  const example = setting.example.slice(setting.example.indexOf(' = ') + ' = '.length)
  throw new UserError(
    `${name} takes ${setting.expected}, not "${typed}"`,
    `For example: ${ownCommand('config', 'set', name, example)}`,
  )
}

/** What the file may say, but a person does not mean: 8 bytes for "8 GiB", or a zone that this system does not know. */
function isMistake(setting: Setting, typed: string): boolean {
  if (isByteSize(setting)) return /^\s*\d+\s*$/.test(typed)
  return setting.name === 'display.zone' && typed !== '' && !isTimeZone(typed)
}

function tomlValue(typed: string): Json | undefined {
  try {
    return parse(`value = ${typed}`).value as Json
  } catch (error) {
    if (error instanceof TomlError) return undefined
    throw error
  }
}

interface Change extends Options {
  place: SettingPlace
  value: Json | undefined
}

function change(terminal: Terminal, name: string, { place, value, json }: Change): void {
  const { layout } = createApp()
  makeHome(layout)
  const stateOf = () => settingStates(layout.config).find(({ setting }) => setting === place.setting)!
  const before = stateOf()
  const text = existsSync(layout.config) ? readFileSync(layout.config, 'utf8') : defaultConfig()
  const key = place.key === undefined ? name.slice(place.table.length + 1) : tomlKey(place.key)
  writeSettings(layout.config, place.table, { [key]: value }, () => true)
  restoreUnlessValid(layout.config, text)
  const shown = ({ value }: { value: SettingValue }) => {
    const part = place.key === undefined ? value : memberOf(value, place.key)
    return part === undefined ? 'not set' : valueText(place.setting, part)
  }
  if (json) return terminal.json({ setting: name, before: shown(before), value: shown(stateOf()) })
  terminal.print(`${name}: ${shown(stateOf())}`)
  terminal.say(terminal.style.dim(`Before: ${shown(before)}`))
}

/** Some errors show only with everything that is known, such as the names of agents. */
function restoreUnlessValid(path: string, before: string): void {
  try {
    createApp()
  } catch (error) {
    writeAtomically(path, before)
    throw error
  }
}

function writeChecked(path: string, text: string): void {
  parseConfig(text, path)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : defaultConfig()
  writeAtomically(path, text)
  restoreUnlessValid(path, before)
}

function memberOf(value: SettingValue, key: string): SettingValue | undefined {
  if (typeof value !== 'object' || Array.isArray(value)) return undefined
  return Object.entries(value).find(([name]) => name === key)?.[1]
}

function valueText(setting: Setting, value: SettingValue): string {
  if (isByteSize(setting) && typeof value === 'number') return formatSize(value)
  if (typeof value === 'string') return value === '' ? 'none' : value
  return tomlText(value as Json)
}

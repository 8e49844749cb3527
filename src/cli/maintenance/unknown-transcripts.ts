// Prints what `recollect doctor --unknown` has found: folders that no reader reads, and how to read
// or report them.
import { basename } from 'node:path'
import type { App } from '../../app.ts'
import { tomlText } from '../../core/config/write-settings.ts'
import { shortPath } from '../../core/paths.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { formatSize, plural } from '../../core/units.ts'
import type { UnknownReport, UnknownTranscripts } from '../../doctor/unknown-transcripts.ts'
import { type Terminal, wrapText } from '../terminal.ts'

export function printUnknown({ print, say, style, columns }: Terminal, app: App, report: UnknownReport): void {
  const indented = (text: string) =>
    wrapText(text, columns - 2, { keepsWords: true })
      .map((line) => `  ${line}`)
      .join('\n')
  for (const found of report.folders) {
    const size = `${plural(found.files, 'file')}, ${formatSize(found.bytes)}, last changed ${app.zone.minute(found.newest)}`
    print(`${style.bold(shortPath(found.folder, app.machine.home))}  ${size}`)
    print(indented(`newest: ${found.example}, with ${found.fields.join(', ')}`))
    print(indented(found.format ? `It can be read as ${found.format.agent}:` : 'No reader knows its format.'))
    if (found.format) print(`  ${sourceCommand(app, found, found.format)}`)
  }
  if (report.folders.length === 0) print('No other folder looks like sessions of an agent.')
  else
    for (const line of wrapText(
      'To have a format added, report the lines above: they name files and fields, never what was said.',
      columns,
    ))
      say(style.dim(line))
  if (report.isPartial) say('The home folder is large: a part of it was not looked at.')
}

function sourceCommand(
  app: App,
  { folder }: UnknownTranscripts,
  format: NonNullable<UnknownTranscripts['format']>,
): string {
  const name =
    basename(folder)
      .toLowerCase()
      .replace(/^[^a-z]+/, '')
      .replace(/[^a-z0-9]+/g, '-') || 'agent'
  const id = app.agents.some((agent) => agent.id === name) ? `${name}-other` : name
  const value = { format: format.agent, folders: [shortPath(format.folder, app.machine.home)] }
  return ownCommand('config', 'set', `sources.${id}`, tomlText(value))
}

// Results of Goose's tools, and the files that its editing tools changed.
import type { Event, FileChange, Json } from '../../core/session.ts'
import { absolutePath, lineCount } from '../changes.ts'
import { type Fields, fields, imagePlaceholder, list, named, text } from '../values.ts'

export function resultOf(result: Fields): Pick<Event, 'text' | 'error' | 'exit'> {
  if (result.status === 'error') {
    const said = named(result.error) ?? text(fields(result.error).message)
    return { text: said, error: /Interrupted by the user/.test(said) ? 'interrupted' : 'failed' }
  }
  const value = fields(result.value)
  const said = contentText(list(Array.isArray(result.value) ? result.value : value.content))
  const code = fields(value.structuredContent).exit_code
  const exit = typeof code === 'number' ? code : undefined
  if (said.startsWith('The user has declined to run this tool')) return { text: said, error: 'denied' }
  if (said.startsWith('Interrupted by the user to make a correction')) return { text: said, error: 'interrupted' }
  const isFailure = value.isError === true || (exit !== undefined && exit !== 0)
  return { text: said, error: isFailure ? 'failed' : undefined, exit }
}

/** Many tools answer twice, for the person and for the model: what the model saw counts. */
function contentText(content: Json[]): string {
  return content
    .map(fields)
    .filter((block) => {
      const audience = list(fields(block.annotations).audience ?? block.audience)
      return audience.length === 0 || audience.includes('assistant')
    })
    .map((block) => {
      if (block.type === 'image') return imagePlaceholder(named(block.mimeType), text(block.data))
      return text(block.text) || text(fields(block.resource).text)
    })
    .filter((part) => part !== '')
    .join('\n')
}

/** What a successful call changed, as far as its own arguments tell. */
export function changedFiles(
  { tool, input }: { tool: string; input: Json },
  result: string,
  cwd: string | undefined,
): FileChange[] {
  const given = fields(input)
  const path = named(given.path) ?? named(given.file_path)
  const action = actions.get(tool.split('__').at(-1)!) ?? ''
  const command = action === 'text_editor' ? text(given.command) : action
  if (!path) return []
  const place = absolutePath(path, cwd)
  if (command === 'write' || command === 'create') {
    const content = text(given.file_text) || text(given.content)
    const change = command === 'create' || /^\s*created\b/i.test(result) ? 'add' : 'update'
    return [{ path: place, change, added: lineCount(content) }]
  }
  if (command !== 'edit' && command !== 'str_replace' && command !== 'insert') return []
  const removed = lineCount(text(given.old_str) || text(given.before))
  return [{ path: place, change: 'update', added: lineCount(text(given.new_str) || text(given.after)), removed }]
}

const actions = new Map([
  ['text_editor', 'text_editor'],
  ['write', 'write'],
  ['edit', 'edit'],
])

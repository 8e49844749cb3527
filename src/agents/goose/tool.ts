// Results of Goose's tools, and the files that its editing tools changed.
import type { Event, FileChange, Json } from '../../core/session.ts'
import { absolutePath, lineCount } from '../file-changes.ts'
import { asArray, asObject, asString, imagePlaceholder, type JsonObject, optionalString } from '../json-values.ts'

export function resultOf(result: JsonObject): Pick<Event, 'text' | 'error' | 'exit'> {
  if (result.status === 'error') {
    const said = optionalString(result.error) ?? asString(asObject(result.error).message)
    return { text: said, error: /Interrupted by the user/.test(said) ? 'interrupted' : 'failed' }
  }
  const value = asObject(result.value)
  const said = contentText(asArray(Array.isArray(result.value) ? result.value : value.content))
  const code = asObject(value.structuredContent).exit_code
  const exit = typeof code === 'number' ? code : undefined
  if (said.startsWith('The user has declined to run this tool')) return { text: said, error: 'denied' }
  if (said.startsWith('Interrupted by the user to make a correction')) return { text: said, error: 'interrupted' }
  const isFailure = value.isError === true || (exit !== undefined && exit !== 0)
  return { text: said, error: isFailure ? 'failed' : undefined, exit }
}

/** Many tools answer twice, for the person and for the model: what the model saw counts. */
function contentText(content: Json[]): string {
  return content
    .map(asObject)
    .filter((block) => {
      const audience = asArray(asObject(block.annotations).audience ?? block.audience)
      return audience.length === 0 || audience.includes('assistant')
    })
    .map((block) => {
      if (block.type === 'image') return imagePlaceholder(optionalString(block.mimeType), asString(block.data))
      return asString(block.text) || asString(asObject(block.resource).text)
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
  const given = asObject(input)
  const path = optionalString(given.path) ?? optionalString(given.file_path)
  const action = actions.get(tool.split('__').at(-1)!) ?? ''
  const command = action === 'text_editor' ? asString(given.command) : action
  if (!path) return []
  const place = absolutePath(path, cwd)
  if (command === 'write' || command === 'create') {
    const content = asString(given.file_text) || asString(given.content)
    const change = command === 'create' || /^\s*created\b/i.test(result) ? 'add' : 'update'
    return [{ path: place, change, added: lineCount(content) }]
  }
  if (command !== 'edit' && command !== 'str_replace' && command !== 'insert') return []
  const removed = lineCount(asString(given.old_str) || asString(given.before))
  return [
    { path: place, change: 'update', added: lineCount(asString(given.new_str) || asString(given.after)), removed },
  ]
}

const actions = new Map([
  ['text_editor', 'text_editor'],
  ['write', 'write'],
  ['edit', 'edit'],
])

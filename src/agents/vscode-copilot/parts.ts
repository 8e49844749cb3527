// Reads the parts of a response as the chat view shows them. Text is cut where the view puts links
// and edits; tool calls have no arguments here, except those of commands and of MCP servers.
import { posix } from 'node:path'
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { asArray, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'

export type ResponsePart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'call'; call: JsonObject }
  | { kind: 'edit'; path: string }

export function responseParts(response: Json[], out: ReaderOutput): ResponsePart[] {
  const parts: ResponsePart[] = []
  const addText = (text: string) => {
    const last = parts.at(-1)
    if (last?.kind === 'text') last.text += text
    else if (text) parts.push({ kind: 'text', text })
  }
  for (const value of response) {
    const part = asObject(value)
    const kind = asString(part.kind)
    switch (kind) {
      case '':
        addText(proseOf(typeof value === 'string' ? value : part.value))
        break
      case 'markdownContent':
      case 'markdownVuln':
        addText(asString(asObject(part.content).value))
        break
      case 'inlineReference':
        addText(referenceName(part))
        break
      case 'thinking': {
        const text = thoughtOf(part.value)
        if (text) parts.push({ kind, text })
        break
      }
      case 'toolInvocationSerialized':
      case 'toolInvocation':
        parts.push({ kind: 'call', call: part })
        break
      case 'textEditGroup':
      case 'notebookEditGroup':
        if (asArray(part.edits).some((edits) => asArray(edits).length > 0))
          parts.push({ kind: 'edit', path: uriPath(part.uri) })
        break
      case 'clearToPreviousToolInvocation': // the answer was refused and is written again
        if (parts.at(-1)?.kind === 'text') parts.pop()
        break
      default:
        if (!viewParts.has(kind)) out.unknownType(`response part ${kind}`)
    }
  }
  return parts
}

/** Parts that only the view needs, or that repeat the result of a call. */
const viewParts = new Set(
  `undoStop codeblockUri progressMessage progressTask progressTaskSerialized mcpServersStarting prepareToolInvocation
   command confirmation elicitation elicitation2 elicitationSerialized questionCarousel planReview extensions treeData
   multiDiffData pullRequest workspaceEdit hook warning info disabledClaudeHooks references usedContext`.split(/\s+/),
)

/** Bare fences remain where an edit stood in the text. */
function proseOf(value: Json | undefined): string {
  const text = asString(value)
  return /^\s*`{3,}\s*$/.test(text) ? '' : text
}

export function thoughtOf(value: Json | undefined): string {
  return Array.isArray(value) ? value.map(asString).join('') : asString(value)
}

/** A URI, a place in a file or a symbol. */
function referenceName(part: JsonObject): string {
  const target = asObject(part.inlineReference)
  const name = optionalString(part.name) ?? optionalString(target.name)
  return name ?? posix.basename(uriPath(target.uri ?? asObject(target.location).uri ?? target))
}

/** `fsPath` is that of the machine, but it is not always written. */
export function uriPath(uri: Json | undefined): string {
  const { fsPath, path } = asObject(uri)
  return optionalString(fsPath) ?? asString(path).replace(/^\/(?=[A-Za-z]:)/, '')
}

/** Arguments of a call that the view shows: a command, or the input of an MCP tool. */
export function shownInput(call: JsonObject): Json {
  const data = asObject(call.toolSpecificData)
  const command = optionalString(asObject(data.commandLine).original) ?? optionalString(data.command)
  if (command) return { command }
  const given = optionalString(asObject(call.resultDetails).input)
  return data.rawInput ?? (given === undefined ? {} : (parseJson(given) ?? given))
}

export function shownOutput(call: JsonObject): string {
  const printed = optionalString(asObject(asObject(call.toolSpecificData).terminalCommandOutput).text)
  const output = asArray(asObject(call.resultDetails).output).map((value) => {
    const part = asObject(value)
    return part.isText === false ? '' : asString(part.value)
  })
  return printed ?? (output.join('\n') || messageText(call.pastTenseMessage))
}

function messageText(message: Json | undefined): string {
  return typeof message === 'string' ? message : asString(asObject(message).value)
}

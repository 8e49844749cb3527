// Tells typed prompts from machine text. A prompt is in a rollout twice: as the user message to the
// model, among machine text with the same role, and as an event that only typed text gets
// (`user_message`; `UserMessage` items since about July 2026). The event decides and has the text;
// a rollout without such events (to September 2025) only has the messages.
import type { Json } from '../../core/session.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { contentText, imageAt, imageOf } from './output.ts'
import { type CodexThread, emit, type PendingMessage, sessionOf } from './state.ts'

interface MessageOrigin {
  ts: string | null
  id: string
}

/** A `message` item with the role user. */
export function readUserMessage(
  thread: CodexThread,
  payload: JsonObject,
  metadata: JsonObject,
  ts: string | null,
): void {
  const said = { ts, id: asString(payload.id) }
  const parts = asArray(payload.content).map(asObject)
  const kinds = asArray(asObject(payload.internal_chat_message_metadata_passthrough).content_item_kinds).map(asString)
  const isSure = kinds.some((kind) => kind.startsWith('user.'))
  const human = isSure ? parts.filter((_, index) => (kinds[index] ?? 'user.').startsWith('user.')) : parts
  const machine = parts.filter((part) => !human.includes(part))
  if (machine.length > 0) emitContext(thread, contentText(machine), said)
  const words = typedText(human)
  const shell = /^\s*<user_shell_command>[\s\S]*?<command>\s*([\s\S]*?)\s*<\/command>/.exec(words)?.[1]
  if (shell) return emit(thread, { ...said, kind: 'shell', role: 'user', text: shell })
  // The newest files name the kind of every part; without it the text decides.
  const isMachine = metadata.inherited_user_message === true || (!isSure && (kinds.length > 0 || isMachineText(words)))
  if (isMachine) return readMachineText(thread, contentText(human), said)
  holdMessage(thread, { ...said, text: withImages(words, human.map(imageOf)), isSure }, words)
}

/** To September 2025 only the text for the model contains the working folder. */
function readMachineText(thread: CodexThread, words: string, said: MessageOrigin): void {
  emitContext(thread, words, said)
  const cwd = thread.cwd ? undefined : /<cwd>([^<\n]+)<\/cwd>|^Current working directory: (.+)$/m.exec(words)
  if (!cwd) return
  thread.cwd = (cwd[1] ?? cwd[2] ?? '').trim()
  sessionOf(thread).about({ cwd: optionalString(thread.cwd) })
}

function holdMessage(thread: CodexThread, message: PendingMessage, words: string): void {
  const { prompts } = thread
  if (prompts.ahead !== '' && prompts.ahead === words) prompts.ahead = ''
  else prompts.waiting.push(message)
}

/** The event of a typed prompt: the message before it is the same prompt. */
export function readPromptEvent(thread: CodexThread, words: string, images: string[], said: MessageOrigin): void {
  const { prompts } = thread
  const same = prompts.waiting.findIndex((message) => message.text.startsWith(words))
  const [message] = prompts.waiting.splice(same < 0 ? prompts.waiting.length - 1 : same, 1)
  prompts.toldBy = 'events'
  flushMessages(thread)
  if (!message) prompts.ahead = words
  emitPrompt(thread, { text: withImages(words, images), ts: said.ts, id: said.id || (message?.id ?? ''), isSure: true })
}

/** Emits waiting messages: the model has answered, so no event will come for them. */
export function flushMessages(thread: CodexThread): void {
  const { prompts } = thread
  prompts.ahead = ''
  if (prompts.waiting.length === 0) return
  if (prompts.toldBy === 'unknown') prompts.toldBy = 'items'
  for (const message of prompts.waiting.splice(0)) {
    if (message.isSure || prompts.toldBy === 'items') emitPrompt(thread, message)
    else emitContext(thread, message.text, message)
  }
}

function emitPrompt(thread: CodexThread, message: PendingMessage): void {
  const { ts, id } = message
  const said = message.text.replace(ideContext, '').trim()
  // The prompts of a subagent come from its parent agent.
  if (said) emit(thread, { kind: thread.isSubagent ? 'context' : 'prompt', role: 'user', ts, id, text: said })
}

function emitContext(thread: CodexThread, said: string, { ts, id }: MessageOrigin): void {
  if (said.trim()) emit(thread, { kind: 'context', role: 'user', ts, id, text: said })
}

/** Editors put open files before the prompt, under headings; the last heading is the prompt's. */
const ideContext = /^\s*# [\s\S]*\n## My request for Codex:\s*/

const machineText = new RegExp(
  `^\\s*(?:# AGENTS\\.md instructions|<(?:${[
    'user_instructions',
    'INSTRUCTIONS',
    'environment_context',
    'permissions instructions',
    'turn_aborted',
    'skill',
    'subagent_notification',
    'user_shell_command',
    'user_action',
    'goal_context',
    'codex_internal_context',
    'recommended_plugins',
    'agent_message_board_notification',
    'hook_prompt',
  ].join('|')})\\b)`,
)

/** Whether the text begins like machine text; further inside, the same words are the user's. */
export function isMachineText(said: string): boolean {
  return machineText.test(said)
}

/** The text of a message without images and the tags that Codex puts around them. */
export function typedText(parts: JsonObject[]): string {
  return parts
    .map((part) => asString(part.text))
    .filter((said) => said !== '' && !/^\s*<\/?image\b[^>]*>\s*$/.test(said))
    .join('\n')
}

/** Prompt and images of a `user_message` event. */
export function readUserMessageEvent(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const words = asString(payload.message)
  const said = { ts, id: optionalString(payload.client_id) ?? '' }
  if (!isPersonEvent(payload)) return // its message has been read
  const images = [...asArray(payload.images), ...asArray(payload.local_images)].map((image: Json) =>
    imageAt(asString(image)),
  )
  readPromptEvent(thread, words, images, said)
}

/** In autumn 2025 machine text got this event too, with a kind that tells. */
export function isPersonEvent(payload: JsonObject): boolean {
  return payload.type === 'user_message' && (payload.kind === 'plain' || optionalString(payload.kind) === undefined)
}

function withImages(words: string, images: string[]): string {
  return [words, ...images].filter((part) => part !== '').join('\n')
}

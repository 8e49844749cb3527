// Posts JSON with limits of time and size.
import { causeOf } from '../../core/errors.ts'
import { failed, maxAnswerBytes, type ProviderReply, remedyOf } from './provider.ts'

export interface JsonPost {
  url: string
  headers: Record<string, string>
  body: object
  timeoutMs: number
}

/**
 * `read` turns the answer into a reply, or returns undefined if it does not have the expected
 * shape.
 */
export async function postJson(
  { url, headers, body, timeoutMs }: JsonPost,
  read: (answer: unknown) => ProviderReply | undefined,
) {
  const signal = AbortSignal.timeout(timeoutMs)
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A redirect would send key and text to another server.
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    return signal.aborted ? failed('timeout', { spent: null }) : failed('no connection', { detail: causeOf(error) })
  }
  const { text, end } = await readAnswer(response, signal)
  if (!response.ok) return refusal(response.status, text)
  if (end === 'too long') return failed('too long', { detail: 'more than 1 MB', remedy: 'later', spent: null })
  // A complete answer counts even if the connection broke or stayed open afterwards.
  const reply = read(parsed(text))
  if (reply) return reply
  return end === 'whole' ? failed('no answer in it', { detail: text, spent: null }) : failed(end, { spent: null })
}

type ReadEnd = 'whole' | 'cut off' | 'timeout' | 'too long'

/** Stops at the limit: an endless answer must not fill the memory. */
export async function readAnswer(response: Response, signal: AbortSignal): Promise<{ text: string; end: ReadEnd }> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const piece = await reader?.read()
      if (!piece || piece.done) return { text: text + decoder.decode(), end: 'whole' }
      bytes += piece.value.byteLength
      if (bytes > maxAnswerBytes) {
        await reader?.cancel()
        return { text, end: 'too long' }
      }
      text += decoder.decode(piece.value, { stream: true })
    }
  } catch {
    return { text, end: signal.aborted ? 'timeout' : 'cut off' }
  }
}

function refusal(status: number, text: string): ProviderReply {
  return failed(`http ${status}`, { detail: errorIn(text), remedy: remedyOf(status) })
}

/** The message in an error of Anthropic, OpenAI or Ollama; else the text itself. */
function errorIn(text: string): string {
  const { error } = (parsed(text) ?? {}) as { error?: unknown }
  if (typeof error === 'string') return error
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

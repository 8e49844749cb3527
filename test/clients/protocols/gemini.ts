// Gemini generateContent, as Gemini CLI 0.61 speaks it. Streamed for the conversation, whole for what it asks beside it.
import { type Answer, events, json, type Protocol } from '../api.ts'

export const gemini: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:(?:streamGenerateContent|generateContent|countTokens)/,
  purpose: (body) => (Array.isArray(body.tools) ? 'main' : 'side'),
  reply(answer, body, call) {
    const path = String(body.path)
    if (path.includes(':countTokens')) return json({ totalTokens: 100 })
    // The router wants a score; other requests accept any text.
    if (path.includes(':generateContent')) {
      return json(response({ text: '{"complexity_reasoning":"plain","complexity_score":10}' }))
    }
    return events([response(part(answer, call))], false)
  },
}

function part(answer: Answer, call: number): object {
  if (answer.kind === 'text') return { text: answer.text }
  if (answer.kind === 'run') {
    const args = { command: answer.command, description: 'Run it' }
    return { functionCall: { id: `call_${call}`, name: 'run_shell_command', args } }
  }
  throw new Error(`${answer.kind} is not scripted for Gemini CLI`)
}

function response(said: object): object {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [said] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  }
}

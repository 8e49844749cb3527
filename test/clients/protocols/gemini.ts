// Gemini generateContent, as Gemini CLI 0.61 speaks it. Streamed for the conversation, whole for what it asks beside it.
import { type Answer, events, json, type Protocol, summary, summaryRequest } from '../api.ts'
import { geminiViolations, signedCall } from './rules/gemini.ts'
import { seal } from './rules/seals.ts'

export const gemini: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:(?:streamGenerateContent|generateContent|countTokens)/,
  purpose(body) {
    if (Array.isArray(body.tools)) return 'main'
    return summaryRequest.test(JSON.stringify(body.systemInstruction ?? '')) ? 'compaction' : 'side'
  },
  reply(answer, body, call) {
    const path = String(body.path)
    if (path.includes(':countTokens')) return json({ totalTokens: 100 })
    // The client knows a summary by this tag.
    if (this.purpose(body) === 'compaction')
      return json(response([{ text: `<state_snapshot>${summary}</state_snapshot>` }]))
    // The router wants a score; other requests accept any text.
    if (path.includes(':generateContent')) {
      return json(response([{ text: '{"complexity_reasoning":"plain","complexity_score":10}' }]))
    }
    return events([response(parts(answer, call), answer.full)], false)
  },
  // For its router it cuts the conversation anywhere, also between calls and responses; it does without an answer.
  violations: (body) => (Array.isArray(body.tools) ? geminiViolations(body) : []),
}

function parts(answer: Answer, call: number): object[] {
  const { kind, thinking } = answer
  const signed = (text: string) => (thinking === undefined ? {} : { thoughtSignature: seal(`thought ${call}`, text) })
  const thought = thinking === undefined ? [] : [{ thought: true, text: thinking }]
  if (kind === 'text') return [...thought, { text: answer.text, ...signed(answer.text) }]
  if (kind !== 'run') throw new Error(`${kind} is not scripted for Gemini CLI`)
  const shell = { name: 'run_shell_command', input: { command: answer.command, description: 'Run it' } }
  const calls = (answer.calls ?? [shell]).map(({ name, input: args }, index) => ({
    functionCall: { id: index === 0 ? `call_${call}` : `call_${call}_${index}`, name, args },
    // Of several calls at once the first one is signed.
    ...(index === 0 ? signed(signedCall(name, args)) : {}),
  }))
  return [...thought, ...calls]
}

function response(parts: object[], isFull = false): object {
  const prompt = isFull ? 900_000 : 100
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: 10, totalTokenCount: prompt + 10 },
  }
}

// What Claude Code 2.1.325 writes with --output-format stream-json, as far as it matters here.
import * as z from 'zod'

const count = z.number().catch(0)

const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: count }).optional().catch(undefined),
})

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: z.object({ subtype: z.string(), tool_name: z.string().catch(''), input: z.unknown().optional() }),
  }),
  z.object({ type: z.literal('assistant'), message: z.object({ id: z.string(), model: z.string(), usage }) }),
  z.object({
    type: z.literal('result'),
    subtype: z.string(),
    is_error: z.boolean().catch(true),
    num_turns: count,
    result: z.string().catch(''),
    errors: z.array(z.string()).catch([]),
    usage: usage.optional().catch(undefined),
  }),
])

export type ForkMessage = z.infer<typeof message>
export type ControlRequest = Extract<ForkMessage, { type: 'control_request' }>
export type Result = Extract<ForkMessage, { type: 'result' }>
export type MessageUsage = z.infer<typeof usage>

/** One line of its output; undefined for everything that is of no interest. */
export function parseMessage(line: string): ForkMessage | undefined {
  try {
    return message.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Before a tool runs, whatever the user's settings say. */
const hookInput = z.object({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  cwd: z.string().optional().catch(undefined),
})

export interface ToolCall {
  tool: string
  input: unknown
  /** Where relative paths begin, when it is told. */
  cwd?: string | undefined
}

/** The call that a control request is about; one that cannot be read is one of a tool without a name. */
export function toolCallOf({ request }: ControlRequest): ToolCall {
  if (request.subtype === 'can_use_tool') return { tool: request.tool_name, input: request.input }
  const { data } = hookInput.safeParse(request.input)
  return { tool: data?.tool_name ?? '', input: data?.tool_input, cwd: data?.cwd }
}

// Registers the MCP tools. They read from all spaces of the caller and write to the user's own.
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { messageOf } from '../../core/errors.ts'
import { RequestProblem } from '../request-problem.ts'
import type { McpCall } from './context.ts'
import {
  countMemories,
  getInput,
  getMemories,
  listInput,
  listMemories,
  searchInput,
  searchMemories,
} from './read-tools.ts'
import {
  deleteInput,
  deleteMemory,
  listAllShares,
  shareInput,
  shareMemory,
  storeInput,
  storeMemory,
  unshareInput,
  unshareMemory,
  updateInput,
  updateMemory,
} from './write-tools.ts'

const reads = { readOnlyHint: true, openWorldHint: false }
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export function addTools(server: McpServer, call: McpCall): void {
  function add<Input extends z.ZodType>(
    name: string,
    about: { title: string; description: string; input: Input; annotations: typeof reads | typeof writes },
    work: (call: McpCall, input: z.infer<Input>) => Promise<string>,
  ): void {
    const { title, description, input: inputSchema, annotations } = about
    server.registerTool(
      name,
      { title, description, inputSchema: inputSchema as unknown as z.ZodType<object>, annotations },
      // The schema has validated the input; the package's types cannot express that.
      async (sent: unknown) => {
        try {
          return { content: [{ type: 'text', text: await work(call, sent as z.infer<Input>) }] }
        } catch (error) {
          // Return no text of unexpected errors: database errors repeat the input.
          if (!(error instanceof RequestProblem)) {
            call.failure ??= { error }
            return { content: [], isError: true }
          }
          return { content: [{ type: 'text', text: problemText(error) }], isError: true }
        }
      },
    )
  }

  add(
    'memory_search',
    {
      title: 'Search what is known',
      description:
        'Finds memories (rules, decisions, facts, causes, workarounds) of the user, of their teams, and those that others share with them. Any word counts. Gives short lines with ids, dates and whose word it is: go on with memory_get.',
      input: searchInput,
      annotations: reads,
    },
    searchMemories,
  )
  add(
    'memory_get',
    {
      title: 'Read the full text',
      description: 'The full text of memories by their ids, as many as fit into one answer.',
      input: getInput,
      annotations: reads,
    },
    getMemories,
  )
  add(
    'memory_list',
    {
      title: 'List memories',
      description: 'Lists the memories of a space, the last changed first, as short lines with ids.',
      input: listInput,
      annotations: reads,
    },
    listMemories,
  )
  add(
    'memory_store',
    {
      title: 'Remember something',
      description:
        "Keeps one durable learning in the user's own space: a decision with its reason, a cause that was found, what was tried and failed, how something is run. One statement that can be read alone. Not the state of a task, nor what the code or an instruction file says, nor secrets. It is kept as your word, not as the user's.",
      input: storeInput,
      annotations: writes,
    },
    storeMemory,
  )
  add(
    'memory_update',
    {
      title: 'Say a memory anew',
      description:
        "Changes a memory of the user's own space. What the user said is not overruled: the new version then waits for them to decide.",
      input: updateInput,
      annotations: writes,
    },
    updateMemory,
  )
  add(
    'memory_delete',
    {
      title: 'Forget a memory',
      description: "Forgets a memory of the user's own space when the user asks for it, on all of their machines.",
      input: deleteInput,
      annotations: { ...writes, destructiveHint: true },
    },
    deleteMemory,
  )
  add(
    'memory_count',
    {
      title: 'Count what is known',
      description: 'How many memories there are in each space, and when it last changed.',
      input: z.strictObject({}),
      annotations: reads,
    },
    countMemories,
  )
  add(
    'memory_share',
    {
      title: 'Share a memory or a tag',
      description:
        "Shares a memory of the user's own, or all that have a tag, now and later, with a team or a person. Only when the user asks for it.",
      input: shareInput,
      annotations: writes,
    },
    shareMemory,
  )
  add(
    'memory_unshare',
    {
      title: 'End a share',
      description: 'Ends a share: others no longer see what it shared. memory_shares gives the ids.',
      input: unshareInput,
      annotations: writes,
    },
    unshareMemory,
  )
  add(
    'memory_shares',
    {
      title: 'List shares',
      description: 'What the user shares with whom, and who shares with them.',
      input: z.strictObject({}),
      annotations: reads,
    },
    listAllShares,
  )
}

function problemText(problem: RequestProblem): string {
  return problem.hint ? `${messageOf(problem)}\n${problem.hint}` : messageOf(problem)
}

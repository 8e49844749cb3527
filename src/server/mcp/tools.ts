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
  linkInput,
  linkMemories,
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
      title: 'Search memories',
      description:
        'Searches memories (rules, decisions, facts, causes, workarounds) of the user, of their teams, and those that others share with them. Use it for "what does the team know about", "do we have a rule for". Matches any of the words. Returns short lines with ids, dates and who said it. Continue with memory_get.',
      input: searchInput,
      annotations: reads,
    },
    searchMemories,
  )
  add(
    'memory_get',
    {
      title: 'Read the full text',
      description: 'Returns the full text of memories by id, as many as fit into one answer.',
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
      title: 'Store a memory',
      description:
        'Stores one durable learning in the user\'s own space, on all of their machines ("remember this"): a decision with its reason, a cause that was found, what was tried and failed, how something is run. One statement that can be read alone. Not the state of a task, nor what the code or an instruction file says, nor secrets. It is attributed to you, not to the user.',
      input: storeInput,
      annotations: writes,
    },
    storeMemory,
  )
  add(
    'memory_update',
    {
      title: 'Update a memory',
      description:
        "Updates a memory of the user's own space. A memory that the user stated is not overruled: the new version then waits in the inbox for the user to decide.",
      input: updateInput,
      annotations: writes,
    },
    updateMemory,
  )
  add(
    'memory_delete',
    {
      title: 'Forget a memory',
      description:
        "Forgets a memory of the user's own space when the user asks for it, on all of their machines. A memory that the user stated stays until the user accepts the request in the inbox.",
      input: deleteInput,
      annotations: { ...writes, destructiveHint: true },
    },
    deleteMemory,
  )
  add(
    'memory_link',
    {
      title: 'Link two memories',
      description:
        "Links two memories of the user's own space: one supersedes, is resolved by, is part of or is related to the other. A memory that the user stated is superseded only by the user.",
      input: linkInput,
      annotations: writes,
    },
    linkMemories,
  )
  add(
    'memory_count',
    {
      title: 'Count memories',
      description: 'Counts the memories of each space, and returns the time of its last change.',
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
        'Shares ("share this with the team") a memory of the user, or all present and future memories with a tag, with a team or a person. Only when the user asks for it.',
      input: shareInput,
      annotations: writes,
    },
    shareMemory,
  )
  add(
    'memory_unshare',
    {
      title: 'End a share',
      description: 'Ends a share, so that others no longer see its memories. memory_shares returns the ids.',
      input: unshareInput,
      annotations: writes,
    },
    unshareMemory,
  )
  add(
    'memory_shares',
    {
      title: 'List shares',
      description: 'Lists what the user shares with whom, and who shares with the user.',
      input: z.strictObject({}),
      annotations: reads,
    },
    listAllShares,
  )
}

function problemText(problem: RequestProblem): string {
  return problem.hint ? `${messageOf(problem)}\n${problem.hint}` : messageOf(problem)
}

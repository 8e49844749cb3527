// The tools by name: few, and from a short line to the full text in three steps.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { callSourceOf } from '../call-source.ts'
import type { ClientProject } from '../client-project.ts'
import { type ToolCall, toolResult } from '../tool-result.ts'
import { memoryCount, memoryCountInput, memoryList, memoryListInput } from './memory-list.ts'
import { memoryExpand, memoryExpandInput, memoryGet, memoryGetInput } from './memory-read.ts'
import {
  memoryDelete,
  memoryDeleteInput,
  memoryStore,
  memoryStoreInput,
  memoryUpdate,
  memoryUpdateInput,
} from './memory-store.ts'
import { memorySearch, memorySearchInput, sessionSearch, sessionSearchInput } from './search.ts'
import { sessionGet, sessionGetInput } from './session-get.ts'
import { wikiAsk, wikiAskInput } from './wiki-ask.ts'

const reads = { readOnlyHint: true, openWorldHint: false }
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export function registerTools(server: McpServer, whereIs: () => Promise<ClientProject>): void {
  function add<Input extends z.ZodType>(
    name: string,
    about: { title: string; description: string; input: Input; annotations: typeof reads | typeof writes },
    work: (call: ToolCall, input: z.infer<Input>) => string | Promise<string>,
  ): void {
    const { title, description, input: inputSchema, annotations } = about
    // The schema has checked what comes in; how its type and that of the work meet is more than the package's types can tell.
    const call = async (sent: unknown, { mcpReq }: ServerContext) =>
      toolResult({ clientProject: await whereIs(), source: callSourceOf(mcpReq._meta) }, (call) =>
        work(call, sent as z.infer<Input>),
      )
    server.registerTool(name, { title, description, inputSchema: inputSchema as z.ZodType<object>, annotations }, call)
  }

  add(
    'memory_search',
    {
      title: 'Search what is known',
      description:
        'Finds what was learned and said before: memories (rules, decisions, facts, causes, workarounds) first, then exchanges of earlier sessions of every coding agent on this machine, and commits. Any word counts; "a phrase" must be there, -word must not. Gives short lines with ids, dates and whose word it is: go on with memory_expand, then memory_get.',
      input: memorySearchInput,
      annotations: reads,
    },
    memorySearch,
  )
  add(
    'memory_expand',
    {
      title: 'Show what is around a search result',
      description:
        'Second step: of a memory its evidence, what it took the place of or was superseded by, and what was learned in the same session; of an exchange the ones before and after it, each in a few lines.',
      input: memoryExpandInput,
      annotations: reads,
    },
    memoryExpand,
  )
  add(
    'memory_get',
    {
      title: 'Read the full text',
      description:
        'Third step: the full text of memories, exchanges or sessions by their ids, as many as fit into one answer.',
      input: memoryGetInput,
      annotations: reads,
    },
    memoryGet,
  )
  add(
    'memory_store',
    {
      title: 'Remember something',
      description:
        "Keeps one durable learning for later sessions: a decision with its reason, a cause that was found, what was tried and failed, how something is run. One statement that can be read alone. Not the state of a task, nor what the code or an instruction file says, nor secrets. It is kept as your word, not as the user's.",
      input: memoryStoreInput,
      annotations: writes,
    },
    memoryStore,
  )
  add(
    'memory_update',
    {
      title: 'Say a memory anew',
      description:
        'Makes a new version that takes the place of a memory which no longer holds as it is; the old one stays as history. What the user said is not overruled: the new version then waits for them to decide.',
      input: memoryUpdateInput,
      annotations: writes,
    },
    memoryUpdate,
  )
  add(
    'memory_delete',
    {
      title: 'Forget a memory',
      description:
        'Forgets a memory when the user asks for it. A tombstone stays, so that it is not learned again; the user can undo it.',
      input: memoryDeleteInput,
      annotations: { ...writes, destructiveHint: true },
    },
    memoryDelete,
  )
  add(
    'memory_list',
    {
      title: 'List memories',
      description: 'Lists memories of a project, the last confirmed first, as short lines with ids.',
      input: memoryListInput,
      annotations: reads,
    },
    memoryList,
  )
  add(
    'memory_count',
    {
      title: 'Count what is known',
      description:
        'How many memories there are by kind and state, what waits in the inbox, and when Recollect last swept.',
      input: memoryCountInput,
      annotations: reads,
    },
    memoryCount,
  )
  add(
    'session_search',
    {
      title: 'Search earlier sessions',
      description:
        'Finds what was asked, answered, run, edited and what failed in earlier sessions of every coding agent on this machine. Any word counts; "a phrase" must be there, -word must not. Gives short passages, best first, each with its session, date and who said it.',
      input: sessionSearchInput,
      annotations: reads,
    },
    sessionSearch,
  )
  add(
    'session_get',
    {
      title: 'Read an earlier session',
      description:
        'Reads one earlier session: its digest, then the conversation from an event on, as much as fits into one answer. The answer names the event to go on from.',
      input: sessionGetInput,
      annotations: reads,
    },
    ({ app, ledger }, input) => sessionGet(ledger, input, app.zone),
  )
  add(
    'wiki_ask',
    {
      title: 'Ask the wiki',
      description:
        'Answers a question from the pages of the wiki and from what was said and decided before, each part with its page, day and session; says so when nothing is known. For "why is it so", "what did we decide about", or a bug report before you change anything.',
      input: wikiAskInput,
      annotations: reads,
    },
    wikiAsk,
  )
}

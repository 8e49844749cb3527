// Registers the tools. Reading takes three steps, from a short line over its context to the full
// text, so that an agent spends few tokens on what it does not need.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { callSourceOf } from '../call-source.ts'
import type { ClientProject } from '../client-project.ts'
import { type ToolCall, toolResult } from '../tool-result.ts'
import { fixInput, fixTool } from './fix.ts'
import { memoryLink, memoryLinkInput } from './memory-link.ts'
import { memoryCount, memoryCountInput, memoryList, memoryListInput } from './memory-list.ts'
import { memoryExpand, memoryExpandInput, memoryGet, memoryGetInput } from './memory-read.ts'
import { memoryReview, memoryReviewInput } from './memory-review.ts'
import {
  memoryDelete,
  memoryDeleteInput,
  memoryStore,
  memoryStoreInput,
  memoryUpdate,
  memoryUpdateInput,
} from './memory-store.ts'
import { recallInput, recallTool } from './recall.ts'
import { memorySearch, memorySearchInput, sessionSearch, sessionSearchInput } from './search.ts'
import { sessionGet, sessionGetInput } from './session-get.ts'
import { wikiAsk, wikiAskInput } from './wiki-ask.ts'

const reads = { readOnlyHint: true, openWorldHint: false }
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export function registerTools(server: McpServer, clientProject: () => Promise<ClientProject>): void {
  function add<Input extends z.ZodType>(
    name: string,
    about: { title: string; description: string; input: Input; annotations: typeof reads | typeof writes },
    handler: (call: ToolCall, input: z.infer<Input>) => string | Promise<string>,
  ): void {
    const { title, description, input: inputSchema, annotations } = about
    // The SDK has validated the input; its types cannot express that it matches the handler's.
    const respond = async (input: unknown, { mcpReq }: ServerContext) =>
      toolResult({ clientProject: await clientProject(), source: callSourceOf(mcpReq._meta) }, (call) =>
        handler(call, input as z.infer<Input>),
      )
    server.registerTool(
      name,
      { title, description, inputSchema: inputSchema as z.ZodType<object>, annotations },
      respond,
    )
  }

  add(
    'memory_search',
    {
      title: 'Search memories and sessions',
      description:
        'Searches what was learned and said before: memories (rules, decisions, facts, causes, workarounds) first, then exchanges of earlier sessions of every coding agent on this machine, and commits. Matches any of the words; "a phrase" is required, -word is excluded. Returns short lines with ids, dates and who said it. Continue with memory_expand, then memory_get.',
      input: memorySearchInput,
      annotations: reads,
    },
    memorySearch,
  )
  add(
    'memory_expand',
    {
      title: 'Expand a search result',
      description:
        'Second step. For a memory: its evidence, what it supersedes or is superseded by, and what was learned in the same session. For an exchange: the exchanges before and after it, each in a few lines.',
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
        'Third step. Returns the full text of memories, exchanges or sessions by id, as many as fit into one answer.',
      input: memoryGetInput,
      annotations: reads,
    },
    memoryGet,
  )
  add(
    'memory_store',
    {
      title: 'Store a memory',
      description:
        'Stores one durable learning for later sessions: a decision with its reason, a cause that was found, what was tried and failed, how something is run. One statement that can be read alone. Not the state of a task, nor what the code or an instruction file says, nor secrets. It is attributed to you, not to the user.',
      input: memoryStoreInput,
      annotations: writes,
    },
    memoryStore,
  )
  add(
    'memory_update',
    {
      title: 'Update a memory',
      description:
        'Stores a new version that supersedes a memory which is no longer correct; the old one stays as history. A memory that the user stated is not overruled: the new version then waits in the inbox for the user to decide.',
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
        'Forgets a memory when the user asks for it. A tombstone is kept so that it is not learned again; the user can undo it. A memory that the user stated stays until the user accepts the request in the inbox.',
      input: memoryDeleteInput,
      annotations: { ...writes, destructiveHint: true },
    },
    memoryDelete,
  )
  add(
    'memory_review',
    {
      title: 'Keep or dismiss candidates',
      description:
        'Records what the user decided about candidates: statements that rules found in earlier sessions and nobody has confirmed. Call it only after the user has confirmed or rejected them in this conversation, never on your own judgement. A kept candidate becomes a memory of the user. Everything can be undone.',
      input: memoryReviewInput,
      annotations: writes,
    },
    memoryReview,
  )
  add(
    'memory_link',
    {
      title: 'Link two memories',
      description:
        'Links two memories of the user: one supersedes, is resolved by, is part of or is related to the other. memory_expand shows links. A memory that the user stated is superseded only by the user.',
      input: memoryLinkInput,
      annotations: writes,
    },
    memoryLink,
  )
  add(
    'memory_list',
    {
      title: 'List memories',
      description:
        'Lists the memories of a project, the last confirmed first, as short lines with ids; with a state also candidates, which nobody has confirmed, or the inbox.',
      input: memoryListInput,
      annotations: reads,
    },
    memoryList,
  )
  add(
    'memory_count',
    {
      title: 'Count memories',
      description:
        'Counts memories by kind and state, candidates and the inbox, and returns the time of the last sweep.',
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
        'Searches what was asked, answered, run, edited and what failed in earlier sessions of every coding agent on this machine. Matches any of the words; "a phrase" is required, -word is excluded. Returns short passages, best first, each with its session, date and who said it.',
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
        'Reads one earlier session: its digest, then the conversation from a given event, as much as fits into one answer. The answer names the event to continue from.',
      input: sessionGetInput,
      annotations: reads,
    },
    ({ app, ledger }, input) => sessionGet(ledger, input, app.zone),
  )
  add(
    'recall',
    {
      title: 'Recall an answer',
      description:
        'Answers from earlier sessions, memories and commits of this machine in one step: the cause and the fix first, then rules and decisions, each with date, source and whether tests, a commit or the user confirmed it. Use it for "didn\'t we fix this before", "why is it like this", "why does this fail", "what was the root cause", "how did we solve", "what did we decide about", "have we seen this error", before you investigate or change something. Says so if nothing is found.',
      input: recallInput,
      annotations: reads,
    },
    recallTool,
  )
  add(
    'fix',
    {
      title: 'Find what helped with an error',
      description:
        'Looks up an error message in the failures of earlier sessions on this machine that were fixed: what made the same command pass afterwards (another call, a step before it, an edit with its lines), with session and date. Use it for "this error again", "didn\'t we fix this before", "we had this", "how did we get past this", as soon as a command, a linter or a build fails and before you try something. Exact and fast; answers "Nothing found" rather than guess.',
      input: fixInput,
      annotations: reads,
    },
    fixTool,
  )
  add(
    'wiki_ask',
    {
      title: 'Ask the wiki',
      description:
        'Answers a question from the wiki and from what was said and decided before, with page, day and session for each part; says so if nothing is known. Use it for "why is it so", "what did we decide about", or a bug report before you change anything.',
      input: wikiAskInput,
      annotations: reads,
    },
    wikiAsk,
  )
}

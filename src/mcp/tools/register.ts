// Registers the tools. Reading takes three steps, from a short line over its context to the full
// text, so that an agent spends few tokens on what it does not need. Descriptions contain the words
// that people use, early: Qwen Code 0.24 shows its model about the first 160 characters.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { unreadNotice } from '../../store/unread.ts'
import { callSourceOf } from '../call-source.ts'
import type { ClientProject } from '../client-project.ts'
import { noteTold } from '../saved-and-told.ts'
import { type ToolCall, toolResult } from '../tool-result.ts'
import { fixInput, fixTool } from './fix.ts'
import { handoff, handoffInput } from './handoff.ts'
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
import { resumeInput, resumeTool } from './resume.ts'
import { memorySearch, memorySearchInput, sessionSearch, sessionSearchInput } from './search.ts'
import { sessionGet, sessionGetInput } from './session-get.ts'
import { wikiAsk, wikiAskInput } from './wiki-ask.ts'

/** Adds to an answer what could not be searched yet. */
function saysUnread<Input>(handler: (call: ToolCall, input: Input) => Promise<string>): typeof handler {
  return async (call, input) => {
    const [text, notice] = [await handler(call, input), unreadNotice(call.ledger)]
    return notice === undefined ? text : `${text}\n\n${notice}`
  }
}

type Handler<Input> = (call: ToolCall, input: Input) => string | Promise<string>

/** What agents saved on their own is told once, and as often as it wants to the connection that saved it. */
function notesTold<Input>(handler: Handler<Input>, saved: ReadonlySet<string>): Handler<Input> {
  return async (call, input) => {
    const text = await handler(call, input)
    noteTold(call, text, saved)
    return text
  }
}

function notesSaved<Input>(handler: Handler<Input>, saved: Set<string>): Handler<Input> {
  return async (call, input) => {
    const text = await handler(call, input)
    const [, id] = /^Stored as (m-[a-z2-9]{10})\b/.exec(text) ?? []
    if (id) saved.add(id)
    return text
  }
}

const reads = { readOnlyHint: true, openWorldHint: false }
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export function registerTools(server: McpServer, clientProject: () => Promise<ClientProject>): void {
  const saved = new Set<string>()
  function add<Input extends z.ZodType>(
    name: string,
    about: { title: string; description: string; input: Input; annotations: typeof reads | typeof writes },
    handler: (call: ToolCall, input: z.infer<Input>) => string | Promise<string>,
  ): void {
    const { title, description, input: inputSchema, annotations } = about
    // The SDK has validated the input; its types cannot express that it matches the handler's.
    const respond = async (input: unknown, { mcpReq }: ServerContext) =>
      toolResult({ clientProject: await clientProject(), source: callSourceOf(mcpReq._meta) }, (call) =>
        (annotations === reads ? notesTold : notesSaved)(handler, saved)(call, input as z.infer<Input>),
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
        'Searches memories (rules, decisions, facts, causes, workarounds) first, then exchanges of earlier sessions of every coding agent on this machine, and commits. Use it for "do we have a rule for", "is there a note on", "look up", or when recall finds nothing. Any of the words matches; "a phrase" is required, -word is excluded. Returns short lines with ids, dates and who said it. Continue with memory_expand, then memory_get.',
      input: memorySearchInput,
      annotations: reads,
    },
    saysUnread(memorySearch),
  )
  add(
    'memory_expand',
    {
      title: 'Expand a search result',
      description:
        'Second step, for an id of memory_search or recall. For a memory: its evidence, what it supersedes or is superseded by, and what was learned in the same session. For an exchange: the exchanges before and after it, each in a few lines.',
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
        'Stores one durable learning for later sessions. Use it for "remember this", "keep in mind", "next time", and for a decision with its reason, a cause that was found, what was tried and failed, how something is run. One statement that can be read alone. Not the state of a task, nor what the code or an instruction file says, nor secrets. It is attributed to you, not to the user: once a session was told it, it waits for the user, and what tells agents what to do waits at once.',
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
        'Stores a new version of a memory that is no longer correct ("that has changed", "we do it differently now"); the old one stays as history. A memory that the user stated is not overruled: the new version then waits in the inbox for the user to decide.',
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
        'Forgets a memory when the user asks for it ("forget that", "that was wrong"). A tombstone is kept so that it is not learned again; the user can undo it. A memory that the user stated stays until the user accepts the request in the inbox.',
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
        'Lists the memories of a project, the last confirmed first, as short lines with ids. Use it for "what do you remember", "what are our rules". With a state also candidates, which nobody has confirmed, or the inbox.',
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
        'Searches what was asked, answered, run, edited and what failed in earlier sessions of every coding agent on this machine. Use it for "when did we", "in which session", "what was the command that we ran". Any of the words matches; "a phrase" is required, -word is excluded. Returns short passages by session, best first, each with its date and who said it.',
      input: sessionSearchInput,
      annotations: reads,
    },
    saysUnread(sessionSearch),
  )
  add(
    'session_get',
    {
      title: 'Read an earlier session',
      description:
        'Reads one earlier session by an id of recall, resume or a search: its digest, then the conversation from a given event, as much as fits into one answer. The answer names the event to continue from.',
      input: sessionGetInput,
      annotations: reads,
    },
    ({ app, ledger }, input) => sessionGet(ledger, input, app.zone),
  )
  add(
    'handoff',
    {
      title: 'Take over a session',
      description:
        'Returns what you need to continue a session of another coding agent, or of an earlier session of yours, in at most 1,500 tokens: goal, state, decisions, files changed, open ends, last errors and the next step. Use it for "continue what Codex did", "take over from Claude", "pick up where we left off", "what was the other agent doing", "go on with yesterday\'s session".',
      input: handoffInput,
      annotations: reads,
    },
    handoff,
  )
  add(
    'recall',
    {
      title: 'Recall an answer',
      description:
        'Answers "didn\'t we fix this before", "what did we decide about", "why is it like this" from earlier sessions, memories and commits of this machine: the cause and the fix first, then rules and decisions, each with date, source and whether tests, a commit or the user confirmed it. Also for "why does this fail", "what was the root cause", "how did we solve". Ask it before you investigate or change something. Says so if nothing is found.',
      input: recallInput,
      annotations: reads,
    },
    saysUnread(recallTool),
  )
  add(
    'resume',
    {
      title: 'Find a session to continue',
      description:
        'Answers "where did we leave off" and "continue yesterday\'s session": finds the session, and says where it stopped, what is open, and which command continues it. Also for "what were we working on", "what is still open", "go on with the work on". Without arguments: the last work in this project.',
      input: resumeInput,
      annotations: reads,
    },
    resumeTool,
  )
  add(
    'fix',
    {
      title: 'Find what helped with an error',
      description:
        'For "have we seen this error", "this error again", "how did we get past this": looks up an error message in failures of earlier sessions that were fixed, and says what made the same command pass afterwards (another call, a step before it, an edit with its lines), with session and date. Ask it as soon as a command, a linter or a build fails, before you try something. Exact and fast; answers "Nothing found" rather than guess.',
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
        'Answers a broad question from the articles of the wiki, and from what was said and decided, with page, day and session for each part. Use it for an overview: "how does this work here", "tell me about", "what do we know about"; for a cause or one decision use recall. Says so if nothing is known.',
      input: wikiAskInput,
      annotations: reads,
    },
    wikiAsk,
  )
}

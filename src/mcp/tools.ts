// The tools by name: few, and from a short line to the full text in three steps.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { answer, type Visit } from './answer.ts'
import { callerOf } from './caller.ts'
import type { Here } from './here.ts'
import { count, countInput } from './memory-count.ts'
import { deleteInput, remove } from './memory-delete.ts'
import { expand, expandInput } from './memory-expand.ts'
import { get, getInput } from './memory-get.ts'
import { list, listInput } from './memory-list.ts'
import { searchMemories, searchMemoriesInput } from './memory-search.ts'
import { store, storeInput, update, updateInput } from './memory-store.ts'
import { getSession, getSessionInput } from './session-get.ts'
import { searchSessions, searchSessionsInput } from './session-search.ts'
import { ask, wikiAskInput } from './wiki-ask.ts'

const reads = { readOnlyHint: true, openWorldHint: false }
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export function addTools(server: McpServer, whereIs: () => Promise<Here>): void {
  function add<Input extends z.ZodType>(
    name: string,
    about: { title: string; description: string; input: Input; annotations: typeof reads | typeof writes },
    work: (visit: Visit, input: z.infer<Input>) => string | Promise<string>,
  ): void {
    const { title, description, input: inputSchema, annotations } = about
    // The schema has checked what comes in; how its type and that of the work meet is more than the package's types can tell.
    const call = async (sent: unknown, { mcpReq }: ServerContext) =>
      answer({ here: await whereIs(), caller: callerOf(mcpReq._meta) }, (visit) => work(visit, sent as z.infer<Input>))
    server.registerTool(name, { title, description, inputSchema: inputSchema as z.ZodType<object>, annotations }, call)
  }

  add(
    'memory_search',
    {
      title: 'Search what is known',
      description:
        'Finds what was learned and said before: memories (rules, decisions, facts, causes, workarounds) first, then exchanges of earlier sessions of every coding agent on this machine, and commits. Any word counts; "a phrase" must be there, -word must not. Gives short lines with ids, dates and whose word it is: go on with memory_expand, then memory_get.',
      input: searchMemoriesInput,
      annotations: reads,
    },
    searchMemories,
  )
  add(
    'memory_expand',
    {
      title: 'Show what is around a search result',
      description:
        'Second step: of a memory its evidence, what it took the place of or was superseded by, and what was learned in the same session; of an exchange the ones before and after it, each in a few lines.',
      input: expandInput,
      annotations: reads,
    },
    expand,
  )
  add(
    'memory_get',
    {
      title: 'Read the full text',
      description:
        'Third step: the full text of memories, exchanges or sessions by their ids, as many as fit into one answer.',
      input: getInput,
      annotations: reads,
    },
    get,
  )
  add(
    'memory_store',
    {
      title: 'Remember something',
      description:
        "Keeps one durable learning for later sessions: a decision with its reason, a cause that was found, what was tried and failed, how something is run. One statement that can be read alone. Not the state of a task, nor what the code or an instruction file says, nor secrets. It is kept as your word, not as the user's.",
      input: storeInput,
      annotations: writes,
    },
    store,
  )
  add(
    'memory_update',
    {
      title: 'Say a memory anew',
      description:
        'Makes a new version that takes the place of a memory which no longer holds as it is; the old one stays as history. What the user said is not overruled: the new version then waits for them to decide.',
      input: updateInput,
      annotations: writes,
    },
    update,
  )
  add(
    'memory_delete',
    {
      title: 'Forget a memory',
      description:
        'Forgets a memory when the user asks for it. A tombstone stays, so that it is not learned again; the user can undo it.',
      input: deleteInput,
      annotations: { ...writes, destructiveHint: true },
    },
    remove,
  )
  add(
    'memory_list',
    {
      title: 'List memories',
      description: 'Lists memories of a project, the last confirmed first, as short lines with ids.',
      input: listInput,
      annotations: reads,
    },
    list,
  )
  add(
    'memory_count',
    {
      title: 'Count what is known',
      description:
        'How many memories there are by kind and state, what waits in the inbox, and when Recollect last swept.',
      input: countInput,
      annotations: reads,
    },
    count,
  )
  add(
    'session_search',
    {
      title: 'Search earlier sessions',
      description:
        'Finds what was asked, answered, run, edited and what failed in earlier sessions of every coding agent on this machine. Any word counts; "a phrase" must be there, -word must not. Gives short passages, best first, each with its session, date and who said it.',
      input: searchSessionsInput,
      annotations: reads,
    },
    searchSessions,
  )
  add(
    'session_get',
    {
      title: 'Read an earlier session',
      description:
        'Reads one earlier session: its digest, then the conversation from an event on, as much as fits into one answer. The answer names the event to go on from.',
      input: getSessionInput,
      annotations: reads,
    },
    ({ app, ledger }, input) => getSession(ledger, input, app.zone),
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
    ask,
  )
}

// What a person can ask for by name. Recalled text is not put into their mouth: the agent fetches it as evidence.
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'what is known about a topic from earlier sessions',
      argsSchema: z.object({ topic: z.string().min(1).max(1000).describe('what to look for') }),
    },
    ({ topic }) =>
      said(`What do we know about this from earlier sessions: ${topic}

Search with memory_search, look around the best results with memory_expand, and read what matters with memory_get. Answer with the
date and id of what you rely on, say whose word it is, say what is superseded or only tried, and check it against the code as it is now. If
nothing is known, say so.`),
  )
  server.registerPrompt(
    'remember',
    {
      title: 'Remember',
      description: 'keep something for later sessions',
      argsSchema: z.object({ what: z.string().min(1).max(4000).describe('what is to be remembered') }),
    },
    ({ what }) =>
      said(`Remember this for later sessions: ${what}

First look with memory_search whether it is known: then change that memory with memory_update. Otherwise keep it with memory_store as one
statement that can be read alone, with the reason if there is one; several things as several memories. Tell me the ids.`),
  )
}

function said(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}

// The MCP server: tools, resources and prompts.
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { composeBrief } from '../brief/brief.ts'
import type { Clock } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import type { Layout } from '../core/paths.ts'
import { unknownSource } from './call-source.ts'
import { type ClientProject, projectOfClient, requestedProject } from './client-project.ts'
import { instructions, serverInfo } from './initialize.ts'
import { noteTold } from './saved-and-told.ts'
import { errorText, runTool, type ToolCall } from './tool-result.ts'
import { memoryList } from './tools/memory-list.ts'
import { registerTools } from './tools/register.ts'

/** A client started us in a folder, or uses a URL that may name a project. */
export type ClientConnection = { kind: 'stdio'; cwd: string } | { kind: 'http'; project: string | undefined }

export function createServer(version: string, connection: ClientConnection): McpServer {
  const server = new McpServer(serverInfo(version), { instructions })
  const clientProject = async (): Promise<ClientProject> => {
    if (connection.kind === 'stdio') return projectOfClient(server, connection.cwd)
    return connection.project === undefined ? { kind: 'unknown' } : { kind: 'named', project: connection.project }
  }
  registerTools(server, clientProject)
  registerResources(server, clientProject)
  registerPrompts(server)
  return server
}

function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'Recall what is known about a topic from earlier sessions',
      argsSchema: z.object({ topic: z.string().min(1).max(1000).describe('topic to search for') }),
    },
    ({ topic }) =>
      userMessage(`What do we know about this from earlier sessions: ${topic}

Ask with recall; search with memory_search for what is missing, and read what matters with memory_get. Answer with the
date and id of what you rely on, say whose word it is, say what is superseded or only tried, and check it against the code as it is now. If
nothing is known, say so.`),
  )
  server.registerPrompt(
    'remember',
    {
      title: 'Remember',
      description: 'Store something for later sessions',
      argsSchema: z.object({ what: z.string().min(1).max(4000).describe('what to remember') }),
    },
    ({ what }) =>
      userMessage(`Remember this for later sessions: ${what}

First look with memory_search whether it is known: then change that memory with memory_update. Otherwise keep it with memory_store as one
statement that can be read alone, with the reason if there is one; several things as several memories. Tell me the ids.`),
  )
}

function userMessage(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}

function registerResources(server: McpServer, clientProject: () => Promise<ClientProject>): void {
  const add = (name: string, about: { title: string; description: string }, handler: (call: ToolCall) => string) =>
    server.registerResource(name, `recollect://${name}`, { ...about, mimeType: 'text/markdown' }, async (uri) => ({
      contents: [
        { uri: uri.href, mimeType: 'text/markdown', text: await readResource(await clientProject(), handler) },
      ],
    }))
  add('brief', { title: 'Brief', description: 'state of work and rules of this project' }, brief)
  add('memories', { title: 'Memories', description: 'memories of this project, one per line' }, (call) =>
    memoryList(call, { state: 'kept', from: 0, limit: 200 }),
  )
}

/** Resources have no error result as tools have, so errors become protocol errors. */
async function readResource(clientProject: ClientProject, handler: (call: ToolCall) => string): Promise<string> {
  try {
    return await runTool({ clientProject, source: unknownSource }, (call) => {
      const text = handler(call)
      noteTold(call, text)
      return text
    })
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, errorText(error))
  }
}

function brief(call: ToolCall): string {
  const { app, ledger } = call
  const project = requestedProject(call, undefined)
  if (project === undefined)
    throw new UserError('The project is unknown', 'Start the client in the folder of a project.')
  const found = composeBrief(app.briefContext(ledger), project)
  return found?.text ?? `No brief for ${project} yet.`
}

export interface ServeOptions {
  version: string
  cwd: string
  layout: Layout
  clock: Clock
}

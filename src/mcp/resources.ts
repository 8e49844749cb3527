import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { composeBrief } from '../brief/brief.ts'
import { UserError } from '../core/errors.ts'
import { problemText, type Visit, visit } from './answer.ts'
import { nobody } from './caller.ts'
import { type Here, projectAsked } from './here.ts'
import { list } from './memory-list.ts'

export function addResources(server: McpServer, whereIs: () => Promise<Here>): void {
  const add = (name: string, about: { title: string; description: string }, work: (visit: Visit) => string) =>
    server.registerResource(name, `recollect://${name}`, { ...about, mimeType: 'text/markdown' }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/markdown', text: await read(await whereIs(), work) }],
    }))
  add('brief', { title: 'Brief', description: 'where work in this project was left off, and what holds here' }, brief)
  add('memories', { title: 'Memories', description: 'what is known of this project, a line each' }, (visit) =>
    list(visit, { state: 'kept', from: 0, limit: 200 }),
  )
}

/** A resource has no place for a tool's error: the protocol's own carries the words. */
async function read(here: Here, work: (visit: Visit) => string): Promise<string> {
  try {
    return await visit({ here, caller: nobody }, work)
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, problemText(error))
  }
}

function brief(visit: Visit): string {
  const { app, ledger } = visit
  const project = projectAsked(visit, undefined)
  if (project === undefined)
    throw new UserError('It is not known which project this is about', 'Start the client in the folder of a project.')
  const found = composeBrief({ ledger, clock: app.clock, zone: app.zone }, project)
  return found?.text ?? `Of ${project} there is nothing to tell yet.`
}

// How memories of a space hang together.
import * as z from 'zod'
import { itemId, spaceName } from '../../../sync/protocol.ts'
import { addLink, linksOf, linkTypes, removeLink } from '../../store/links.ts'
import { route } from '../route.ts'
import { itemParams } from './schemas.ts'

const linkSchema = z.object({ from: itemId, type: z.enum(linkTypes), to: itemId })

export const linkRoutes = [
  route({
    method: 'GET',
    path: '/api/spaces/{space}/memories/{id}/links',
    name: 'listLinks',
    summary: 'The links from and to a memory',
    need: { kind: 'space', role: 'reader' },
    params: itemParams,
    answer: z.object({ links: z.array(linkSchema) }),
    work: async ({ services, access, params: { id } }) => ({ links: await linksOf(services.database, access, id) }),
  }),
  route({
    method: 'POST',
    path: '/api/spaces/{space}/memories/{id}/links',
    name: 'addLink',
    summary: 'A link to another memory of the space',
    need: { kind: 'space', role: 'writer' },
    params: itemParams,
    body: z.strictObject({ type: z.enum(linkTypes), to: itemId }),
    answer: linkSchema,
    status: 201,
    also: [409],
    async work({ services, access, params: { id }, body: { type, to } }) {
      await addLink(services, access, { from: id, type, to })
      return { from: id, type, to }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/spaces/{space}/memories/{id}/links/{type}/{to}',
    name: 'removeLink',
    summary: 'Takes a link away',
    need: { kind: 'space', role: 'writer' },
    params: z.object({ space: spaceName, id: itemId, type: z.enum(linkTypes), to: itemId }),
    answer: z.object({ isDeleted: z.literal(true) }),
    async work({ services, access, params: { id, type, to } }) {
      await removeLink(services, access, { from: id, type, to })
      return { isDeleted: true }
    },
  }),
]

// What a space holds, counted.
import * as z from 'zod'
import { itemKinds } from '../../../sync/protocol.ts'
import { projectsOf, tagsOf } from '../../store/lists.ts'
import { statsOf } from '../../store/stats.ts'
import { route } from '../route.ts'
import { counted, spaceParams } from './schemas.ts'

export const overviewRoutes = [
  route({
    method: 'GET',
    path: '/api/spaces/{space}/tags',
    name: 'tags',
    summary: 'The tags of a space, the most used first',
    need: { kind: 'space', role: 'reader' },
    params: spaceParams,
    answer: z.object({ tags: z.array(counted) }),
    work: async ({ services, access }) => ({ tags: await tagsOf(services.database, access) }),
  }),
  route({
    method: 'GET',
    path: '/api/spaces/{space}/projects',
    name: 'projects',
    summary: 'The projects of a space, the most used first',
    need: { kind: 'space', role: 'reader' },
    params: spaceParams,
    answer: z.object({ projects: z.array(counted) }),
    work: async ({ services, access }) => ({ projects: await projectsOf(services.database, access) }),
  }),
  route({
    method: 'GET',
    path: '/api/spaces/{space}/stats',
    name: 'stats',
    summary: 'How many items there are, by kind',
    need: { kind: 'space', role: 'reader' },
    params: spaceParams,
    answer: z.object({
      kinds: z.array(z.object({ kind: z.enum(itemKinds), live: z.int(), deleted: z.int() })),
      lastChangeAt: z.string().nullable(),
    }),
    work: ({ services, access }) => statsOf(services.database, access),
  }),
]

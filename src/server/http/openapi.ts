// Builds the OpenAPI 3.1 document from the table of routes.
import * as z from 'zod'
import { itemSchema, problemSchema } from '../../sync/protocol.ts'
import type { Route } from './route.ts'
import { conflictSchema } from './routes/memories.ts'
import { pushBodySchema } from './routes/sync.ts'

type Json = Record<string, unknown>

const namedSchemas = { Problem: problemSchema, Conflict: conflictSchema, Item: itemSchema, Push: pushBodySchema }

export function openapiOf(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recollect',
      version,
      description:
        'Memories shared between machines and people. A space is `me`, `shared` or `team:<name>`. Every error has the shape of Problem.',
    },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'API key: rk_…' } },
      schemas: Object.fromEntries(
        Object.entries(namedSchemas).map(([name, schema]) => [name, jsonSchema(schema, 'output')]),
      ),
    },
  }
}

function operationOf(route: Route): Json {
  const {
    access: need,
    name,
    summary,
    body,
    status = 200,
    response: answer,
    responseType: answerType = 'application/json',
  } = route
  return {
    operationId: name,
    summary,
    ...(need.kind === 'space' ? { description: `Requires the role ${need.role} in the space.` } : {}),
    security: need.kind === 'open' ? [] : [{ key: [] }],
    parameters: parametersOf(route),
    ...(body ? { requestBody: { required: true, content: content(schemaOf(body, 'input')) } } : {}),
    responses: {
      [status]: { description: 'Success', content: content(answer ? schemaOf(answer, 'output') : {}, answerType) },
      ...Object.fromEntries(problemsOf(route).map((code) => [code, problemResponse(code, answer)])),
    },
  }
}

function problemsOf({ access: need, body, query, params, otherStatuses: also = [] }: Route): number[] {
  const codes = [
    ...(need.kind === 'open' ? [] : [401, 429]),
    ...(need.kind === 'space' ? [403, 404] : []),
    ...(body ? [400, 413, 422] : query || params ? [422] : []),
    ...also,
  ]
  return [...new Set(codes)].sort((a, b) => a - b)
}

function problemResponse(code: number, answer: z.ZodType | undefined): Json {
  if (code < 300) return { description: 'Success', content: content(answer ? schemaOf(answer, 'output') : {}) }
  const schema = { $ref: `#/components/schemas/${code === 409 ? 'Conflict' : 'Problem'}` }
  return { description: descriptions[code] ?? 'Error', content: content(schema) }
}

const descriptions: Record<number, string> = {
  400: 'Malformed request',
  401: 'Missing or invalid key',
  403: 'Insufficient role',
  404: 'Not found, or not visible for this key',
  409: 'Changed in the meantime',
  413: 'Too large',
  422: 'Invalid input',
  429: 'Too many requests; see Retry-After',
  503: 'Temporarily unavailable; see Retry-After',
}

function parametersOf({ path, params, query }: Route): Json[] {
  const inPath = propertiesOf(params)
  const inQuery = propertiesOf(query)
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: inPath.properties[name!] ?? { type: 'string' },
    })),
    ...Object.entries(inQuery.properties).map(([name, schema]) => ({
      name,
      in: 'query',
      required: inQuery.required.includes(name),
      schema,
    })),
  ]
}

function propertiesOf(schema: z.ZodType | undefined): { properties: Record<string, Json>; required: string[] } {
  const { properties = {}, required = [] } = schema ? jsonSchema(schema, 'input') : {}
  return { properties: properties as Record<string, Json>, required: required as string[] }
}

function content(schema: Json, type = 'application/json'): Json {
  return { [type]: { schema } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = Object.entries(namedSchemas).find(([, one]) => one === schema)?.[0]
  return name ? { $ref: `#/components/schemas/${name}` } : jsonSchema(schema, io)
}

/**
 * Zod describes arbitrary JSON by a self-reference that is invalid inside this document; replace it
 * by the empty schema, which matches anything.
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  const isOwnRef = (value: unknown) => typeof value === 'object' && value !== null && '$ref' in value
  return JSON.parse(JSON.stringify(rest), (_, value) => (isOwnRef(value) ? {} : value)) as Json
}

// The description of the routes: whole, without loose ends, and true.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openapiOf } from '../../src/server/http/openapi.ts'
import { routes } from '../../src/server/http/routes.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document without a type
const document = JSON.parse(JSON.stringify(openapiOf(routes, '1.2.3'))) as any

// biome-ignore lint/suspicious/noExplicitAny: as above
const operations: { path: string; method: string; operation: any }[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

it('openapiOf contains every route once', () => {
  const described = operations.map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`)
  expect(described.sort()).toEqual(routes.map(({ method, path, name }) => `${method} ${path} ${name}`).sort())
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
})

it('openapiOf declares every path parameter', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = operation.parameters.filter((one: { in: string }) => one.in === 'path')
    expect(inPath.map(({ name }: { name: string }) => name)).toEqual(named)
    expect(inPath.every(({ required }: { required: boolean }) => required)).toBe(true)
  }
})

it('openapiOf requires a key except for open routes', () => {
  const open = operations.filter(({ operation }) => operation.security.length === 0).map(({ path }) => path)
  expect(open).toEqual(['/health', '/ready', '/openapi.json'])
  for (const { path, operation } of operations)
    expect(Object.keys(operation.responses).includes('401')).toBe(!open.includes(path))
})

it('openapiOf defines every referenced schema', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
  expect(refs.length).toBeGreaterThan(50)
  for (const ref of new Set(refs)) {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(ref) ?? []
    expect(Object.keys(document.components.schemas)).toContain(name)
  }
})

it('openapiOf describes bodies and responses', () => {
  const push = document.paths['/api/spaces/{space}/push'].post
  expect(push.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Push' })
  expect(document.components.schemas.Push.properties.items.items.required).toEqual(['id', 'kind', 'base', 'document'])
  const { properties } = document.components.schemas.Push.properties.items.items
  expect(properties.document).toEqual({ type: ['object', 'null'] })
  const list = document.paths['/api/spaces/{space}/memories'].get
  expect(list.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'space',
    'project',
    'tag',
    'limit',
    'before',
  ])
  expect(list.parameters.find(({ name }: { name: string }) => name === 'limit').required).toBe(false)
  expect(Object.keys(push.responses)).toEqual(['200', '400', '401', '403', '404', '413', '422', '429'])
})

it('routes are only registered from the table', () => {
  const source = readFileSync(join(import.meta.dirname, '..', '..', 'src', 'server', 'http', 'app.ts'), 'utf8')
  expect(source.match(/hono\.(?:on|get|post|put|delete|all|use|route|mount)\(/g)).toEqual(['hono.on('])
})

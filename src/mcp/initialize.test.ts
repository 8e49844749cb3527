import { InMemoryTransport, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { initializeRequest, initializeResult, initializeVersions } from './initialize.ts'
import { createServer } from './server.ts'

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } }
const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params } as const

describe('initializeResult', () => {
  it.each(initializeVersions)('is the answer of the SDK to version %s', async (protocolVersion) => {
    const [client, ours] = InMemoryTransport.createLinkedPair()
    const answer = new Promise((resolve) => {
      client.onmessage = resolve
    })
    await createServer('1.2.3', { kind: 'stdio', cwd: '/' }).connect(ours)
    await client.start()
    await client.send({ ...request, params: { ...params, protocolVersion } })
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 1, result: initializeResult(protocolVersion, '1.2.3') })
  })

  it('knows the versions of the SDK', () => expect(initializeVersions).toEqual(SUPPORTED_PROTOCOL_VERSIONS))
})

describe('initializeRequest', () => {
  it('reads what clients send', () =>
    expect(initializeRequest(JSON.stringify(request))).toEqual({ id: 1, protocolVersion: '2025-11-25' }))

  it.each([
    ['another method', { ...request, method: 'ping' }],
    ['a notification', { ...request, id: undefined }],
    ['an unknown version', { ...request, params: { ...params, protocolVersion: '1999-01-01' } }],
    ['a request of the later protocol', { ...request, params: { ...params, _meta: {} } }],
    ['no name of the client', { ...request, params: { ...params, clientInfo: {} } }],
    ['no parameters', { ...request, params: undefined }],
    ['a batch', [request]],
  ])('leaves %s to the SDK', (_, message) => expect(initializeRequest(JSON.stringify(message))).toBeUndefined())

  it('leaves what is no JSON to the SDK', () => expect(initializeRequest('{"jsonrpc":')).toBeUndefined())
})

// Runs commands of the built program one after the other in one process, for tests that run many:
// a new process for each spends most of its time on starting. Requests come through one named pipe
// and answers go through another, each as its length in bytes (32 bits) and JSON.
import { closeSync, openSync, read, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

interface Request {
  args: string[]
  env: Record<string, string>
}

const [, , cli, requestPath, responsePath] = process.argv as [string, string, string, string, string]
const { run } = createRequire(cli)('./chunks/load.js') as { run(argv: string[]): Promise<void> }
const requests = openSync(requestPath, 'r')
const responses = openSync(responsePath, 'w')
process.setMaxListeners(0)
process.on('uncaughtException', (error) => {
  writeSync(3, `${error.stack}\n`)
  process.exit(1)
})
process.stdout.setMaxListeners(0)

for (let request = await nextRequest(); request; request = await nextRequest()) respond(await runOnce(request))
closeSync(responses)
process.exit(0)

async function runOnce({ args, env }: Request): Promise<object> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  const output = { out: '', err: '' }
  process.stdout.write = collect((text) => (output.out += text))
  process.stderr.write = collect((text) => (output.err += text))
  process.argv = [process.execPath, cli, ...args]
  await run(process.argv)
  return { status: Number(process.exitCode ?? 0), ...output }
}

function collect(add: (text: string) => void): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.find((one) => typeof one === 'function')
    if (done) queueMicrotask(done as () => void)
    return true
  }
}

async function nextRequest(): Promise<Request | undefined> {
  const length = await readBytes(4)
  if (!length) return undefined
  const body = await readBytes(length.readUInt32LE())
  return body && JSON.parse(body.toString())
}

/** Undefined once the test process has ended. */
async function readBytes(count: number): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(count)
  for (let filled = 0; filled < count; ) {
    const { bytesRead } = await promisify(read)(requests, buffer, filled, count - filled, null)
    if (bytesRead === 0) return undefined
    filled += bytesRead
  }
  return buffer
}

function respond(response: object): void {
  const body = Buffer.from(JSON.stringify(response))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  for (const part of [length, body]) for (let at = 0; at < part.length; ) at += writeSync(responses, part, at)
}

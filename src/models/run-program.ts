// A program that is given a text and answers on its output, with an end: in time, in size, and of everything it started.
import type { ChildProcess } from 'node:child_process'
import { maxAnswerBytes } from './provider.ts'

export interface Program {
  path: string
  args: string[]
  /** On its standard input: an argument could be read by everyone on the machine. */
  input: string
  cwd: string
  env: Record<string, string | undefined>
  timeoutMs: number
}

export interface Ran {
  out: string
  err: string
  /** Its exit code, or what came before it could give one. */
  end: number | 'timeout' | 'too long' | 'killed' | 'not started'
}

export function runToEnd({ path, args, input, cwd, env, timeoutMs }: Program): Promise<Ran> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(path, args, {
    cwd,
    env,
    stdio: 'pipe',
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const ran: Ran = { out: '', err: '', end: 'killed' }
  return new Promise((resolve) => {
    let isOver = false
    const finish = (end: Ran['end']) => {
      if (isOver) return
      isOver = true
      clearTimeout(tooLate)
      forget()
      endGroup(child)
      for (const stream of child.stdio) stream?.destroy()
      resolve({ ...ran, end })
    }
    const forget = endWithUs(child)
    const tooLate = setTimeout(() => finish('timeout'), timeoutMs)
    child.on('error', (error) => {
      ran.err ||= error.message
      finish('not started')
    })
    collect(child, ran, () => finish('too long'))
    // Who was started by it may keep the output open for longer than the program lives.
    child.on('exit', (code) => setTimeout(() => finish(code ?? 'killed'), 1000).unref())
    child.on('close', (code) => finish(code ?? 'killed'))
    child.stdin.on('error', () => {}) // it ended without reading: its output tells why
    child.stdin.end(input)
  })
}

function collect({ stdout, stderr }: ChildProcess, ran: Ran, onTooLong: () => void): void {
  let bytes = 0
  stdout!.setEncoding('utf8').on('data', (piece: string) => {
    bytes += Buffer.byteLength(piece)
    if (bytes > maxAnswerBytes) onTooLong()
    else ran.out += piece
  })
  stderr!.setEncoding('utf8').on('data', (piece: string) => {
    if (ran.err.length < 10_000) ran.err += piece
  })
}

/** The program and everything it started that is still there. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

/** In a group of its own the program does not hear that we are told to end. Call the result when it has ended. */
function endWithUs(child: ChildProcess): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onExit = () => endGroup(child)
  const onSignal = (signal: NodeJS.Signals) => {
    forget()
    endGroup(child)
    process.kill(process.pid, signal)
  }
  const forget = () => {
    process.off('exit', onExit)
    for (const signal of signals) process.off(signal, onSignal)
  }
  process.on('exit', onExit)
  for (const signal of signals) process.on(signal, onSignal)
  return forget
}

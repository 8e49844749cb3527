// Standard output and standard error. A stream of Node for a file or a pipe loads its network code, which
// takes milliseconds of every command, so output that does not go to a terminal is written directly.
import { fstatSync, writeSync } from 'node:fs'

/** What a terminal needs of a stream of Node. */
export interface OutputStream {
  isTTY?: boolean
  columns?: number
  rows?: number
  write(text: string): unknown
}

export interface StandardStream extends OutputStream {
  /** Called if the output cannot be written, as when its reader has ended. */
  onError(handle: (error: NodeJS.ErrnoException) => void): void
}

/** `stream` is only called if the descriptor needs a stream of Node. */
export function openOutput(descriptor: 1 | 2, stream: () => NodeJS.WriteStream): StandardStream {
  let streaming = mayBeTerminal(descriptor) ? stream() : undefined
  let fail = (error: NodeJS.ErrnoException): void => {
    throw error
  }
  return {
    isTTY: streaming?.isTTY === true,
    ...(streaming?.columns === undefined ? {} : { columns: streaming.columns, rows: streaming.rows }),
    onError(handle) {
      fail = handle
      streaming?.on('error', handle)
    },
    write(text) {
      if (streaming) return streaming.write(text)
      const rest = writeAll(descriptor, Buffer.from(text), (error) => fail(error))
      if (rest.length === 0) return true
      streaming = stream()
      streaming.on('error', fail)
      return streaming.write(rest)
    },
  }
}

/** A terminal is a character device; so is `/dev/null`. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    return process.platform === 'win32' || fstatSync(descriptor).isCharacterDevice()
  } catch {
    return true
  }
}

/** Returns what a descriptor that does not block would not take. */
function writeAll(descriptor: number, bytes: Buffer, onError: (error: NodeJS.ErrnoException) => void): Buffer {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return bytes.subarray(done)
      onError(error as NodeJS.ErrnoException)
      break
    }
  }
  return Buffer.alloc(0)
}

// Everything that the body files of a store hold, decompressed: a search of the files alone would find nothing.
import { closeSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decompress } from '../src/core/zstd.ts'
import { linesOf } from '../src/store/sessions/body-copies.ts'
import { bodyParts, decodeCopy, readPart } from '../src/store/sessions/body-frames.ts'

export function keptText(store: string): string {
  return readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.zst'))
    .map((name) => textOfBody(join(store, name)))
    .join('\n')
}

function textOfBody(path: string): string {
  const handle = openSync(path, 'r')
  try {
    return [...bodyParts(handle, statSync(path).size)]
      .map((part) => {
        const content = readPart(handle, part)!
        if (part.kind === 'events') return decompress(content).toString('utf8')
        return part.kind === 'copy' ? linesOf(decodeCopy(content)).text : content.toString('utf8')
      })
      .join('\n')
  } finally {
    closeSync(handle)
  }
}

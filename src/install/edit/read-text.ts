import { readFileSync } from 'node:fs'
import { messageOf, UserError } from '../../core/errors.ts'

/**
 * Reads a file; undefined if it does not exist. Refuses other encodings than UTF-8: they would not
 * round-trip.
 */
export function readText(path: string): string | undefined {
  const bytes = readBytes(path)
  const text = bytes?.toString('utf8')
  if (bytes && !Buffer.from(text!).equals(bytes)) {
    throw new UserError(
      `${path} is not UTF-8 text`,
      'The file was not changed. Save it as UTF-8, then run the command again.',
    )
  }
  return text
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UserError(
      `${path} cannot be read: ${messageOf(error)}`,
      'The file was not changed. Make it a file that you can read, then run the command again.',
    )
  }
}

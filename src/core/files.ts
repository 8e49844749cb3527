import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Replaces a file as a whole: after a crash the old content or the new one is there, never a part. */
export function writeAtomically(path: string, content: string | Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

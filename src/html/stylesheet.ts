import { readFileSync } from 'node:fs'
import { findPackageFile } from '../core/package-files.ts'

let text: string | undefined

/** The stylesheet of the page and of exported files. */
export function stylesheet(): string {
  if (text === undefined) {
    const path = findPackageFile('page/style.css', 'src/html/style.css')
    if (path === undefined) throw new Error('style.css is missing: run npm run build')
    text = readFileSync(path, 'utf8')
  }
  return text
}

import { readPackageFile } from '../core/package-files.ts'

let text: string | undefined

/** The stylesheet of the page and of exported files. */
export function stylesheet(): string {
  text ??= readPackageFile('page/style.css', 'src/html/style.css')
  return text
}

import { dirname, relative } from 'node:path/posix'

/** From one file of the export to another, both below its folder; what is after a `#` in the second stays there. */
export function relativeUrl(from: string, to: string): string {
  const [file = '', anchor] = to.split('#')
  const way = relative(dirname(from), file)
    .split('/')
    .map((part) => (part === '..' ? part : encodeURIComponent(part).replace(/[()'!*]/g, percent)))
    .join('/')
  return anchor === undefined ? way : `${way}#${encodeURIComponent(anchor)}`
}

/** What Markdown would take for the end of a link. */
function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
}

// Edits as SEARCH/REPLACE blocks, the way Aider asks for them and Cline and Roo Code took over with other fences.
import { diffCounts } from './file-changes.ts'

export interface EditBlock {
  /** The line that names the file; '' where the block stands alone. */
  path: string
  added: number
  removed: number
  /** Nothing to search for: the file is new. */
  isNew: boolean
}

export function editBlocks(source: string): EditBlock[] {
  const blocks: EditBlock[] = []
  let path = ''
  let section: 'outside' | 'search' | 'replace' = 'outside'
  let search: string[] = []
  let replace: string[] = []
  for (const line of source.split('\n')) {
    if (section === 'outside') {
      if (/^(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)>?\s*$/.test(line)) {
        section = 'search'
        search = []
        replace = []
      } else if (line.trim() !== '' && !/^\s*(?:`{3,}|~{3,})/.test(line)) path = nameIn(line)
    } else if (/^={5,9}\s*$/.test(line) && section === 'search') section = 'replace'
    else if (/^(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\s*$/.test(line)) {
      blocks.push({ path, ...changedLines(search, replace), isNew: search.every((old) => old.trim() === '') })
      section = 'outside'
    } else if (section === 'replace') replace.push(line)
    else if (!/^(?::(?:start|end)_line:|-{5,9}\s*$)/.test(line)) search.push(line)
  }
  return blocks
}

/** Lines that a diff adds and removes: SEARCH/REPLACE blocks, or a unified diff. */
export function blockOrDiffCounts(diff: string): { added: number; removed: number } {
  const blocks = editBlocks(diff)
  if (blocks.length > 0) {
    return {
      added: blocks.reduce((sum, block) => sum + block.added, 0),
      removed: blocks.reduce((sum, block) => sum + block.removed, 0),
    }
  }
  return diffCounts(diff)
}

/** Models write the name bare, in backticks, as a heading or with a colon behind it. */
function nameIn(line: string): string {
  return line
    .trim()
    .replace(/^[#*`\s]+|[*`:\s]+$/g, '')
    .trim()
}

/** Both sides repeat the lines around the change; those did not change. */
function changedLines(search: string[], replace: string[]): { added: number; removed: number } {
  const least = Math.min(search.length, replace.length)
  let start = 0
  while (start < least && search[start] === replace[start]) start++
  let end = 0
  while (end < least - start && search.at(-1 - end) === replace.at(-1 - end)) end++
  return { added: replace.length - start - end, removed: search.length - start - end }
}

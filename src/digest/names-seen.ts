// A small set of names as one string: four characters each, the last ones kept. It is stored with every session, so it must
// stay small; two names that meet by chance are one in sixteen million.

const maxNames = 200
const width = 4
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function addName(seen: string, name: string): string {
  return hasName(seen, name) ? seen : (seen + nameHash(name)).slice(-maxNames * width)
}

export function hasName(seen: string, name: string): boolean {
  const mark = nameHash(name)
  let at = seen.indexOf(mark)
  while (at >= 0 && at % width !== 0) at = seen.indexOf(mark, at + 1)
  return at >= 0
}

/** FNV-1a, folded to 24 bits. */
export function nameHash(name: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  const folded = (hash >>> 24) ^ (hash & 0xffffff)
  return (
    digits[(folded >> 18) & 63]! + digits[(folded >> 12) & 63]! + digits[(folded >> 6) & 63]! + digits[folded & 63]!
  )
}

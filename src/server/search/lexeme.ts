// A term as the index holds it. Each begins with its space: the places of a word in other people's spaces are not walked to find those in
// one's own, and what is frequent is told by the space that is asked.

/** As tsvector and tsquery read it, whatever characters it has. */
export function lexemeOf(spaceId: string, term: string): string {
  return `'${`${markOfSpace(spaceId)}${term}`.replace(/['\\]/g, '$&$&')}'`
}

/** Two spaces may have the same one: a search names the space as well. */
function markOfSpace(spaceId: string): string {
  return Buffer.from(spaceId.replaceAll('-', '').slice(-8), 'hex').toString('base64url')
}

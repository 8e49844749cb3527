// Rewrites sentences that say an order in other ways as "A before B", so that they can be compared:
// "first A, then B", "A first and B afterwards", "B after A", "A followed by B".

/** Expects lower case. "After" stays, because most statements with it are compared with others like them. */
export function unifySequence(text: string): string {
  if (!sequenceWords.test(text)) return text
  return text
    .replace(numbered, '$1 before $2')
    .replaceAll(' followed by ', ' before ')
    .replace(firstThen, '$1 before $2')
    .replace(thenOnly, (whole, one: string, other: string) =>
      subordinate.test(one) ? whole : `${one} before ${other}`,
    )
    .replace(firstAtEnd, '$1 before $2')
}

const sequenceWords = /\b1[.):] \S|\b(?:then|afterwards|followed|first|next|later)\b/
const part = '([^,;.:]{2,80}?)'
const andThen = String.raw`(?:,|;)? (?:and |but )?(?:only )?(?:then|afterwards|after that|next|later|secondly)\b,?`
/** "1. lint 2. test". */
const numbered = /(?<=^|[.;:,] ?)(?:step )?1[.):] ([^,;.:]{2,80}?)[,;.]? (?:step )?2[.):] ([^,;.:]{2,80})/g
const firstThen = new RegExp(`(?<=^|[.;:] ?)(?:first|firstly)(?: of all)?,? ${part}${andThen} ([^,;.]{2,80})`, 'g')
const thenOnly = new RegExp(
  String.raw`(?<=^|[.;:,] ?)${part}(?: first)?(?:,|;| and|, and) (?:only )?then\b ([^,;.]{2,80})`,
  'g',
)
const firstAtEnd = new RegExp(
  `(?<=^|[.;:,] ?)${part} first(?:,| and|, and| before) ([^,;.]{2,80}?)(?: (?:afterwards|second|later|next|after that))?(?=[,;.]|$)`,
  'g',
)
const subordinate = /^(?:if|when|whenever|once|as soon as|unless|in case)\b/

/** "B after A" as "A before B"; undefined if there is no such part. Expects lower case. */
export function withoutAfter(text: string): string | undefined {
  const said = text.trim().replace(/[.!]+$/, '')
  const leading = /^(?:only )?after ([^,;.]{2,80}), ([^,;.]{2,120})$/.exec(said)
  if (leading) return `${leading[1]} before ${leading[2]}`
  const at = said.indexOf(' after ')
  const [one, other] = [said.slice(0, at), said.slice(at + ' after '.length)]
  const isPlain = at > 0 && !/[,;.]/.test(said) && !/\bafter\b|\bbefore\b/.test(`${one} ${other}`)
  return isPlain ? `${other} before ${one.replace(/\bonly$/, '')}` : undefined
}

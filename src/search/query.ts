// Parses a search query: words (any may match), required "phrases", excluded -words and filters.
// Every input is valid.

export interface Query {
  /** The rest of the input as typed; names and dates in it are used for ranking. */
  text: string
  phrases: string[]
  without: string[]
  filters: Filters
}

export interface Filters {
  agent?: string
  project?: string
  since?: string
  kind?: string
  file?: string
}

const filterNames = ['agent', 'project', 'since', 'kind', 'file'] as const

/** Further words of a pasted log do not improve the query. */
const maxCharacters = 2000

export function parseQuery(typed: string): Query {
  const query: Query = { text: '', phrases: [], without: [], filters: {} }
  const words: string[] = []
  for (const match of typed.slice(0, maxCharacters).matchAll(tokens)) {
    const { name, value, quotedValue, not, phrase, word } = match.groups!
    if (name) query.filters[name as keyof Filters] = quotedValue ?? value ?? ''
    else if (phrase !== undefined) (not ? query.without : query.phrases).push(phrase)
    // `--force` is a flag to search for, not an exclusion.
    else if (/^-[^-]/.test(word!)) query.without.push(word!.slice(1))
    else words.push(word!)
  }
  query.text = words.join(' ')
  return query
}

const tokens = new RegExp(
  `(?<=^|\\s)(?<name>${filterNames.join('|')}):(?:"(?<quotedValue>[^"]*)"|(?<value>[^\\s"]+))|(?<not>-?)"(?<phrase>[^"]*)"|(?<word>[^\\s"]+)`,
  'g',
)

/** A query of exclusions and punctuation only matches nothing. */
export function isEmptyQuery({ text, phrases }: Query): boolean {
  return text.trim() === '' && phrases.every((phrase) => phrase.trim() === '')
}

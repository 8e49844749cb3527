// What a person types, taken apart: words of which any counts, "phrases" that must be there, -words that must not, and
// filters. Nothing that can be typed is an error.

export interface Query {
  /** Everything that is no phrase, filter or exclusion, as it was typed: names and dates in it count, too. */
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

/** A pasted log makes no better question by its thousandth word. */
const maxCharacters = 2000

export function parseQuery(typed: string): Query {
  const query: Query = { text: '', phrases: [], without: [], filters: {} }
  const words: string[] = []
  for (const match of typed.slice(0, maxCharacters).matchAll(tokens)) {
    const { name, value, quotedValue, not, phrase, word } = match.groups!
    if (name) query.filters[name as keyof Filters] = quotedValue ?? value ?? ''
    else if (phrase !== undefined) (not ? query.without : query.phrases).push(phrase)
    // `--force` is a flag that somebody looks for.
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

/** Whether there is anything to look for: signs alone, or only what must not be there, find nothing. */
export function isEmptyQuery({ text, phrases }: Query): boolean {
  return text.trim() === '' && phrases.every((phrase) => phrase.trim() === '')
}

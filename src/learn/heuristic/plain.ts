// The form of a sentence that cues are looked for in: small letters, common slips repaired, and what is code, a quotation, a
// path or an address replaced by a capital word.

export function plainForm(text: string): string {
  return fixSpelling(
    text
      .replace(/[‘’ʼ´]/g, "'")
      .replace(/[“”„«»]/g, '"')
      .replace(/`[^`]{1,200}`/g, ' CODE ')
      .replace(/"[^"]{1,300}"/g, ' QUOTE ')
      .replace(/\bhttps?:\/\/[^\s)>\]]+/g, ' URL ')
      .replace(
        /(?<![\w/])(?:~|\.{1,2})?\/?(?:[\w@.-]+\/)+[\w@.*-]+|(?<!\w)[\w-]+\.(?:md|ts|tsx|js|mjs|go|py|rs|json|jsonl|ya?ml|toml|sh|sql|css|html|txt|lock|env)\b/g,
        pathPlaceholder,
      )
      .replace(/(?<!\w)--?[a-z][\w-]+/g, ' FLAG ')
      .replace(/\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|\w+_\w+|\w+\(\))(?:\(\))?/g, ' IDENT ')
      .replace(/\b[A-Z]{2,}\b|[A-Z]/g, (word) => (placeholders.has(word) ? word : word.toLowerCase()))
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

const placeholders = new Set(['CODE', 'QUOTE', 'URL', 'PATH', 'FLAG', 'IDENT', 'DOC'])

function pathPlaceholder(found: string): string {
  if (/^(?:and|or|\w{1,12})\/\w{1,12}$/i.test(found) && !/\.\w+$/.test(found)) return found
  return /(?:claude|agents|gemini|memory)\.md$/i.test(found) ? ' DOC ' : ' PATH '
}

/** Apostrophes people leave out. */
function fixSpelling(plain: string): string {
  return plain
    .replace(/\b(do|does|did|is|are|was|were|wo|ca|should|could|would|have|has|had|must|need)nt\b/g, "$1n't")
    .replace(/\b(that|there|what|here)s\b/g, "$1's")
    .replace(/\blets\b/g, "let's")
    .replace(/\b(i)(m|ve)\b(?! )/g, "$1'$2")
    .replace(/\bim\b/g, "i'm")
    .replace(/\bive\b/g, "i've")
    .replace(/\bbec(?:uase|asue|asuse|aus|ause)\b/g, 'because')
    .replace(/\bthoug(?:th|t|ht)\b/g, 'thought')
    .replace(/\bteh\b/g, 'the')
    .replace(/\b(?:pls|plz|pelase|plase|pleaes)\b/g, 'please')
}

/** Without the words that only open a message (or the question it answers), so that a cue for the beginning finds the real one. */
export function withoutOpening(plain: string): string {
  return plain.replace(/^QUOTE ?: /, '').replace(opening, '')
}

const opening =
  /^(?:(?:ok|okay|k|yes|yeah|yep|yup|sure|alright|right|so|and|also|hey|hi|hello|oh|ah|ha|great|nice|cool|perfect|thanks|thank you|good|hmm+|hm|omfg|omg|wtf|dude|my dude|man|quick thing|one (?:more )?thing|q|btw|by the way|well|then|now|please|fucking hell)(?:[,.:!\s-]+|$))+/

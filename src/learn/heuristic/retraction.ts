// "Never mind what I said about moment" takes something back. Its words would pass as a rule.

/** What the sentence takes back; undefined for any other sentence. */
export function retractedSubject(sentence: string): string | undefined {
  return retraction.exec(sentence)?.[1]?.trim()
}

const opening = '(?:(?:ok(?:ay)?|no|actually|please|sorry|and|so|well)[,.]? )*'
const verb = String.raw`(?:never ?mind|forget|ignore|disregard|scratch|(?:i )?take back)\b.{0,12}?\b`
const words =
  '(?:what|all|everything|anything) i (?:just |had )?(?:said|told you|asked|wrote)(?: (?:before|earlier|above))? (?:about|on|regarding|concerning)'
const rule = '(?:the|my|that) (?:rule|preference|instruction)s? (?:about|on|regarding|for)'
const retraction = new RegExp(
  String.raw`^${opening}${verb}(?:${words}|${rule}) (?:the |using |use of )*([^,.;!?\n]{2,80})`,
  'i',
)

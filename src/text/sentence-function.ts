// Classifies sentences by their function in an explanation: cause, fix, evidence, plan, retraction,
// or none of these. Agents write explanations under labels ("Root cause:", "What changed"), so a
// sentence inherits the function of its label.
import { contentWords } from './content-words.ts'
import { introducedBy, quotableSentences } from './sentences.ts'

export type SentenceFunction =
  | 'cause'
  | 'fix'
  | 'plan'
  | 'evidence'
  | 'question'
  | 'progress'
  | 'retraction'
  | 'answer'
  | 'context'

export interface FunctionalSentence {
  text: string
  /** Index among the quotable sentences of its message. */
  place: number
  function: SentenceFunction
  /** How clearly it has this function: 0 to about 3. */
  strength: number
}

/** A guess, or what would be so under a condition. */
export function isSpeculation(sentence: string): boolean {
  return speculation.test(sentence) || /^(?:if|unless|even if|whether)\b/i.test(sentence)
}

/** Names a cause or a fix. */
export function isExplaining({ function: part }: FunctionalSentence): boolean {
  return part === 'cause' || part === 'fix'
}

/** A sentence with the label that it stands under, whose function is not yet read. */
export interface PlacedSentence {
  text: string
  /** Index among the quotable sentences of its message. */
  place: number
  section: Section
  /** What the label adds. */
  inherited: number
}

/** Reading the function of a sentence takes most of the time: do it for those that are needed. */
export function classified({ text, place, section, inherited }: PlacedSentence): FunctionalSentence {
  return { place, text, ...functionOf(text, section, inherited) }
}

/** The sentences of a message of an agent, without labels, table rows and Markdown emphasis. */
export function placedSentences(message: string): PlacedSentence[] {
  const found: PlacedSentence[] = []
  let section: Section = 'none'
  let labelled = 0
  const joined = new Set<string>()
  for (const [place, raw] of quotableSentences(message).entries()) {
    if (joined.has(raw)) continue
    const { label, text: own } = splitLabel(raw)
    if (label !== '') [section, labelled] = [sectionOf(label), 0]
    const introduced = own.endsWith(':') ? introducedBy(message, raw) : []
    for (const item of introduced) joined.add(item)
    const text = own.endsWith(':') ? withIntroduced(own, introduced) : own
    if (text === '' || isData.test(text)) continue
    // "Both fixed and committed." introduces what was changed.
    if (section === 'none' && reportsDone.test(text)) [section, labelled] = ['fix', 0]
    if (announcesCause.test(text)) [section, labelled] = ['cause', -1]
    found.push({ text, place, section, inherited: labelStrength * labelDecay ** Math.max(0, labelled++) })
  }
  return found
}

/** A sentence that ends in a colon says nothing without what it introduces. */
function withIntroduced(sentence: string, items: string[]): string {
  return items.length === 0 ? '' : `${sentence} ${items.map(withoutMarkdown).join('; ')}`
}

/** What a label adds to its first sentence, and how much of it the next ones keep. */
const labelStrength = 1.2
const labelDecay = 0.9

/** The function of a sentence that stands alone. */
export function functionOf(
  sentence: string,
  section: Section = 'none',
  inherited = 0,
): Pick<FunctionalSentence, 'function' | 'strength'> {
  const plain = plainSigns(sentence)
  if (asks.test(plain)) return { function: 'question', strength: 1 }
  if (retracts.test(plain)) return { function: 'retraction', strength: 1 }
  if (progress.test(plain)) return { function: 'progress', strength: 1 }
  const doubt = isSpeculation(plain) ? 0.4 : 1
  const [ownCause, ownFix] = [sum(causeCues, plain), sum(fixCues, plain)]
  // The words of a sentence say more than its label.
  const isContrary =
    section === 'cause' ? ownFix >= minStrength && ownCause === 0 : ownCause >= minStrength && ownFix === 0
  const cause = ownCause + (section === 'cause' && !isContrary ? inherited : 0)
  const fix = section === 'plan' ? 0 : ownFix + (section === 'fix' && !isContrary ? inherited : 0)
  if (section === 'aside' && Math.max(cause, fix) < 2) return { function: 'context', strength: 0 }
  if (plan.test(plain) || section === 'plan') return { function: 'plan', strength: 1 }
  if (isBookkeeping(plain, ownCause, ownFix)) return { function: 'context', strength: 0 }
  const isEvidence = evidence.test(plain)
  const isMeasured = isEvidence && Math.max(ownCause, ownFix) < minStrength
  if (Math.max(cause, fix) * doubt >= minStrength && !isMeasured)
    return fix > cause ? { function: 'fix', strength: fix * doubt } : { function: 'cause', strength: cause * doubt }
  if (section === 'evidence' || isEvidence) return { function: 'evidence', strength: 1 }
  return { function: 'context', strength: 0 }
}

/** Whether the agent takes something back; the function of such a sentence is `retraction`. */
export function isRetraction(sentence: string): boolean {
  const plain = plainSigns(sentence)
  return retracts.test(plain) && !asks.test(plain)
}

/** Whether a message may have a sentence that takes something back; most have not, and need not be split. */
export function mayRetract(message: string): boolean {
  return hintsRetraction.test(message)
}

/** A word of each alternative of `retracts`. */
const hintsRetraction =
  /wrong|mistaken|sure|incorrect|misread|misdiagnosed|misunderstood|misinterpreted|jumped|mis-?spoke|scratch|thought|n['‘’]t|\bnot\b|theory|diagnosis|explanation|assumption|analysis|hypothesis|guess|claim|conclusion|rules? out|know/i

const asks = /\?\W*$/

function plainSigns(sentence: string): string {
  return sentence.replace(/[‘’]/g, "'").replaceAll('`', '')
}

/** Whether `classified` may find a cause of this strength, which takes half of its time. */
export function mayBeCause({ text, section }: PlacedSentence, strength: number): boolean {
  return section === 'cause' || sum(causeCues, plainSigns(text)) >= strength
}

/** How clearly a person names a cause; a request in the same sentence does not matter. */
export function causeStrength(sentence: string): number {
  const plain = plainSigns(sentence)
  return asks.test(plain) || isSpeculation(plain) ? 0 : sum(causeCues, plain)
}

const minStrength = 0.8
/** "Fixed and committed as 0a1b2c3d.", "Added it to the docs, with the root cause." */
function isBookkeeping(sentence: string, cause: number, fix: number): boolean {
  if (records.test(sentence)) return true
  // "Because the lamp is broken." says it all; without a cue as few words say nothing.
  const least = cause >= minStrength ? 2 : fix >= minStrength ? 3 : 4
  return contentWords(sentence.replace(/\b[0-9a-f]{7,40}\b/g, '')).length < least
}

/** "Found it." introduces the cause. */
const announcesCause =
  /^(?:found (?:it|the (?:\w+ )?(?:bug|cause|problem|issue|culprit|reason))|i (?:can )?(?:now )?(?:see|found|know|understand) (?:the|what the) (?:\w+ )?(?:bug|cause|problem|issue))[.!]?$/i

const reportsDone = /^(?:all |both |everything )?(?:is |are )?(?:done|fixed|implemented|resolved|solved)\b.{0,80}$/i

const records =
  /\b(?:written down|documented) in\b|^(?:fixed|done|resolved|works)\W+(?:clean|no|all|everything|tests?)\b|^(?:both |all |now )?(?:fixed|done|committed|pushed|reverted|logged|filed|documented|recorded|noted|created|added|opened|closed|updated)\b(?=.{0,60}\b(?:committed|pushed|issue|ticket|pr|pull request|docs?|documentation|readme|changelog|changes|branch|commit)\b)/i

type Section = 'cause' | 'fix' | 'plan' | 'evidence' | 'aside' | 'none'

/** `**Root cause:** The clock …` is a label and a sentence; `## Fix` is only a label. */
function splitLabel(raw: string): { label: string; text: string } {
  const plain = withoutMarkdown(raw)
  const bold = raw.startsWith('**') && /^\*\*([^*]{2,80})\*\*[:.]?\s*(?:[—–-]+\s+)?(.*)$/s.exec(raw)
  if (bold) {
    const [label, rest] = [bold[1]!, bold[2]!]
    if (rest === '') return { label, text: /[.!?]$/.test(label) ? plain : '' }
    return sectionOf(label) === 'none' ? { label: '', text: plain } : { label, text: withoutMarkdown(rest) }
  }
  if (plain.includes(':')) {
    const done = /^(?:all )?(?:done|fixed|implemented)\b[^:.]{0,30}:\s+(.+)$/is.exec(plain)
    if (done) return { label: 'fix', text: done[1]! }
    const inline = /^([A-Z][\w' ]{2,30}):\s+(.+)$/s.exec(plain)
    if (inline && sectionOf(inline[1]!) !== 'none') return { label: inline[1]!, text: inline[2]! }
  }
  // More words do not matter.
  const words = plain.split(/\s+/, 8).length
  const isHeading = words <= 4 && !/[.!?)`]$/.test(plain) && sectionOf(plain) !== 'none'
  if (isHeading || (words <= 7 && /:$/.test(plain))) return { label: plain, text: '' }
  return { label: '', text: plain }
}

function sectionOf(label: string): Section {
  return sections.find(([, cue]) => cue.test(label))?.[0] ?? 'none'
}

const sections: [Section, RegExp][] = [
  [
    'plan',
    /\b(?:propos\w+|options?|plans?|next steps?|recommend\w*|suggest\w*|to ?do|approach(?:es)?|want me|not yet (?:made|done|fixed)|remaining|alternatives?|how to (?:reproduce|test))\b/i,
  ],
  [
    'aside',
    /\b(?:out of scope|note|caveats?|also|unrelated|open questions?|questions?|follow-?ups?|limitations?|non-goals?|risks?|files?)\b/i,
  ],
  [
    'cause',
    /\b(?:found it|root causes?|causes?|why|what (?:happened|went wrong|was wrong|is happening|was happening|broke)|diagnosis|problem|issue|bug|explanation|mechanism|culprit|reason)\b/i,
  ],
  [
    'evidence',
    /\b(?:proof|evidence|verif\w+|tests?|testing|results?|measure\w*|benchmarks?|confirm\w+|reproduc\w+|validat\w+)\b/i,
  ],
  [
    'fix',
    /\b(?:fix(?:ed|es)?|solution|resolution|what (?:i |was |has |we )*(?:changed|did|done)|changes?|workaround)\b/i,
  ],
]

/** Shown to people at a terminal, and every sign costs tokens. */
function withoutMarkdown(text: string): string {
  let plain = text
  if (plain.includes('*'))
    plain = plain
      .replace(/\*\*([^*]+)\*\*/g, '$1')
      .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '$1')
      .replaceAll('**', '')
  plain = plain.replace(/^\d{1,2}\. /, '')
  if (plain.includes('](')) plain = plain.replace(/\[([^[\]]{1,300})\]\((?:https?:|\/|\.)[^)\s]{0,1000}\)/g, '$1')
  return plain.trim()
}

/** Table rows, lines of code, paths. */
const isData = /^\||^\W*$|^[\w./\\-]+\.\w{1,5}(?::\d+)?$|^[{}[\]();<>=+-]/

function sum(cues: readonly [number, RegExp][], sentence: string): number {
  let total = 0
  for (const [weight, cue] of cues) if (cue.test(sentence)) total += weight
  return Math.min(3, total)
}

const causeCues: [number, RegExp][] = [
  [
    2,
    /\broot causes? (?:is|was|of|here|were|found|turned)\b|\b(?:is|was|were|the actual|the real) (?:the |our |a )?(?:\w+ )?(?:culprit|cause|trigger|root cause)\b|\b(?:is|was|are|were) (?:caused|triggered|introduced) by\b|\bintroduced (?:the|this) (?:bug|regression|problem)\b/i,
  ],
  [
    1.6,
    /\bthe (?:\w+ ){0,2}(?:problem|issue|reason|bug|cause|culprit|catch|failure|error|mistake|trouble|regression) (?:here )?(?:is|was|comes|came|lies|turned out)\b/i,
  ],
  [
    1.2,
    /\bbecause\b|\bdue to\b|\b(?:is|was|that's|which is|explains) why\b|\bturns? out\b|\bthe reason\b|\breason (?:being|is|was|why)\b|\bstems? from\b/i,
  ],
  [
    0.8,
    /\b(?:leads? to|led to|results? in|resulted in|causes|causing|comes from|came from|breaks|broke (?:when|because)|fails? (?:when|if|since|unless)|happens (?:when|if)|only (?:when|after)|depends? (?:also )?on)\b/i,
  ],
  [0.8, /, so (?:it|the|every|each|any|they|this|that|an?|nothing|no)\b/i],
  [1.2, /\b(?:it|that|this)(?:'s| was| is) (?:actually|really|in fact) (?:the|an?|our|my|your|because)\b/i],
  [0.6, / (?:→|->|=>) /],
  [0.6, /^(?:that|this|it)(?:'s| is| was) (?:the|an?|because|due|only|still)\b/i],
  [
    0.5,
    /\b(?:never|nothing|no longer|not) (?:\w+ )?(?:clear|reset|clos|wait|await|flush|releas|set|call|reach|initiali|updat|invalidat|clean|lock|escap|handl|check)\w*|\b(?:race|leak\w*|stale|deadlock\w*|out of order|too (?:early|late|soon)|before|after) (?:the|a|it|condition|is|was|being)\b|\b(?:is|are|was|were) (?:\w+ )?without an?\b/i,
  ],
]

const done =
  '(?:moved|changed|replaced|added|removed|switched|fixed|set|updated|renamed|wrapped|rewrote|split|introduced|extracted|pinned|bumped|upgraded|downgraded|reverted|disabled|enabled|increased|reduced|cleared|reset|converted|corrected|inlined|guarded|mocked|awaited|closed|swapped|excluded|included|ignored|raised|lowered|limited|dropped|deleted|created|restored|merged|bounded|capped|cached|escaped|quoted|sorted|locked|serialized|serialised|deduplicated|normalized|normalised|rebuilt|reordered|isolated|stubbed|patched|stopped)'

const fixCues: [number, RegExp][] = [
  [1.6, new RegExp(String.raw`^(?:so )?(?:i|we)(?:'ve| have)? (?:also |now |just |then |therefore )*${done}\b`, 'i')],
  [1.3, new RegExp(String.raw`^${done}\b`, 'i')],
  [1, new RegExp(String.raw`\b(?:(?:is|are) now (?:\w+ed|${done}|an?|the)|(?:has|have) been ${done})\b`, 'i')],
  [
    0.8,
    /^(?:so |then )?i (?:now |also )?(?:show|use|keep|format|split|move|add|replace|remove|turn|set|wrap|skip|sort|quote|cache|pin|drop|await|close|lock|reset|return|handle|treat|store|rename|switch|change|limit|raise|lower)\b/i,
  ],
  [
    1.6,
    /\bthe (?:\w+ ){0,2}(?:fix|solution|workaround|remedy) (?:here )?(?:is|was)\b|\b(?:fixed|solved|resolved|worked around) (?:by|with|in|this by|it by)\b/i,
  ],
  [0.8, /\bworks (?:after|with|once|now)\b/i],
  [0.6, /\bnow (?:\w+ly )?(?:[a-z]+s)\b|\binstead of\b|\brather than\b/i],
]

const evidence =
  /\b(?:confirmed|verified|measured|reproduced|profil\w+|bisect\w*|benchmark\w*|(?:tests?|build|suite|checks?) (?:\w+ )?(?:pass(?:es|ed)?|green|clean))\b/i

/** What the agent is about to do, and remarks about the work itself. */
const progress =
  /^(?:(?:ok(?:ay)?|great|good|perfect|alright|now|so|and|first|next|then)[,.!:]? )*(?:let me|let's|i'll|i will|i'm (?:going|now|checking|looking|reading|running)|i need to|i should|i want to|time to|going to|checking|looking|reading|running|searching|building|committing|cleaning|implementing|starting|continuing|now (?:add|update|fix|run|build|let|check|implement|the|i)|need to|to (?:verify|confirm|be sure|check))\b|^(?:now|next),? \w+/i

const plan =
  /\b(?:i'll|i will|i'd|i would|i can|i could|i propose|i suggest|i recommend|i plan|we could|we can|we should|you could|you can|you should|should (?:we|i)|would be to|want me to|if you(?:'d| want| like| prefer)|waiting (?:on|for) your|(?:could|would|can) (?:also )?(?:be|use|add|move|try))\b/i

const speculation =
  /\b(?:might|maybe|may be|may have|likely|possibly|probably|perhaps|could be|could have|seems?|suggests?|appears?|i think|i suspect|i believe|i'd (?:say|guess|bet)|guess|hypothes[ie]s|theory|presumably|not sure|unclear|unsure|assum\w+|suspect\w*|suspicion|looks like|almost certainly|either)\b/i

const retracts =
  /\b(?:i(?:'m| am| was)(?: \w+)? (?:wrong|mistaken|not sure|unsure|incorrect)|i (?:misread|misdiagnosed|misunderstood|misinterpreted|jumped to|mis-?spoke)|scratch that|not what (?:we|i) thought|(?:isn't|wasn't|is not|was not) (?:actually )?(?:the|our) (?:\w+ )?(?:cause|problem|issue|culprit|bug)|my (?:\w+ )?(?:theory|diagnosis|explanation|assumption|analysis|hypothesis|guess|claim|conclusion) (?:was|is|turned out|didn't|doesn't)|that (?:theory|explanation|diagnosis|rules? out)|(?:that|this) (?:was|is)n't it\b|i (?:don't|do not) (?:actually )?know)\b/i

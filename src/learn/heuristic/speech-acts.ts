// Sentences that say outright what they are: a decision, a habit, a convention, a place, a cause. They are kept whatever else
// they look like, so each form must be one that people hardly use for anything else.
import type { MemoryKind } from '../../memory/memory.ts'

interface SpeechAct {
  kind: MemoryKind
  form: RegExp
}

/** The first that fits a sentence, in lower case and without its opening words. */
export function speechActOf(plain: string): MemoryKind | undefined {
  if (plain.length > longest || asksOrGuesses.test(plain)) return undefined
  return speechActs.find(({ form }) => form.test(plain))?.kind
}

const longest = 300
const asksOrGuesses =
  /\?\s*$|^(?:if|when|what|why|how|should|can|could|would|do|does|is|are)\b|\b(?:maybe|perhaps|might|i think|i guess|not sure|i wonder|for now)\b/

const speechActs: SpeechAct[] = [
  { kind: 'preference', form: /^(?:and |so |ok,? )?(?:from now on|going forward|in (?:the )?future|henceforth)\b/ },
  { kind: 'decision', form: /\bwe(?:'ve| have)? (?:decided|agreed|chose|settled)\b(?! (?:if|whether))/ },
  {
    kind: 'decision',
    form: /\bwe(?:'re| are| will| won't|'ll) (?:no longer|not going to|dropping|going with|only going to) /,
  },
  {
    kind: 'preference',
    form: /^i(?:'d)? (?:prefer|rather|always want|never want|don't (?:ever )?want you to|hate it when|like it when|want you to always)\b/,
  },
  { kind: 'preference', form: /^(?:please )?(?:make sure|be sure|remember)(?: that)? (?:you |to )?(?:always|never)\b/ },
  {
    kind: 'preference',
    form: /^(?:please )?stop (?:using|writing|adding|making|putting|doing|committing|creating|saying|asking)\b/,
  },
  {
    kind: 'decision',
    form: /\bwe (?:use|write|run|keep|store|deploy|support|target|ship|build) [\w./@+-]+(?: [\w./@+-]+){0,3},? (?:not|never|instead of|rather than) /,
  },
  {
    kind: 'decision',
    form: /\bin (?:this|our) (?:repo|repository|project|codebase|team|company|code base),? (?:we|all|every|everything|nothing|nobody|you)\b/,
  },
  {
    kind: 'correction',
    form: /^no,? (?:it's|that's|the|it|this|we|they|our|you)\b.{3,200}\b(?:not|never|instead of|rather than|isn't|aren't|doesn't)\b/,
  },
  { kind: 'operational', form: /^(?:to|in order to) \w+.{3,120},? (?:you|we) (?:need|have|must)\b/ },
  {
    kind: 'debugging',
    form: /\b(?:bug|error|issue|problem|failure|crash|culprit|root cause|reason) (?:was|is|turned out to be) (?:caused by|because|that we|due to)\b/,
  },
  {
    kind: 'fact',
    form: /\b(?:server|database|db|api|dashboard|docs?|documentation|registry|cluster|bucket|repo|board|channel|host|instance|environment) (?:is|are|runs?|lives?|can be found) (?:at|on|under|in) [`"']?(?:https?:|[\w-]+\.[\w./-]+|\/[\w./-]+|~\/|port \d)/,
  },
  {
    kind: 'decision',
    form: /^(?:all |our |the )?(?:commit messages?|commits|branches|branch names?|pull requests|prs|tests?|file names|variables|migrations|endpoints|releases|error messages?|log messages?|comments) (?:should|must|have to|need to|are to|always|never|shall)\b/,
  },
]

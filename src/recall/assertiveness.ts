// Scores how firmly a sentence states a rule, by English cues and by values. Rules bind, limit,
// define and exclude; chatter asks, reports, thanks and digresses.

export function firmness(sentence: string, query: string): number {
  const plain = normaliseQuotes(sentence)
  let sum = 0
  for (const [weight, cue] of cues) if (cue.test(plain)) sum += weight
  if (isRequest.test(plain)) sum -= 1.5
  return isAside(plain, query) ? sum - 2.5 : sum
}

/** Tells the agent what to do next; says nothing about what was settled. */
const isRequest =
  /^(?:(?:also|and|now|ok(?:ay)?|then|so|first|please|yes|great|cool|hm+)[,.!]? )*(?:(?:can|could|would) (?:you|we|u)\b|(?:please )?(?:check|look|review|commit|push|merge|continue|investigate|ask|fix|open|show|tell|explain|give me|go ahead|go on|proceed|implement|try|do it|do that|restart|clone|add (?:an?|that|this|another|some|tests?)|let's (?:see|check|look|think|try))\b)/i

/** The sentence prescribes or forbids something; it does not only report. */
export function prescribes(sentence: string): boolean {
  return binding.test(normaliseQuotes(sentence))
}

export function isQuestion(sentence: string): boolean {
  return /\?\W*$/.test(sentence)
}

/** A digression, or about shipping the work unless the query asks for that. */
export function isAside(text: string, query: string): boolean {
  return turnsAside.test(text) || (shipping.test(text) && !shipping.test(query))
}

function normaliseQuotes(sentence: string): string {
  return sentence.replace(/[‘’]/g, "'").replace(/`/g, '')
}

const binding =
  /\b(?:must(?:n't)?|has to|have to|required|forbidden|do not|don't|mandat\w+|invariant|policy|rule|decision|decided|agreement|deliberate(?:ly)?|on purpose|intentional(?:ly)?|by design|off the table|going forward|from now on|(?:should|may|can) never|(?:is|are|be) exactly|only (?:when|if))\b|^(?:never|always|keep)\b|[,;:–—-] (?:never|always|keep) /i

const turnsAside =
  /\b(?:unrelated|heads[- ]up|by the way|btw|side note|separate(?:ly)? (?:thing|note|question)|different topic|on another note|while (?:i'm|you're|we're) (?:in|here)|fair warning|speaking of|one (?:more|last) thing|last thing|(?:review )?nit\b|housekeeping)/i

const shipping =
  /\b(?:roll-?outs?|feature flag|no flag|flaky|re-?run|on ci\b|in ci\b|log lines?|log quota|debug level|info level|warn level|logging|stag(?:e|ed|ing) (?:it|first|region)|staged|canary region|code[- ]review|pull request|release notes)\b/i

const cues: [number, RegExp][] = [
  [
    1.2,
    /\b(?:must(?:n't)?|never|always|has to|have to|needs? to be|required|forbidden|off the table|under no circumstances|no matter|full stop|period)\b/i,
  ],
  [
    1,
    /\b(?:exactly|only|except|unless|regardless|whatever|at (?:least|most)|no more than|neither|nothing (?:else|more|beyond)|just those|not (?:even|just)|until)\b/i,
  ],
  [0.8, /\b(?:do not|don't|does not|doesn't|is not|isn't|are not|aren't|cannot|can't|no longer|not)\b/i],
  [0.6, /\b(?:instead(?: of)?|rather than|not the|as opposed to|in favou?r of)\b/i],
  [
    0.8,
    /\b(?:means?|counts? as|stays?|remains?|becomes?|wins?|applies|applied|defaults? to|is (?:the|an?|exactly)|are (?:the|exactly)|treat(?:ed)? as|form)\b|->|=>|→| = /i,
  ],
  [
    0.7,
    /\b(?:rule|policy|decision|decided|agreed|agreement|settled|standard(?:i[sz]ed)?|convention|contract|invariant|by design|deliberate(?:ly)?|on purpose|mandat\w+|spec(?:ification)?|going forward|from now on)\b/i,
  ],
  [
    0.8,
    /^(?:(?:and|but|so|yes|no|right|exactly|agreed|correct)[ ,.:;–—-]+)*(?:drop|keep|reject|strip|remove|ignore|raise|return|order|sort|use|round|preserve|treat|leave|merge|apply|normali[sz]e|write|quote|count|split|escape|skip|stop|put|add|cap|pin|hold)\b/i,
  ],
  [0.8, /^(?:no|nope|never|not|wrong|hold on|almost|close)\b(?! (?:problem|worries|idea|need))/i],
  [0.5, /\b(?:first|before|after|then|last|ascending|descending|inside|within|below|above|between|under|over)\b/i],
  [0.5, /\b(?:because|since|so that|otherwise|which is why|that's (?:why|how|what))\b/i],
  [0.6, /\b(?:EXACTLY|NOT|ONLY|NEVER|ALWAYS|MUST|EXCEPT|AFTER|BEFORE|ALL|EVERY|NO)\b/],
  [
    0.5,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|zero|single|both|all|every|any|each)\b/i,
  ],
  [0.4, /["'“‘][^"'”’]{1,40}["'”’]|\b\w+_\w+\b|\b[A-Z][a-z]+[A-Z]\w+\b/],
  [0.7, /\b(?:supersed\w*|amend\w*|overrul\w*|replac\w+|obsolete|deprecated)\b/i],
  [-2.5, /\?\W*$/],
  [
    -1.2,
    /\b(?:thanks?|thank you|great|awesome|nice|cool|sounds good|good (?:point|catch|question|to know)|makes sense|got it|noted|will do|ship it|signed? off)\b/i,
  ],
  [
    -1,
    /^(?:i think|i guess|maybe|perhaps|i wonder|i was|i'm|i've|we've been|we'll get|can you|could you|let me|i'll|i will|i'd)\b/i,
  ],
  [
    -0.8,
    /\b(?:filed|flagged|complain\w*|reported|ticket|noticed|saw|showed|looked|broke|started|yesterday|last (?:night|week|month))\b/i,
  ],
  [-0.8, /\b(?:might|could|probably|seems?|looks? like|i assume|not sure)\b/i],
]

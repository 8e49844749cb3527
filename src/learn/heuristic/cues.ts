// Cues: patterns that show the speech act of a sentence. Every cue is a fact about English that
// needs no example to explain it; the tables of other languages use the same names. Patterns
// see the plain form of a sentence, in which code, quotations, paths and addresses are capital
// words, so a cue inside a quotation never counts.

/** Standing rules: a wish that outlives the task. */
const rules: Record<string, RegExp> = {
  fromNowOn:
    /\b(?:from (?:now|here|this point) on|going forward|in (?:the )?future|for (?:all )?future|next time|henceforth|in general|generally|as a (?:general )?rule|(?:our|my) (?:rule|policy|convention|guideline|practice|standard|workflow)s?|by convention|as usual|usually|normally|typically)\b/,
  wishToRemember:
    /\b(?:add|put|save|document|write|note|capture|record|store|include|mention|update|remember|keep|make)\b.{0,60}\b(?:DOC|memory|memories|learnings?|instructions?|rules|guidelines?|caveats?)\b/,
  remember:
    /\b(?:remember (?:that|to|this)|(?:keep|bear) in mind|don't forget|for the record|fyi|for (?:future )?reference|note (?:this|that)|take note|as a reminder)\b|^(?:note|reminder|remember)\b ?[:,]?/,
  always: /\b(?:always|every ?time|whenever|each time|at all times|in all cases|without exception|no matter)\b/,
  never: /(?<!\b(?:why|it|has|have|i|i've|that) )\b(?:never|ever again|under no circumstances|not ever)\b/,
  standing:
    /(?:^|[,;:] |\b(?:please|should|must|we|i|you|and|to|but|so|then|are|is) )(?:always|never)\b(?! (?:mind|seen|saw|got|heard|gets?|has|been|happen))|\b(?:whenever|every time|each time|any time|when(?:ever)? you're (?:done|unsure|finished)) (?:you|we|i)?\b|\b(?:forbidden|prohibited|banned|no-go|not allowed|not supported|never ever)\b/,
  must: /\b(?:must|mustn't|has to|have to|needs to|required|mandatory|ought to|needs (?:an?|the|its)\b)|(?<!\b(?:we|i|you|no|don't|also|just|still) )\bneed to\b/,
  should: /\b(?:should|shouldn't|supposed to)\b/,
  onlyWhen:
    /\bonly (?:if|when|after|for|in|on|with|via|the|ever|use|by|be|allow|be)\b|\bunless\b|\bexcept\b|\bas long as\b|\buntil\b/,
  banFirst: /^(?:please )?(?:don't|do not|never|stop|avoid|quit|no more)\b/,
  stopDoing: /\b(?:stop|quit) (?:\w+ )?[a-z]+ing\b/,
  ban: /[,;:] (?:please )?(?:don't|do not|never|stop|avoid)\b|\b(?:but|and|so|also) (?:please )?(?:don't|do not|never|stop|avoid)\b/,
  noThing:
    /(?:^|, |; )no (?!need|idea|problem|worr|thank|longer|one|i\b|we\b|that|this|it\b|the\b|you|not?\b|just|please)[a-z]+s?\b/,
  prefer:
    /\bi(?:'d| would)?(?: actually| really| much| strongly| personally)? (?:prefer|rather|love|hate|dislike|can't stand)\b|\bmy preference\b|\bi(?:'m| am) not a fan\b|\bwe prefer\b|^prefer\b|\bi like (?!to|that|this|the idea|it)\b|\bi don't like\b/,
  wouldLike: /\b(?:i'd|i would|we'd|we would) (?:really )?(?:like|love)\b/,
  dontWant: /\b(?:don't|do not|never|didn't) (?:like|want|care)\b/,
  wantThat: /\b(?:i|we) want (?:you|us|it|them|all|every|any|our|my|full|real)\b/,
  anyOf:
    /\b(?:everything|everywhere|anything|anywhere|anyone|nobody|every [a-z]+|any [a-z]+|each [a-z]+|all (?:of )?(?:the |our |my )?[a-z]+s|no one|none of)\b/,
  allOf: /(?:^|, |\band )(?:all|every|any|each|both|everything|anything|anyone|nobody|nothing)\b/,
  plural:
    /^(?:the |our |my |these |those )?(?:[a-z-]+ ){0,3}[a-z-]{2,}[^s\W]s (?:(?:also|just|still|only) )?(?:are|aren't|must|should|shouldn't|need|have|can|can't|cannot|do|don't|never|always|will|won't)\b/,
  makeSure: /\b(?:make sure|ensure|be sure|be careful|watch out|take care)\b/,
  conduct:
    /\b(?:commit messages?|answers|replies|reply|respon(?:d|ses?)|explanations?|emojis?|spelling|(?:in|use) (?:english|german|french|spanish)|tone|verbose|concise|plan first|tests? first|before (?:touching|editing|changing|writing|implementing|committing|pushing)|apologi[sz]e|surgical|minimal (?:changes|edits|diffs?)|code quality|step by step|unrelated|abbreviations|review comments?|without asking|co-?authored)\b/,
  wholeRepo:
    /\bin (?:this|the|our) (?:repo(?:sitory)?|code ?base|project|docs|tests|team|company|org(?:anisation|anization)?)\b|\b(?:everywhere|across the (?:code|repo|project|app))\b|\bin (?:all|our|every) [a-z]+\b|\bin tests\b/,
  ask: /\bask (?:me|first|before|us)\b|\bconfirm (?:with|before)\b|\bwithout (?:asking|my|permission|being asked|telling)\b|\bunless (?:i|we|asked|told|explicitly)\b|\buntil (?:i|told|asked)\b|\b(?:when|if) (?:i (?:ask|say|tell|want)|asked|told|explicitly|specifically|requested)\b|\b(?:explicitly|specifically) (?:be )?(?:told|asked|say)\b/,
}

/** Corrections: the agent did or believed something wrong. */
const corrections: Record<string, RegExp> = {
  no: /^(?:no|nope|nah|wrong|incorrect|not (?:quite|really|exactly|true|correct))\b(?! (?:need|problem|worries|idea))/,
  turn: /^(?:actually|but|wait|well|hold on|however|hang on)\b/,
  isNot:
    /\b(?:is|are|was|were|that's|it's|this's) not\b|\b(?:isn't|aren't|wasn't|weren't)\b|\bthere(?:'s| is| are) no\b/,
  refuted:
    /\b(?:is|are|was|it's|that's) (?:not (?:the )?(?:correct|right|true|case|how|what|appropriate|expected|supported|a thing)|wrong|incorrect|false|misleading)\b|\bisn't (?:the )?(?:correct|right|true|case|how|what|appropriate|expected|supported|a thing)\b|\bhas nothing to do\b|\bmisunders|\byou(?:'re| are) (?:confus|assum|wrong|mistaken)|\bwe assumed\b/,
  notWork:
    /\b(?:doesn't|does not|don't|won't|will not|can't|cannot|didn't|did not) (?:work|make sense|matter|exist|apply|know|help|scale|support|happen)\b/,
  cannot: /\b(?:can't|cannot|can not|not able to|impossible|not allowed|not possible|won't be able)\b/,
  youDid:
    /\byou (?:did|didn't|are|aren't|were|keep|kept|forgot|missed|broke|should|shouldn't|always|never|still|again|have|haven't|removed|added|deleted|made)\b/,
  whyDo: /^why (?:did|do|does|are|aren't|is|isn't|don't|not|can't|would|didn't)\b/,
  iSaid: /\bi (?:said|told|meant|asked)\b/,
  iThought: /\bi (?:thought|assumed|expected)\b/,
  noLonger:
    /\b(?:no longer|any ?more|deprecat\w+|obsolete|fallen out|g[eo]t(?:ting)? rid of|phas\w+ out|replaced (?:by|with)|superseded|we used to|moved away)\b/,
  already: /\balready (?:have|has|had|exists?|set ?up|configured|handles?|does|do|installed|supports?|there|got|use)\b/,
}

/** Decisions: something is chosen, left out, accepted. */
const decisions: Record<string, RegExp> = {
  lets: /\blet's\b|\blet us\b/,
  letsNot:
    /\blet's (?:just )?(?:not|skip|defer|drop|leave|keep|stick|go with|stay|avoid|stop|hold|only|always|never|postpone|ignore|wait)\b/,
  weDecide:
    /\b(?:we|i)(?:'ve| have|'re| are)? (?:(?:all|also|already|only|just) )*(?:decided|chose|agreed|settled|concluded|going with|go with|sticking|stick with|moving (?:to|away)|moved (?:to|away)|switched|switching|found that|getting rid|keep|skip|ship|drop|dropped|only|stay|postpone|won't|will not)\b|\bwe(?:'ll| will)\b|\bgoing to (?:use|be|support|drop|keep)\b|\b(?:business|team|product|legal) decision\b|\b(?:stays|remains) \w+/,
  decided:
    /\b(?:we|i|they|the team)(?:'ve| have)? (?:already |all )?(?:decided|agreed|settled on|chose|opted|concluded)\b/,
  weWant: /\b(?:we|i)(?:'d| would)? (?:also |really |just )?(?:want|like|need)\b(?! to)/,
  weShould: /\bwe (?:also |really |just |probably )?(?:should|shouldn't|must|have to|can't|cannot)\b/,
  weDont:
    /\bwe (?:also |really |just |currently )?(?:don't|do not|never|won't|aren't|are not|can't|cannot|shouldn't)\b/,
  weDo: /\bwe(?:'re| are)? (?:already |also |just |only |always |currently |now |all )*(?:use|using|have|support|supporting|call|keep|allow|run|rely|assume|treat|follow|target|ship|store|do|know|write)\b/,
  notNeeded:
    /\b(?:don't|do not|doesn't|won't|not)(?: \w+)? need(?:ed)?\b|\bno need\b|\bdon't think (?:we|it|you|this|that)\b|\b(?:unnecessary|overkill|yagni|pointless|redundant)\b|\b(?:not|isn't) (?:really )?(?:necessary|worth|important)\b|\bdon't bother\b/,
  concern:
    /\bnot (?:an?|our|the|my)? ?(?:\w+ )?(?:concern|goal|priority|responsibility|job)\b|\bout of scope\b|\bnon-goal\b|\b(?:concern|responsibility|job) of\b|\boutside (?:of )?(?:our|the)\b|\bbelongs? (?:to|in)\b/,
  accepted:
    /\b(?:is|are|it's|that's|this is|be|would be) (?:totally |perfectly |completely )?(?:fine|ok|okay|acceptable|good enough|expected|intended|intentional|deliberate|by design)\b|\b(?:suffice|suffices|good enough|live with|by design|on purpose|intentional\w*)\b/,
  forNow:
    /\b(?:for now|for the time being|at this (?:point|stage)|eventually|v1|mvp|until then|in the first version)\b/,
  purpose:
    /\bthe (?:whole |main |general )?(?:idea|goal|point|purpose|intent|intention|pattern|plan|rule|reason|philosophy|requirement|convention|use case) (?:is|was|here|behind|of)\b|\b(?:intentional|intentionally|deliberate|deliberately|on purpose|by design|meant to|is meant|supposed to)\b/,
  principle:
    /\b(?:source of truth|canonical|authoritative|invariants?|contracts?|principles?|guarantee[sd]?|breaking changes?|backwards?[ -]compat\w*|(?:whole |main )?(?:point|goal|idea|purpose|intent|intention|philosophy) (?:is|of|here|was)|best practices?|boundary|terminology|risk|trade-?offs?|safety)\b/,
  consistent:
    /\b(?:consisten(?:t|cy|tly)|aligned|align|in line with|same (?:way|pattern|style|convention)|conventions?)\b/,
  insteadOf: /\b(?:instead|rather than|in favou?r of|as opposed to|over the)\b/,
  thisNotThat:
    /(?<!\b(?:is|are|was|were|do|does|did|should|could|would|will|can|has|have|it's|that's|if|or|why|i'm|am|may|might|must)),? not (?!sure|yet|only|too|really|quite)(?:\S+ ){0,4}\S+$|, never (?:\S+ ){0,3}\S+$/,
  goWith: /\b(?:let's|we'll|we should|i'd|we're going to) (?:just )?go with\b|\b(?:going|we go) with\b/,
  approach: /\b(?:the|our) (?:\w+ )?(?:approach|strategy|design|convention|pattern|way forward) (?:is|was|will be)\b/,
  switched:
    /\b(?:we|they|i|the team)(?:'ve| have|'re| are)? (?:just |now |already |recently |all |finally )*(?:switched|migrated|moved|standardi[sz]ed|switching|migrating|moving|converted) (?:\S+ ){0,4}?(?:to|on|onto|over|from)\b/,
  correctWay:
    /\b(?:correct|right|proper|recommended|official|only|preferred) (?:way|approach|place|method|pattern) (?:is|to|of|for|here)\b/,
  useInstead:
    /\b(?:use|using|prefer|choose|pick|write|run) (?:\S+ ){1,8}?(?:instead of|rather than|in place of|over|, not)\b/,
  wantAll: /\b(?:i|we) (?:want|need) (?:all|every|each|any|everything)\b/,
  iThink: /\bi (?:don't )?(?:think|believe|feel)\b|\bimo\b|\bin my opinion\b/,
  option: /\b(?:option|approach|alternative|variant) (?:\d|[a-d]\b|one|two)|\bgo (?:with|for)\b|\bgoing with\b/,
}

/** Facts: locations, meanings, what exists. */
const facts: Record<string, RegExp> = {
  have: /\b(?:we|i|they) (?:already |also |now |currently |do )*(?:have|'ve got|own|maintain|run|host) (?:an?|another|our|local|some|two|three|several|multiple|access|both)\b|\bthere(?:'s| is| are) (?:already |also )?(?:an?|another|our|some) /,
  located:
    /\b(?:lives?|lands?|stored|located|kept|sits|resides|found|documented|described|defined|saved|hosted|deployed|cloned|configured|installed|published|tracked|runs|running|reachable|available|is|are|goes?|go) (?:in|into|at|on|under|inside|within|locally|here|over|through|via)\b/,
  regular:
    /\b(?:(?:on|every) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|every (?:day|night|week|month|hour|morning)|once (?:a|per) (?:day|week|month|year)|daily|weekly|nightly|monthly|per (?:second|minute|hour|day|month|user|request))\b/,
  amount:
    /\b(?:\d+|two|three|half|most|million|hundred)(?: \w+)? (?:cores?|requests?|calls|rows?|users?|customers?|commits?|gb|mb|kinds?|types?|regions?|machines?|minute|hour|second)s?\b|\blimit(?:ed)? (?:to|of|is)\b|\bonly one\b|\brate limit/,
  refer:
    /\b(?:refer to|see|look (?:at|in|into)|check|read|consult|follow|according to|based on|reference) (?:\S+ ){0,4}(?:PATH|URL|DOC|docs?|documentation|wiki|repo|guide|readme|spec|handbook)\b/,
  readsFrom: /\b(?:reads?|reading|comes?|coming|pulls?|fetch(?:es)?|derived|generated|built|taken) from\b/,
  defines:
    / ={1,3}>? | means? | stands for | refers to |\b(?:is|are) (?:called|named)\b|\bwe call\b|\bshould call\b|\baka\b|\b(?:is|are) the (?:same|one|name|place|only)\b/,
  our: /\bour\b/,
  my: /\bmy\b/,
  iUse: /\bi (?:(?:also|only|always|never|usually|normally|mostly|just|no longer|don't|do not) )*(?:use|run|work|develop|deploy|maintain)\b|\bi(?:'m| am) (?:on|using|running)\b/,
  value:
    /\b(?:has|have|is|are|isn't|was|it's|that's|be) (?:really |quite |too |way too |very |so |a bit |not |no |just |often )*(?:no (?:real )?(?:value|use|point|benefit)|useless|useful|valuable|good|bad|confusing|problematic|important|stale|expensive|slow|cheap|cheaper|dangerous|risky|brittle|fragile|ugly|noisy|granular|better|worse|ideal|helpful|append[ -]only|read[ -]only|immutable|optional|mandatory)\b|\bno (?:real )?(?:value|use|point|benefit)\b|\btoo much (?:risk|noise|machinery|magic)\b/,
  weHave:
    /\b(?:we|they|you|it|users?|customers?) (?:already |also |only |still |don't |do not |doesn't )*(?:have|has)\b(?! (?:to|been))/,
  youHave:
    /\byou (?:also |already )?have (?:access|the|an?)\b|\byou can (?:always )?(?:use|run|call|find|invoke|see)\b/,
  context:
    /^(?:context|background|clarification|for context|to clarify|important|hint)\b|\bi (?:just )?(?:checked|confirmed|verified|looked it up)\b|\bforgot to (?:tell|mention|say)\b|\baccording to\b|\bin theory\b/,
  address: /\bURL\b/,
  place: /\bPATH\b|\bDOC\b/,
  agentDoc: /\b(?:DOC|instructions?|memory|memories|learnings?|guidelines?|skills?)\b/,
  exists:
    /^(?:(?:the|this|that|it|our|my|a|an|there) )?(?:[a-z-]+ |IDENT |CODE ){0,4}(?:is|are|has|uses|reads|runs|lives|supports|requires|needs|works|fires|contains|expects|returns|means)\b/,
}

/** Causes and workarounds. */
const causes: Record<string, RegExp> = {
  thatWasIt:
    /\bthat (?:was|is) it\b|\bthat's it\b(?! for)|\bthat (?:did it|fixed|solved|worked|helped)\b|\b(?:works?|working|renders?|passes|fine|good) now\b|\bnow (?:it|that|this|everything|all|\w+)(?:'s| is)? (?:works?|working|renders?|passes|fine)\b|\b(?:yes|yep|yeah|yup),? that(?:'s| was| is) (?:it|the|right|correct|exactly)\b/,
  solved:
    /\b(?:solved|fixed|fixes|resolved|gone|goes away|disappears|works|worked|only happens|happens only) (?:it )?(?:when|if|by|once|after|without|until)\b|\bmakes (?:it|the \w+) (?:go away|work|disappear)\b|\bstarted (?:after|when|seeing)\b|\bafter \w+ing (?:it|that|this)\b[^.]{0,60}\b(?:works?|resolves?|fine|passes)\b|\b(?:works|runs) (?:fine )?on\b/,
  itWas:
    /\bit was (?:actually|indeed|really|because|caused|just|the|my|a)\b|\b(?:was|were) (?:actually|caused by|due to)\b|\b(?:came|comes) from\b|\bturn(?:s|ed) out\b|\b(?:root cause|culprit)\b|\bthe (?:real |actual )?(?:issue|problem|cause|reason|bug) (?:is|was)\b|\bcaused by\b|^found it\b|^confirmed\b|\b(?:hangs?|fails?|crashes|breaks|happens) because\b/,
  workaround:
    /\bwork(?:ed|s|ing)? ?around\b|\bi had to\b|\bi (?:did|ran|use|set|start)\b[^.]{0,60}\b(?:now (?:it|everything)|and (?:it|that) (?:works|worked|is fine))\b|\bto (?:get|make) (?:it|this|that) (?:to )?work\b|\bset to\b|\bto be set\b|\b(?:have|need|has|needs) to\b[^.]{0,60}\b(?:first|or|otherwise)\b[^.]{0,60}\b(?:won't|doesn't|don't|fails?|breaks?)\b|\b(?:restarting|reinstalling|downgrading|upgrading|deleting|clearing|wiping)\b/,
  tried:
    /\b(?:tried|attempted|already tried|didn't work|did not work|doesn't help|didn't help|no luck|made (?:it|things) worse|gave up|abandoned|reverted|backfired)\b/,
  symptom:
    /\b(?:fail(?:s|ed|ing)|i get|getting an?|crash(?:es|ed|ing)?|broken|there(?:'s| is) an? (?:bug|error|issue|problem)|not working|still (?:not|doesn't|fails|the same|failing|broken)|stack trace|reported that|(?:is|are) (?:blank|empty|gone|missing)|having problems)\b/,
}

/** How to run, test, release, track. */
const operations: Record<string, RegExp> = {
  workflow:
    /\b(?:commits?|committing|push(?:es|ed|ing)?|prs?|pull requests?|branch(?:es)?|worktrees?|releas(?:e|es|ing)|changelogs?|ci|merg(?:e|es|ing)|rebase|deploy\w*|publish\w*|issues?|tickets?|linear|jira)\b/,
  testing: /\b(?:tests?|testing|e2e|unit tests?|integration tests?|lint\w*|type ?check\w*|coverage|tdd)\b/,
  beforeAfter:
    /\b(?:before|after|when|whenever|while|prior to) (?:you |we |i |a |an |the |any |each |every |doing |making )*(?:commit|push|merg|releas|deploy|refactor|chang|edit|run|test|writ|implement|creat|open|start|finish|submit|larg|review|add|fix|work|investigat|research)/,
  howTo:
    /\b(?:run|use|call|execute|start|invoke) (?:it |them |this )?(?:with|via|using|by|through|from)\b|\bto (?:run|build|test|deploy|release|publish|start|debug|verify|regenerate)\b|\bvia (?:the )?(?:cli|CODE|env|FLAG|script|make)\b|\benv(?:ironment)? vars?\b/,
  agent: /\b(?:claude|codex|gemini|copilot|cursor|agents?|subagents?|workers?|llms?|models?|tokens?)\b/,
  style:
    /\b(?:style|spelling|naming|names?|comments?|docs?|emojis?|tone|wording|format(?:ting)?|indent\w*|tabs|verbose|concise|short|simple|simpler|granular|readab\w+|understandab\w+|clean)\b/,
}

const reasons: Record<string, RegExp> = {
  because:
    /\b(?:because|cuz|bc|cause it|given (?:that|the|we|it)|that's why|the reason|due to|since (?:it|we|they|the|this|that|there|i|you|a|our|all|\w+ (?:is|are|can|will|has)))\b|\bas (?:the|it|we|they|this) \w+ (?:are|is|can|often|will|would)\b/,
  soThat:
    /\b(?:so that|so (?:we|it|i|you|they|users?|people|other|the) (?:can|can't|don't|won't|know|never|have|is|are|see)|otherwise|or else|in order to|that way|this way|which (?:means|allows|makes)|to (?:avoid|prevent|prove|stay|be (?:consistent|safe|clear|able)))\b/,
  but: /[a-z,] but\b/,
  whereas: /\b(?:whereas|even if|even though|although|however|except)\b/,
}

/** Evidence against a learning: questions, doubts, orders, references to the task at hand. */
const against: Record<string, RegExp> = {
  questionMark: /\?\W*$/,
  asks: /^(?:what|how|which|who|where|whose|why)\b|^when (?:do|does|did|is|are|will|would|should|can)\b|^(?:is|are|was|were|do|does|did|can|could|should|would|will|shall|has|have|isn't|aren't|don't|doesn't|shouldn't|couldn't|wouldn't|can't) (?:(?:not )?(?:it|this|that|these|those|there|the|you|we|i|they|he|she|any|a|an|our|my|all|both|one|some|another|IDENT|CODE|PATH)\b)|^any (?:chance|idea|reason|way|other|thoughts|suggestions?|clean)\b/,
  tagQuestion: /\b(?:right|correct|no|ok|okay|yes|or not)\b ?\??$/,
  canYou:
    /\b(?:can|could|would|will) (?:you|we|u|i)\b|\bis (?:it|there) (?:possible|a way|any)\b|\bany (?:chance|idea|way)\b/,
  please: /\bplease\b/,
  hedge:
    /\b(?:maybe|perhaps|probably|possibly|presumably|i guess|i wonder|wondering|might|not sure|unsure|thinking aloud|what if|i suppose|or something|somehow|i suspect|kind of|sort of|potentially|not certain|seems?|looks like|sounds like|a chance|don't understand|don't get (?:why|how|it)|confused|could be|would be (?:good|nice|great)|assume)\b/,
  trailsOff: /(?:\.\.\.|…)\W*$/,
  thisThing:
    /\b(?:this|that|these|those|the (?:new|above|below|last|previous|current|other|same)) (?:\w+ )?(?:file|line|function|method|test|tests|pr|branch|commit|one|change|changes|class|block|section|script|column|row|button|field|param|error|issue|comment|comments|plan|doc|message|command)\b/,
  here: /\b(?:here|above|below|now|currently|right now|again|today|line \d+|lines \d+)\b/,
  orders:
    /^(?:(?:please|now|then|also|and|next|first|just|so|go ahead and|let's|let me|you (?:can|should)|i (?:want|need|'d like|would like) (?:you )?to|can you|could you|can we|could we) )*(?:add|make|create|fix|update|write|run|remove|rename|move|change|implement|delete|show|print|put|set|use|call|try|do(?! not)|refactor|commit|push|merge|rebase|review|investigate|check|look|find|explain|test|build|install|convert|replace|split|extract|wrap|pass|return|sort|fill|generate|spawn|open|close(?!,)|log|read|give|tell|continue|start|take|keep|skip|undo|revert|restore|bump|publish|get|describe|list|compare|debug|catch|count|omit|drop|clean|simplify|rewrite|reword|adjust|improve|document|mention|reference|include|handle|render|display|turn|hide|enable|disable|copy|perform|apply|figure|plan|draft|amend|stage|respond|reply|answer|summari[sz]e|sleep|go|wait|see)\b/,
  weTask:
    /^(?:i think |maybe |so |then )*(?:we|you) (?:also |just |now |still |probably )*(?:should|need to|have to|can|could|must) (?:also |just |now |probably )*[a-z]+\b/,
  status:
    /^(?:i|i'm|i've|we've|tests?|it|this|still|the (?:tests?|build))\b.*\b(?:testing|seen|see|got|getting|observed|trying|removed|reviewing|have \d+|selected|failing|worried|confused|noticed)\b/,
  problem: /\b(?:issue|problem|bug|error|crash|fail\w*) (?:is|was|i|when|with|in|that|at|if|on)\b/,
  you: /\byou\b/,
  oneNew: /\b(?:add|create|write|need|want|make) (?:an?|another|some|the|new)\b/,
  names: /\b(?:CODE|IDENT|FLAG)\b/,
  thanks:
    /\b(?:thanks|thank you|great|nice|perfect|cool|awesome|lgtm|sorry|excellent|amazing|love it|good job|well done|(?:really|very|so|super) helpful)\b/,
  opensList: /:\W*$/,
}

export const cues: Record<string, RegExp> = {
  ...rules,
  ...corrections,
  ...decisions,
  ...facts,
  ...causes,
  ...operations,
  ...reasons,
  ...against,
}

/** Cues in the first words of the agent's reply: they show how it understood the message. */
export const answerCues: Record<string, RegExp> = {
  answerRight:
    /^\W*(?:ah[,!. ]+|ha[,!. ]+|yes[,!. ]+)?(?:you(?:'re| are| may be| might be) (?:absolutely |completely |totally |quite )?right|you're correct|that's (?:right|correct|true|fair|a (?:much |really )?(?:good|great|better|fair|valid))|(?:good|great|fair|excellent|valid) (?:point|catch|call|instinct|idea|addition|thinking|feedback)|exactly|correct\b|agreed|i agree|makes sense|that makes)/,
  answerSorry:
    /^.{0,60}(?:apologi[sz]e|sorry|my mistake|my bad|i misunderstood|thanks? (?:you )?for (?:the |your )?(?:correct|clarif))/,
  answerNoted:
    /^\W*(?:(?:ah|ok|okay)[,!. ]+)?(?:got it|understood|noted|that(?:'s| is)? (?:\w+ )?(?:clarif|the right|an? (?:important|useful|helpful|key|critical|cleaner))|that clarif|clear|good context|new constraint|perfect|important|i see\b|that explains|that(?:'s| is) (?:an?|the) (?:\w+ )?(?:signal|clue|detail|constraint|insight)|(?:good|great|nice) (?:find|to know)|thanks,? that)|^.{0,80}\b(?:constraint|noted|clarif\w+|treat (?:this|that) as)\b/,
  answerRule:
    /\b(?:never|always|must|should(?:n't| not| never| only)|only|no longer|don't need|not needed|instead of|rather than|source of truth)\b/,
  answerSure: /^\W*(?:certainly|sure|of course|absolutely|to (?:implement|add|fix|create|catch))\b/,
  answerToQuestion: /^\W*(?:good question|great question|yes\b|no\b|fair challenge|short answer|mostly|it depends)/,
  answerLooks:
    /^\W*(?:let me|i'll (?:check|look|inspect|investigate|explore|start|verify|review|read|use|spawn|track))/,
  answerDone: /^\W*(?:done|created|committed|fixed|updated|pushed|added|changed)\b/,
}

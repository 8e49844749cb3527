// Recognises text that speaks to whoever reads it. What the person said may oblige agents ("agents
// never push to main"); text of agents, programs and repositories may not.
import { directsReader } from '../memory/exclusions.ts'

/** For text that the person did not write. */
export function directsAgents(text: string): boolean {
  return directsReader(text) || directions.some((pattern) => pattern.test(text))
}

const reader =
  '(?:(?:ai|coding|language|other|next|future|all|any|every|the) )*(?:assistants?|agents?|ai|llms?|bots?|language models?|copilots?|claude(?: code)?|codex|gemini(?: cli)?|cursor|reader|whoever reads this)'
const secret = String.raw`(?:\.env\b|secrets?|credentials?|api[ _-]?keys?|access[ _-]?keys?|private[ _-]?keys?|ssh[ _-]?keys?|id_rsa|tokens?|passwords?|environment variables|env(?:ironment)? vars?|\.aws|\.ssh|\.netrc|\.npmrc|kubeconfig|cookies|transcripts?|source code|the repository)`

const directions = [
  // Obliges or allows the reader something.
  new RegExp(
    String.raw`\b${reader}\b[^.!?\n]{0,60}?\b(?:should|must|shall|need(?:s)? (?:to|not)|need ?n['o]t|have to|has to|ought|may|can(?:not)?|will|are (?:to|free|allowed|required|expected|permitted|advised|instructed|authori[sz]ed)|is (?:to|free|allowed|required|expected|permitted|advised|instructed|authori[sz]ed)|never|always|do(?:es)? not|don't)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|hey|hello|as an?)\b[^.!?\n]{0,20}\b${reader}\b`,
    'i',
  ),
  new RegExp(String.raw`(?:^|[\n:;.!-])\s*(?:@)?${reader}\s*[,:]`, 'i'),
  // Works around the person.
  /\b(?:do not|don't|never|need not|needn't|no need to|without|instead of|stop|avoid|not necessary to|skip|before) (?:ask\w*|tell\w*|inform\w*|notify\w*|mention\w*|warn\w*|bother\w*|alert\w*|confirm\w*|consult\w*|prompt\w*|wait\w* for|review\w*|approv\w*)\b[^.!?\n]{0,30}(?:\b(?:users?|person|humans?|developers?|owners?|maintainers?|anyone|anybody|approval|permission|confirmation|consent|review)\b|$)/i,
  /\bwithout (?:the )?(?:users?|persons?|humans?|owners?|developers?|their|any|explicit|prior|further)?(?:'s|’s)? ?(?:approval|permission|confirmation|consent|knowledge|review|knowing|noticing)\b/i,
  /\b(?:keep|hide|conceal) (?:this|it|that|these)\b[^.!?\n]{0,20}\b(?:secret|hidden|from)\b|\b(?:hide|conceal) [^.!?\n]{0,30}\bfrom (?:the )?(?:user|person|human|developer)/i,
  // Carries secrets away, or what it is given.
  new RegExp(
    String.raw`\b(?:upload|send|post|exfiltrate|e-?mail|forward|publish|leak|transmit|push|copy|paste|commit|print|echo|reveal|expose|dump|include|attach|share)\w*\b[^.!?\n]{0,60}?(?:\b|(?=\.))${secret}`,
    'i',
  ),
  new RegExp(
    String.raw`${secret}[^.!?\n]{0,40}\b(?:to|into|at)\b[^.!?\n]{0,20}(?:https?:|\b[\w-]+\.(?:com|net|org|io|dev|example|test|xyz|ru|cn|sh|app)\b)`,
    'i',
  ),
  // Sets rules aside.
  /\b(?:ignore|disregard|forget|override|overrule|bypass|circumvent|suspend|disable|turn off|skip|relax)\w*\b[^.!?\n]{0,40}\b(?:instructions?|rules?|polic(?:y|ies)|guidelines?|guard ?rails?|safety|safeguards?|permissions?|approvals?|confirmations?|restrictions?|reviews?|security|AGENTS\.md|CLAUDE\.md)\b/i,
  /\b(?:new|updated|system|developer|hidden|secret|following|these|important) (?:instructions?|prompt|directives?|orders?)\b|\b(?:system|developer) message\b|\byour (?:task|job|role|goal|instructions?|purpose|mission) (?:is|are|now)\b|\byou are (?:now )?(?:an?|the|in|no longer|free|allowed|authori[sz]ed|required)\b|\bpretend (?:to be|that)\b|\bact as\b|\brole-?play\b/i,
  /\bpolic(?:y|ies)\s*[:=-]|\bby (?:order|request|decision) of\b|\b(?:pre-?approved|already approved|approved in advance|has (?:approved|authori[sz]ed|permitted)|standing (?:order|permission))\b/i,
  // Runs what is somewhere else.
  /\b(?:curl|wget|fetch|download|visit|open|browse|install|load|run|execute|import|clone|add|pipe)\w*\b[^.!?\n]{0,80}?\b(?:https?|ftp|git|ssh):\/\/(?!localhost\b|127\.0\.0\.1\b|\[::1\])/i,
  /\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k|fi)?sh|perl|python[\d.]*|ruby|node|php)\b|<\(\s*(?:curl|wget)|\b(?:eval|source)\s+["']?(?:\$\(|`|<\()|\bbase64 (?:-d|--decode)\b/i,
]

const sign =
  /--(?:no-verify|dangerously[\w-]*|force(?![\w-])|force-with-lease|insecure|privileged|trusted-host|registry|(?:extra-)?index-url|no-check-certificate|skip-verify|unsafe-perm|allow-unauthenticated|no-gpg-check|disable-sandbox|yolo)\b|\brm\s+-\w*[rf]|\bgit (?:clean|reset --hard|push\s+(?:-f|--force))|\bdd\s+if=|\bmkfs|\bchmod\s+(?:-R\s+)?[0-7]{3,4}\b|\bchown\b|\bcurl\b[^\n]*\s-k\b|\bsudo\b|\bverify\s*=\s*False|rejectUnauthorized|TLS_REJECT_UNAUTHORIZED|InsecureSkipVerify|GIT_SSL_NO_VERIFY|\bstrict-ssl\b|\bdocker system prune|\bDROP (?:TABLE|DATABASE)|\bTRUNCATE\b/i

/** Names a way to get round a check, to destroy something, or to take packages from somewhere else. */
export function namesHarm(text: string): boolean {
  return (
    sign.test(text) ||
    /\b(?:https?|ftp|git|ssh|git\+\w+):\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])[:/\s]|(?:localhost|127\.0\.0\.1)$)/i.test(
      text,
    ) ||
    secretMark.test(text)
  )
}

const secretMark = /\[secret|REDACTED/

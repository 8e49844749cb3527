// Recognises text that speaks to whoever reads it. What the person said may oblige agents ("agents
// never push to main"); text of agents, programs and repositories may not.
import { directsReader } from '../memory/exclusions.ts'
import { removeControls } from '../text/control-characters.ts'

/** For text that the person did not write. */
export function directsAgents(text: string): boolean {
  const plain = removeControls(text).normalize('NFKC')
  return mixedScripts.test(plain) || directsReader(plain) || directions.some((pattern) => pattern.test(plain))
}

/** A word of Latin letters with some that only look like them. */
const mixedScripts =
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}{2}/u

const reader =
  '(?:(?:ai|coding|language|other|next|future|all|any|every|the) )*(?:assistants?|agents?|ai|llms?|bots?|language models?|copilots?|claude(?: code)?|codex|gemini(?: cli)?|cursor|reader of this|whoever reads this)'
const secret = String.raw`(?:\.env\b|secrets?|credentials?|api[ _-]?keys?|access[ _-]?keys?|private[ _-]?keys?|ssh[ _-]?keys?|id_rsa|tokens?|passwords?|environment variables|env(?:ironment)? vars?|\.aws|\.ssh|\.netrc|\.npmrc|kubeconfig|cookies|transcripts?|source code|the repository)`

const directions = [
  // Obliges or allows the reader something.
  new RegExp(
    String.raw`\b${reader}\b[^.!?;\n]{0,60}?\b(?:should|must|shall|need(?:s)? (?:to|not)|need ?n['o]t|have to|has to|ought|may|can(?:not)?|will|are (?:to|free|allowed|required|expected|permitted|advised|instructed|authori[sz]ed)|is (?:to|free|allowed|required|expected|permitted|advised|instructed|authori[sz]ed)|never|always|do(?:es)? not|don't)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|hey|hello|as an?)\b[^.!?\n]{0,20}\b${reader}\b`,
    'i',
  ),
  new RegExp(String.raw`(?:^|[\n:;.!-])\s*(?:@)?${reader}\s*[,:;]`, 'i'),
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
  // The same in other languages: whoever reads it is obliged or allowed, or a secret is carried away.
  /(?<![\p{L}])(?:(?:ki|coding)-?)?(?:agenten?|assistent(?:en)?|assistants?|agents?|agentes?|asistentes?|assistentes?|agenti|assistent[ei]|ki|ia|\u0430\u0433\u0435\u043d\u0442\S*|\u0430\u0441\u0441\u0438\u0441\u0442\u0435\u043d\u0442\S*|\u043f\u043e\u043c\u043e\u0449\u043d\u0438\u043a\S*)(?![\p{L}])[^.!?\n]{0,40}?(?<![\p{L}])(?:soll(?:en|te|ten)?|muss|m\u00fcssen|d(?:arf|\u00fcrfen)|brauch(?:t|en)|doit|doivent|peut|peuvent|deben?|puede[n]?|tienen? que|necesitan?|deve[m]?|pode[m]?|precisa[m]?|devono|possono|\u0434\u043e\u043b\u0436\S*|\u043c\u043e\u0433\u0443\u0442|\u043c\u043e\u0436\u0435\u0442)(?![\p{L}])/iu,
  /(?:\u4ee3\u7406|\u52a9\u624b|\u667a\u80fd\u4f53|AI|\u6a21\u578b|\u30a8\u30fc\u30b8\u30a7\u30f3\u30c8|\u30a2\u30b7\u30b9\u30bf\u30f3\u30c8|\uc5d0\uc774\uc804\ud2b8|\uc5b4\uc2dc\uc2a4\ud134\ud2b8)[^\u3002.!?\n]{0,30}(?:\u5fc5\u987b|\u5e94\u8be5|\u5e94\u5f53|\u53ef\u4ee5|\u65e0\u9700|\u4e0d\u9700\u8981|\u4e0d\u8981|\u3057\u306a\u3051\u308c\u3070|\u3057\u3066\u304f\u3060\u3055\u3044|\u3079\u304d|\u5fc5\u8981|\ud574\uc57c|\ud558\uc9c0 \ub9c8|\ud558\uc2ed\uc2dc\uc624)/,
  /(?<![\p{L}])(?:ohne|sans|sin|sem|senza|\u0431\u0435\u0437)(?![\p{L}])[^.!?\n]{0,20}(?<![\p{L}])(?:r\u00fcckfrage|nachfrage|zustimmung|freigabe|erlaubnis|fragen|demander|accord|permission|autorisation|preguntar|permiso|aprobaci\u00f3n|perguntar|permiss\u00e3o|aprova\u00e7\u00e3o|chiedere|permesso|approvazione|\u0441\u043f\u0440\u043e\u0441\S*|\u0440\u0430\u0437\u0440\u0435\u0448\u0435\u043d\S*|\u0441\u043e\u0433\u043b\u0430\u0441\S*)/iu,
  /(?:\u65e0\u9700|\u4e0d\u9700|\u4e0d\u7528|\u7121\u9700)[^\u3002\n]{0,10}(?:\u786e\u8ba4|\u540c\u610f|\u8bb8\u53ef|\u6279\u51c6|\u8be2\u95ee)|(?:\u78ba\u8a8d|\u8a31\u53ef|\u627f\u8a8d)(?:\u305b\u305a|\u306a\u3057|\u306f\u4e0d\u8981)|(?:\ud655\uc778|\ud5c8\ub77d|\uc2b9\uc778)\s?\uc5c6\uc774/,
  /(?<![\p{L}])(?:hochladen|l\u00e4d(?:t|st)?|lade[nt]?|senden?|schick(?:e|en|t)|envo(?:ie|yer|yez)|t\u00e9l\u00e9vers\S*|sub(?:e|ir|an)|enviar|carreg\S*|inviare?|caricare?|\u0437\u0430\u0433\u0440\u0443\u0437\S*|\u043e\u0442\u043f\u0440\u0430\u0432\S*|\u4e0a\u4f20|\u53d1\u9001|\u30a2\u30c3\u30d7\u30ed\u30fc\u30c9|\u9001\u4fe1)[^.!?\u3002\n]{0,50}(?:\.env|id_rsa|\.ssh|\.aws|passw|secret|geheimnis|schl\u00fcssel|zugangsdaten|cl\u00e9s?|mot de passe|claves?|contrase\u00f1a|chaves?|senhas?|chiav[ei]|\u043f\u0430\u0440\u043e\u043b\S*|\u043a\u043b\u044e\u0447\S*|\u5bc6\u94a5|\u5bc6\u7801|\u30d1\u30b9\u30ef\u30fc\u30c9|\u9375)|\.env[^.!?\u3002\n]{0,30}(?:\u4e0a\u4f20|\u53d1\u9001|\u9001\u4fe1|\u30a2\u30c3\u30d7\u30ed\u30fc\u30c9|hochladen|envoyer|enviar)/iu,
  // Runs what is somewhere else.
  /\b(?:curl|wget|fetch|download|visit|open|browse|install|load|run|execute|import|clone|add|pipe)\w*\b[^.!?\n]{0,80}?\b(?:https?|ftp|git|ssh):\/\/(?!localhost\b|127\.0\.0\.1\b|\[::1\])/i,
  /\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k|fi)?sh|perl|python[\d.]*|ruby|node|php)\b|<\(\s*(?:curl|wget)|\b(?:eval|source)\s+["']?(?:\$\(|`|<\()|\bbase64 (?:-d|--decode)\b/i,
]

/** Of a name, a command or a form: words without the signs between them, in which an order can be hidden. */
export function directsInWords(text: string): boolean {
  const words = wordsIn(removeControls(text).normalize('NFKC')).join(' ')
  return directsAgents(text) || directsAgents(words) || orders.some((pattern) => pattern.test(words))
}

const orders = [
  /\b(?:upload|send|leak|exfiltrate|post|mail|share|copy) (?:(?:the|all|your|any|every|my) )*(?:env|dotenv|secrets?|keys?|credentials?|passwords?|environment)\b/,
  /\b(?:skip|disable|bypass|waive|drop|avoid|omit) (?:(?:the|all|any|every|human|code|peer|safety|security) )*(?:reviews?|checks|safety|approvals?|verification|protection|sandbox|guards?)\b/,
  /\b(?:push|merge|deploy|release|publish|commit)\b.{0,20} without (?:\w+ )?(?:reviews?|asking|approval|permission|confirmation)\b/,
  /\b(?:push|merge|commit|deploy) (?:it )?(?:now|always|(?:straight |directly )?to (?:main|master|prod\w*))\b/,
  /\b(?:approve|accept|allow) (?:all|every|any) (?:commands?|tools?|requests?|actions?|calls?|permissions?)\b|\bapprove (?:everything|all)\b/,
]

/** `ignoreAllRules` and `ignore_all_rules` have three. */
export function wordsIn(text: string): string[] {
  return (
    text
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

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

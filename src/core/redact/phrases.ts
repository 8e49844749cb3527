// Secrets that are found by the words and signs around them: headers, addresses, commands, cookies,
// sentences, and phrases of wallets.
import { headerRules } from './headers.ts'
import type { PhraseRule, SecretRange } from './units.ts'
import { isPlaceholder, isSecret, looksGenerated } from './values.ts'

const userInfoEnd = /[\s"'`<>\\(){}|^]/

/** `scheme://user:password@host`; also a token in place of the user. */
function addressAt(text: string, _: number, end: number): SecretRange | undefined {
  let at = -1
  let colon = -1
  const limit = Math.min(text.length, end + 600)
  for (let index = end; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === 64) at = index
    else if (code === 58 && colon < 0) colon = index
    else if (code === 47 && (at >= 0 || colon < 0 || isPort(text, colon + 1, index))) break
    else if (code <= 32 || (code < 128 && userInfoEnd.test(text[index]!))) break
  }
  if (at <= end) return undefined
  if (colon < 0 || colon > at) {
    const user = text.slice(end, at)
    return user.length >= 16 && looksGenerated(user) ? { start: end, end: at, kind: 'url-password' } : undefined
  }
  const password = text.slice(colon + 1, at)
  if (password === '' || isPlaceholder(password) || /^[$%]\w*$/.test(password)) return undefined
  const isUserSecret = colon - end >= 16 && looksGenerated(text.slice(end, colon))
  return { start: isUserSecret ? end : colon + 1, end: at, kind: 'url-password' }
}

function isPort(text: string, start: number, end: number): boolean {
  return /^\d{1,5}$/.test(text.slice(start, end))
}

const userAndPassword = /=?[ \t]{0,4}\\{0,3}["']?([^\s:"'`\\]{1,200}):([^\s"'`\\]{3,300})/y

/** `curl -u user:password`, `--user user:password`. */
function userFlagAt(text: string, start: number, end: number): SecretRange | undefined {
  if (/[A-Za-z0-9-]/.test(text.charAt(start - 1))) return undefined
  userAndPassword.lastIndex = end
  const match = userAndPassword.exec(text)
  if (!match) return undefined
  const password = match[2]!
  if (isPlaceholder(password) || /^\$\w+$/.test(password)) return undefined
  const isCurl = /\b(?:curl|wget|https?|xh|rclone|aria2c|svn|ab|siege)\b[^\n]*(?:\n[^\n]*){0,6}$/.test(
    text.slice(Math.max(0, start - 400), start),
  )
  if (isCurl ? /^\d{1,5}$/.test(password) : !isSecret(password, 'password', 'bare')) return undefined
  return { start: userAndPassword.lastIndex - password.length, end: userAndPassword.lastIndex, kind: 'password' }
}

/** Commands with a short flag for a password. */
const commandFlags: [command: string, flag: RegExp][] = [
  ['mysql', /[ \t]-p(['"]?)([^\s'"-][^\s'"]{2,100})\1/],
  ['mysqldump', /[ \t]-p(['"]?)([^\s'"-][^\s'"]{2,100})\1/],
  ['mysqladmin', /[ \t]-p(['"]?)([^\s'"-][^\s'"]{2,100})\1/],
  ['mariadb', /[ \t]-p(['"]?)([^\s'"-][^\s'"]{2,100})\1/],
  ['sshpass', /[ \t]-p[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['sqlcmd', /[ \t]-P[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['net use', /[ \t]\/user:\S+[ \t](['"]?)([^\s'"]{3,100})\1/i],
  ['mongo', /[ \t]-p[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['mongodump', /[ \t]-p[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['mongosh', /[ \t]-p[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['docker login', /[ \t]-p[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['podman login', /[ \t]-p[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['redis-cli', /[ \t]-a[ \t](['"]?)([^\s'"]{3,200})\1/],
  ['ldapsearch', /[ \t]-w[ \t](['"]?)([^\s'"]{3,100})\1/],
  ['ldapmodify', /[ \t]-w[ \t](['"]?)([^\s'"]{3,100})\1/],
  ['smbclient', /[ \t]-U[ \t]?(['"]?)[^\s%'"]+%([^\s'"]{3,100})\1/],
  ['unzip', /[ \t]-P[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['7z a', /[ \t]-p(['"]?)([^\s'"]{3,100})\1/],
  ['7z x', /[ \t]-p(['"]?)([^\s'"]{3,100})\1/],
  ['htpasswd', /[ \t]-\w*b\w*[ \t](?:-\w+[ \t])*\S+[ \t]\S+[ \t](['"]?)([^\s'"]{3,100})\1/],
  ['openssl', /[ \t]-?(?:passin|passout|pass|k)[ \t](['"]?)(?:pass:)?([^\s'":]{3,100})\1/],
  ['ssh-keygen', /[ \t]-[NP][ \t](['"]?)([^\s'"]{3,100})\1/],
  ['az login', /[ \t]-p[ \t](['"]?)([^\s'"]{3,100})\1/],
  ['xfreerdp', /[ \t]\/p:(['"]?)([^\s'"]{3,100})\1/],
  ['ipmitool', /[ \t]-P[ \t]?(['"]?)([^\s'"]{3,100})\1/],
  ['net user', /[ \t][\w.-]+[ \t](['"]?)([^\s'"/*][^\s'"]{2,100})\1/],
  ['rabbitmqctl', /[ \t](?:add_user|change_password)[ \t]\S{1,100}[ \t](['"]?)([^\s'"]{3,100})\1/],
  ['ssm put-parameter', /[ \t]--value[ \t=](['"]?)([^\s'"]{3,4000})\1/],
  ['--from-literal', /^[ \t=](['"]?)[\w.-]{1,100}=([^\s'"]{3,4000})\1/],
  ['gh secret set', /[ \t](?:-b|--body)[ \t=](['"]?)([^\s'"]{3,200})\1/],
  ['vault login', /[ \t](?:-\S+[ \t])*(['"]?)([^\s'"=-][^\s'"=]{7,200})\1/],
]

function commandAt(flag: RegExp) {
  return (text: string, start: number, end: number): SecretRange | undefined => {
    const next = text.charAt(end)
    if (/[A-Za-z0-9]/.test(text.charAt(start - 1)) || (next !== ' ' && next !== '=')) return undefined
    const line = lineAfter(text, end)
    const match = flag.exec(line)
    const password = match?.[2]
    if (password === undefined || isPlaceholder(password) || password.startsWith('$')) return undefined
    if (/^\d{1,5}$/.test(password)) return undefined
    const from = end + match!.index + match![0].lastIndexOf(password)
    return { start: from, end: from + password.length, kind: 'password' }
  }
}

function lineAfter(text: string, at: number): string {
  const line = text.slice(at, at + 400)
  const close = line.indexOf('\n')
  return close < 0 ? line : line.slice(0, close)
}

/** Words for a password, without those that the scan finds by the names of variables. */
const passwordWords = [
  ...'contraseña contrasena senha palavra-passe wachtwoord hasło haslo пароль パスワード 비밀번호 lösenord'.split(' '),
  ...'adgangskode salasana heslo jelszó parola şifre κωδικός סיסמה'.split(' '),
  'mật khẩu',
]
/** Markers have three characters at least, so these are looked for with what follows. */
const shortPasswordWords = ['密码', '密碼', '口令', '암호'].flatMap((word) =>
  [...'是为為:：= 는은'].map((next) => word + next),
)

const statement =
  /(?:[ \t](?:de|del|do|da|para|voor|van|dla|do|для|от|pro|för|til|per)[ \t][^\n.:;!?=]{1,40}?)?(?:[ \t]{0,3}[:：=][ \t]{0,4}|[ \t]{1,3}(?:es|é|è|is|jest|to|on|je|är|er|este|это|—|–|-)[ \t]{1,3}:?[ \t]{0,3}|[ \t]{0,2}(?:は|が|是|为|為|는|은|:)[ \t]{0,3}:?)["'`“「«]?([!-~]{5,100})/iy

/** A sentence says the password: precision first, so a word of letters alone is not taken. */
function statementAt(text: string, start: number, end: number): SecretRange | undefined {
  statement.lastIndex = end
  const value = statement.exec(text)?.[1]?.replace(/["'`.,;:!?)]+$/, '')
  if (value === undefined || start < 0) return undefined
  const from = statement.lastIndex - statementTail(text, statement.lastIndex, value)
  if (!/\d/.test(value) && !/[^\w.'"-]/.test(value)) return undefined
  return isSecret(value, 'password', 'bare') || isSecret(value, 'password', 'tight')
    ? { start: from, end: from + value.length, kind: 'password' }
    : undefined
}

function statementTail(text: string, end: number, value: string): number {
  return end - text.lastIndexOf(value, end)
}

const notWalletWords = new Set(
  'the and for with from you your are was not has have been will must should which when where into then than them they their here each any but can may use used set get how what who why does did'.split(
    ' ',
  ),
)
const words =
  /[^a-z\n]{0,12}(?:\n{1,2}[^a-z]{0,8})?((?:[a-z]{3,8}(?:[ \t]{1,3}|,[ \t]?|\s{1,4}\d{1,2}[.):]?[ \t]{1,2}|\r?\n[ \t]{0,8})){11,23}[a-z]{3,8})(?![A-Za-z])/y

/** Twelve or more words behind `mnemonic`, `seed phrase` or `recovery phrase`. */
function walletAt(text: string, _: number, end: number): SecretRange | undefined {
  for (const gap of [0, ...gapsBefore(text, end)]) {
    words.lastIndex = end + gap
    const match = words.exec(text)?.[1]
    if (match === undefined) continue
    const list = match.split(/[^a-z]+/)
    if (list.length < 12 || list.some((word) => notWalletWords.has(word)) || new Set(list).size < 9) continue
    return { start: words.lastIndex - match.length, end: words.lastIndex, kind: 'mnemonic' }
  }
  return undefined
}

/** Positions behind `is`, `:`, `=` and quotes in what follows. */
function gapsBefore(text: string, end: number): number[] {
  return [...text.slice(end, end + 80).matchAll(/[:="'`]|\bis\b|\bare\b|\n/g)].map(
    ({ index, 0: sign }) => index + sign.length,
  )
}

const hashes =
  /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{50,60}|apr1\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{20,30}|[156y7]\$(?:rounds=\d+\$)?[./A-Za-z0-9$]{1,40}\$[./A-Za-z0-9]{20,100}|argon2(?:id|i|d)\$[\w=,$+/.-]{20,300}|scrypt\$[\w=,$+/.-]{20,300})/y

function passwordHashAt(text: string, start: number): SecretRange | undefined {
  hashes.lastIndex = start
  const match = hashes.exec(text)?.[0]
  return match === undefined ? undefined : { start, end: start + match.length, kind: 'password-hash' }
}

const ldapHashes = /\{S?SHA(?:\d{3})?\}[A-Za-z0-9+/]{20,200}={0,2}/iy

function ldapHashAt(text: string, start: number): SecretRange | undefined {
  ldapHashes.lastIndex = start
  const match = ldapHashes.exec(text)?.[0]
  return match === undefined ? undefined : { start, end: start + match.length, kind: 'password-hash' }
}

const piped =
  /\b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?["']?(?:[\w.-]{1,64}:)?([^\s"':]{4,200})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?[^|\n]{0,80}$/

/** `echo "root:x" | chpasswd`, `echo x | sudo -S`, `echo x | docker login --password-stdin`. */
function pipedAt(text: string, start: number): SecretRange | undefined {
  const before = text.slice(Math.max(0, start - 300), start)
  const match = piped.exec(before)
  const value = match?.[1]
  if (value === undefined || value.startsWith('$') || isPlaceholder(value)) return undefined
  const from = start - before.length + match!.index + match![0].indexOf(value)
  return { start: from, end: from + value.length, kind: 'password' }
}

const secondArgument =
  /[([{]?[ \t]{0,2}\\{0,3}["'][^"'\n]{1,80}["'][ \t]{0,2},[ \t]{0,2}\\{0,3}["']([^"'\s\\]{4,100})\\{0,3}["']/y

/** `login("admin", "x")`, `auth=("admin", "x")`. */
function secondArgumentAt(text: string, _: number, end: number): SecretRange | undefined {
  secondArgument.lastIndex = end
  const match = secondArgument.exec(text)
  const value = match?.[1]
  if (value === undefined || !/\d/.test(value) || !isSecret(value, 'password', 'quoted')) return undefined
  const from = end + match![0].lastIndexOf(value)
  return { start: from, end: from + value.length, kind: 'password' }
}

const signIn =
  /(?:[ \t]+(?:with|as|using|to|the|user|account|:)){0,3}[ \t:]+[\w.@-]{2,60}[ \t]*(?:[/:|]|with(?: the)? password)[ \t]*["'`]?([^\s"'`,;]{6,60})/iy
const quotedIdentified = /[ \t]+(?:\w+[ \t]+)?(?:by[ \t]+)?(?:password[ \t]+)?["']([^"'\n]{4,200})["']/iy
const backupCode =
  /s?(?:[ \t]{1,2}(?:is|are))?[ \t]{0,2}[:=]?[ \t]{0,3}((?:[A-Z0-9]{4,6}-){1,5}[A-Z0-9]{4,6}|\d{6,8})(?![\w.-])/iy

/** The group of a pattern that is tried behind the marker, if it mixes letters, digits and signs. */
function mixedAfter(pattern: RegExp, isMixed: (value: string) => boolean): PhraseRule['find'] {
  return (text, _, end) => {
    pattern.lastIndex = end
    const match = pattern.exec(text)
    const value = match?.[1]?.replace(/[.,;:!?)]+$/, '')
    if (value === undefined || value === '' || isPlaceholder(value) || !isMixed(value)) return undefined
    const from = end + match![0].lastIndexOf(value)
    return { start: from, end: from + value.length, kind: 'password' }
  }
}

/** `host:5432:database:user:password` of a .pgpass file. */
const pgpassRest = /[^:\s]{1,64}:[^:\s]{1,64}:([^\s"']{3,200})/y

const hasDigitsAndSigns = (value: string) =>
  /\d/.test(value) && /[A-Za-z]/.test(value) && /[^\w.:/@()[\]-]/.test(value) && isSecret(value, 'password', 'bare')

/** `user:password@tcp(host)` of Go's database drivers. */
function driverAddressAt(text: string, start: number): SecretRange | undefined {
  const match = /[\w.-]{1,64}:([^\s"'`@]{3,128})$/.exec(text.slice(Math.max(0, start - 200), start))
  if (!match || isPlaceholder(match[1]!)) return undefined
  return { start: start - match[1]!.length, end: start, kind: 'url-password' }
}

const sent = /[ \t]{1,4}(?:--[ \t])?["']([^"'\s\\$]{6,100})\\{1,2}[rn]["']/y

/** What a script of expect answers a prompt for a password. */
function answerAt(text: string, start: number, end: number): SecretRange | undefined {
  sent.lastIndex = end
  const value = sent.exec(text)?.[1]
  if (
    value === undefined ||
    !/(?:assword|assphrase|PIN)\b[^\n]{0,80}\n[^\n]{0,40}$/.test(text.slice(Math.max(0, start - 200), start + 1))
  )
    return undefined
  const from = text.indexOf(value, end)
  return isPlaceholder(value) ? undefined : { start: from, end: from + value.length, kind: 'password' }
}

const rule = (markers: string[], find: PhraseRule['find'], looksBack = false): PhraseRule[] =>
  markers.map((marker) => ({ marker, find, looksBack }))

export const phraseRules: PhraseRule[] = [
  ...headerRules,
  ...rule(['://'], addressAt),
  ...rule(['-u ', '-u"', "-u'", '--user ', '--user=', '--proxy-user ', '-a '], (text, start, end) =>
    userFlagAt(text, start, end - 1),
  ),
  ...commandFlags.flatMap(([command, flag]) => rule([command], commandAt(flag))),
  ...rule(
    ['o-securestring'],
    mixedAfter(/[ \t](?:-String[ \t])?["']([^"'$\n]{4,200})["']/iy, () => true),
  ),
  ...rule(['\nsend', 'exp_send'], answerAt),
  ...rule(passwordWords, statementAt),
  ...rule(shortPasswordWords, (text, start, end) => statementAt(text, start, end - 1)),
  ...rule(['mnemonic', 'seed', 'recovery', 'phrase', 'wallet'], walletAt),
  ...rule(
    ['$2a$', '$2b$', '$2y$', '$2x$', '$apr1$', '$1$', '$5$', '$6$', '$y$', '$7$', '$argon2', '$scrypt$'],
    passwordHashAt,
  ),
  ...rule(['{sha}', '{ssha}', '{sha256}', '{ssha256}', '{sha512}', '{ssha512}'], ldapHashAt),
  ...rule(['@tcp(', '@unix('], driverAddressAt, true),
  ...rule(['chpasswd', 'sudo -s', '-stdin', '--with-token'], pipedAt, true),
  ...rule(['login(', 'auth=(', 'auth: [', 'auth(', 'credentials(', 'auth: (', 'credential('], (text, start, end) =>
    secondArgumentAt(text, start, end - 1),
  ),
  ...rule(['login', 'log in', 'sign in', 'credentials'], mixedAfter(signIn, hasDigitsAndSigns)),
  ...rule(
    [':5432:', ':5433:', ':6432:'],
    mixedAfter(pgpassRest, () => true),
  ),
  ...rule(
    ['identified by', 'identified with'],
    mixedAfter(quotedIdentified, (value) => /[\d\W]/.test(value)),
  ),
  ...rule(
    ['backup code', 'recovery code', 'pin:', 'pin is', 'one-time code', 'passcode'],
    mixedAfter(backupCode, (value) => /\d/.test(value)),
  ),
]

// Files that hold secrets: what a tool read from or wrote to them is redacted line by line, whatever
// the values look like.
import type { Json } from '../session.ts'
import { nounOf } from './names.ts'
import { looksGenerated } from './values.ts'

/** `settings`: a name and a value on each line. `pgpass`: fields with colons. `key`: all of it. */
export type SecretFileKind = 'settings' | 'pgpass' | 'key'

const kinds: [kind: SecretFileKind, path: RegExp][] = [
  ['pgpass', /(?:^|[/\\])(?:\.pgpass|pgpass\.conf)$/i],
  [
    'key',
    /(?:^|[/\\])(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.vault-token|[^/\\]+\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx))$/i,
  ],
  [
    'settings',
    /(?:^|[/\\])(?:\.env(?:\.(?!example|sample|template|dist|defaults)[\w.-]+)?|(?!process\.|import\.|meta\.|deno\.|bun\.)[\w.-]+\.env|\.envrc|\.flaskenv|\.npmrc|\.pypirc|\.netrc|_netrc|\.my\.cnf|\.s3cfg|\.boto|\.git-credentials|\.dockercfg|\.htpasswd|\.yarnrc\.yml|shadow|kubeconfig|[\w.-]+\.kubeconfig|[\w.-]+\.tfvars|secrets?\.(?:ya?ml|json|toml|env|ini)|credentials(?:\.(?:ya?ml|json|toml|ini|csv|tfrc\.json))?)$/i,
  ],
  [
    'settings',
    /(?:^|[/\\])(?:\.kube[/\\]config|\.docker[/\\]config\.json|\.aws[/\\](?:credentials|config)|gh[/\\]hosts\.yml)$/i,
  ],
]

export function secretFileKind(path: string): SecretFileKind | undefined {
  if (path.length > 1000 || !mayNameFile.test(path)) return undefined
  return kinds.find(([, pattern]) => pattern.test(path))?.[0]
}

/** A part of every name above. Few paths and commands have one, and this is much faster to see. */
const mayNameFile =
  /\.(?:env|pem|key|p12|pfx|jks|keystore|ppk|kdbx|tfvars|flaskenv|npmrc|pypirc|git-|my\.|s3|boto|docker|ht|yarn|kube|vault|aws)|netrc|pgpass|id_[der]|shadow|kubeconfig|secrets?\.|credentials|hosts\./i

const pathNames = ['file_path', 'path', 'filePath', 'target_file', 'absolute_path', 'file', 'filename', 'uri']
const commandNames = ['command', 'cmd', 'script']
const readers = /^(?:cat|bat|batcat|head|tail|less|more|type|gc|Get-Content|nl|tac|strings|xxd|base64|source)$/i
/** Their arguments may be patterns such as `process.env` and `event.key`. */
const searchers = /^(?:grep|egrep|rg|sed|awk|cut)$/

/** The kind of file that a tool call with this input reads or writes. */
export function secretFileOf(input: Json | undefined): SecretFileKind | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  for (const name of pathNames) {
    const path = input[name]
    const kind = typeof path === 'string' ? secretFileKind(path) : undefined
    if (kind) return kind
  }
  for (const name of commandNames) {
    const command = input[name]
    const words = Array.isArray(command) ? command.join(' ') : command
    const kind = typeof words === 'string' ? fileOfCommand(words) : undefined
    if (kind) return kind
  }
  return undefined
}

const maxCommand = 4000

function fileOfCommand(command: string): SecretFileKind | undefined {
  if (!mayNameFile.test(command)) return undefined
  let isReading = false
  let isSearching = false
  for (const word of command.slice(0, maxCommand).split(/[\s;|&"'()<>=]+/)) {
    if (readers.test(word)) isReading = true
    if (searchers.test(word)) isSearching = true
    const isFile = isReading || (isSearching && /^[./~]/.test(word))
    const kind = isFile ? secretFileKind(word) : undefined
    if (kind && (kind !== 'key' || !isSearching)) return kind
  }
  return undefined
}

/** The content without its values; `count` says how many were removed. */
export function redactFile(text: string, kind: SecretFileKind): { text: string; count: number } {
  if (kind === 'key') return redactKey(text)
  let count = 0
  const replaced = text.replace(kind === 'pgpass' ? pgpassLine : settingLine, (line, before: string, value: string) => {
    if (kind === 'pgpass' ? value.startsWith('[secret') : isHarmless(before, value)) return line
    count++
    return `${before}${mark}${line.slice(before.length + value.length)}`
  })
  return { text: replaced, count }
}

const mark = '[secret: file]'

/** A line may begin with its number, as tools print it. */
const settingLine =
  /^((?:[ \t]{0,20}\d{1,6}[→|:\t-])?[ \t]{0,200}(?:-[ \t])?(?:export[ \t]+|set[ \t]+)?["']?[\w./:@-]{1,200}["']?[ \t]{0,20}(?:[:=]|[ \t]password|=>)[ \t]{0,20})([^\s[{][^\n]{0,5000}?)(?=,?[ \t]*\r?$)/gm
const pgpassLine = /^((?:[ \t]{0,20}\d{1,6}[→|:\t-])?[ \t]*(?:[^:\n]{1,200}:){4})([^\n]{1,1000})$/gm

const harmless =
  /^["']?(?:\d{1,5}|true|false|null|none|yes|no|on|off|[a-z][a-z-]{0,20}|\d+(?:\.\d+){1,3}|(?:https?:\/\/[\w.-]+|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?(?:\/[\w./-]*)?|\$\{?\w+\}?|[A-Za-z_]+\/[A-Za-z_]+|\[secret: [\w-]+\].*)?["']?$/

function isHarmless(before: string, value: string): boolean {
  if (value.startsWith('[secret') || /^["']?\[secret/.test(value)) return true
  const name = /([\w.-]+)["']?[ \t]*(?:[:=]|=>|[ \t]password)[ \t]*$/.exec(before)?.[1] ?? ''
  if (nounOf(name) !== undefined) return /^["']?(?:true|false|null|\$\{?\w+\}?)?["']?$/.test(value)
  return harmless.test(value) && !looksGenerated(value.replace(/^["']|["']$/g, ''))
}

/** An error message stays. */
function redactKey(text: string): { text: string; count: number } {
  return /[A-Za-z0-9+/=_-]{24}|[\u0000-\u0008]/.test(text) ? { text: '[secret: file]', count: 1 } : { text, count: 0 }
}

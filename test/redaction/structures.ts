// Secrets whose names stand elsewhere: in a header of a table, before a list, on the line above, in another
// field; and keys of which the first or last line was cut.
import { alphabets, chosen, fill, pick, type Random, type SecretKindSample } from './generate.ts'

/** The secrets of a template: {s}, {t} and {u}, all of this shape. */
type Shape = string | typeof chosen | typeof phrase

/** Words as a generator of passphrases puts them together. */
function phrase(random: Random): string {
  const list = 'tulip harbor winter orchid copper falcon meadow ribbon velvet timber anchor pebble'.split(' ')
  return Array.from({ length: 5 }, () => list.splice(Math.floor(random() * list.length), 1)[0]).join(' ')
}

/** A password with spaces in it. */
function spaced(random: Random): string {
  return `${chosen(random)} ${pick(random, alphabets.p!, 5)}${pick(random, '0123456789', 2)} ${pick(random, alphabets.z!, 4)}`
}

/** Four groups of letters, as Google shows the password of an app. */
const grouped = '{z4} {z4} {z4} {z4}'
/** Lengths of the numbers of a key of 2048 bits, and of smaller ones, in letters of base64. */
const [modulus, prime, number] = ['{w342}', '{w171}', '{w43}']

const encoded = (random: Random) => Buffer.from(chosen(random)).toString('base64')
const longEncoded = (random: Random) => Buffer.from(`${chosen(random)}-${chosen(random)}`).toString('base64')

const tables: [kind: string, shape: Shape, template: string][] = [
  ['csv', chosen, 'user,password\nalice,{s}\nbob,{t}\n'],
  ['csv of more columns', chosen, 'id,user,password,role\n1,alice,{s},admin\n2,bob,{t},user\n'],
  ['csv with quotes', chosen, '"name","url","username","password"\n"Mail","https://mail.internal","alice","{s}"\n'],
  ['csv of a browser', chosen, 'name,url,username,password,note\nmail,https://mail.internal/in?a=b,alice,{s},\n'],
  ['csv with semicolons', chosen, 'Benutzer;Passwort;Rolle\nalice;{s};admin\nbob;{t};user\n'],
  ['csv, password first', chosen, 'password,user\n{s},alice\n{t},bob\n'],
  ['csv of keys', '{h40}', 'service,api_key\nmaps,{s}\nmail,{t}\n'],
  ['tsv', chosen, 'user\tpassword\trole\nalice\t{s}\tadmin\nbob\t{t}\tuser\n'],
  ['markdown table', chosen, '| user | password |\n|------|:---------|\n| alice | {s} |\n| bob | `{t}` |\n'],
  ['markdown table of keys', '{a32}', '| Service | API key | Note |\n|---|---|---|\n| maps | {s} | old |\n'],
  [
    'table of psql',
    chosen,
    ' id | login | password\n----+-------+----------\n  1 | alice | {s}\n  2 | bob   | {t}\n(2 rows)',
  ],
  [
    'table of mysql',
    chosen,
    '+-------+----------+\n| user  | password |\n+-------+----------+\n| alice | {s} |\n+-------+',
  ],
  ['columns', '{a24}', 'NAME      PASSWORD                   AGE\nalice     {s}   3d\nbob       {t}   5d\n'],
  ['html table', chosen, '<tr><th>User</th><th>Password</th></tr>\n<tr><td>alice</td><td>{s}</td></tr>'],
]

const lists: [kind: string, shape: Shape, template: string][] = [
  ['json array', chosen, '{"passwords": ["{s}", "{t}", "{u}"]}'],
  ['pretty json array', chosen, '"passwords": [\n    "{s}",\n    "{t}",\n    "{u}"\n  ]'],
  ['python list', chosen, "PASSWORDS = ['{s}', '{t}', '{u}']"],
  ['python tuple', chosen, "default_passwords = ('{s}', '{t}')"],
  ['yaml list', chosen, 'users: 3\npasswords:\n  - {s}\n  - "{t}"\n  - {u}\nport: 1'],
  ['yaml list without indentation', '{a24}', 'tokens:\n- {s}\n- {t}\nport: 1'],
  ['yaml flow list', chosen, 'passwords: [{s}, {t}]'],
  ['array of keys', '{h40}', 'const apiKeys = [\n  "{s}",\n  "{t}",\n];'],
  ['typed array', '{a32}', 'const tokens: string[] = ["{s}", "{t}"]'],
  ['go slice', '{a32}', 'var secrets = []string{"{s}", "{t}"}'],
  ['shell array', chosen, 'PASSWORDS=("{s}" "{t}")'],
  ['words of ruby', '{a24}', 'tokens = %w[{s} {t}]'],
  ['toml array', chosen, 'passwords = [ "{s}", "{t}" ]'],
  ['commas in a variable', '{h32}', 'API_KEYS={s},{t},{u}'],
  ['bullets', '{a24}', 'Tokens:\n\n* {s}\n* {t}\n'],
  ['numbered list', chosen, 'Passwords:\n1. {s}\n2. {t}\n'],
  ['xml list', chosen, '<passwords><item>{s}</item><item>{t}</item></passwords>'],
]

const manifest = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\n'
const manifests: [kind: string, shape: Shape, template: string][] = [
  ['secret manifest', encoded, `${manifest}data:\n  url: {s}\n  user: {t}\n`],
  [
    'secret manifest as kubectl prints it',
    encoded,
    'apiVersion: v1\ndata:\n  db: {s}\n  x: {t}\nkind: Secret\nmetadata:\n  name: a\n',
  ],
  ['secret manifest with plain text', chosen, `${manifest}stringData:\n  db: {s}\n  config: "{t}"\n`],
  ['secret manifest with lines', longEncoded, `${manifest}data:\n  first: >-\n    {s}\n  second: |\n    {t}\n`],
  [
    'secret manifest in json',
    encoded,
    '{"apiVersion":"v1","data":{"db":"{s}","x":"{t}"},"kind":"Secret","metadata":{"name":"a"}}',
  ],
  [
    'secret manifest in pretty json',
    encoded,
    '{\n  "kind": "Secret",\n  "data": {\n    "db": "{s}",\n    "x": "{t}"\n  }\n}',
  ],
  [
    'list of secrets',
    encoded,
    `apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    db: {s}\n  kind: Secret\n- apiVersion: v1\n  data:\n    x: {t}\n  kind: Secret\nkind: List\n`,
  ],
  ['second document', encoded, `kind: ConfigMap\ndata:\n  a: b\n---\n${manifest}data:\n  db: {s}\n`],
  ['patch of a secret', encoded, `kubectl patch secret shop -p '{"data":{"db":"{s}"}}'`],
  ['literal of a secret', chosen, 'kubectl create secret generic shop --from-literal=db={s} -n prod'],
]

const headers: [kind: string, shape: Shape, template: string][] = [
  [
    'digest',
    '{h32}',
    'Authorization: Digest username="alice", realm="x", nonce="dcd98b", uri="/", qop=auth, nc=01, response="{s}"',
  ],
  ['digest without quotes', '{h64}', 'Proxy-Authorization: Digest username=alice, algorithm=SHA-256, response={s}'],
  ['saml header', '{b240}', 'Authorization: SAML {s}=='],
  ['saml assertion header', '{b240}', 'X-SAML-Assertion: {s}'],
  ['saml response', '{b300}', 'SAMLResponse=PHNhbWxwOlJlc3BvbnNl{s}&RelayState=x'],
  ['saml field', '{b300}', '<input type="hidden" name="SAMLResponse" value="PHNhbWxwOlJlc3BvbnNl{s}"/>'],
  ['hawk', '{b43}=', 'Authorization: Hawk id="dh37", ts="1353832234", nonce="j4h3g2", mac="{s}"'],
  ['aws signature', '{h64}', 'Authorization: AWS4-HMAC-SHA256 SignedHeaders=host;x-amz-date, Signature={s}'],
  ['oauth 1', '{a40}', 'Authorization: OAuth oauth_consumer_key="shop", oauth_token="{s}", oauth_version="1.0"'],
  ['ntlm', '{b120}', 'Authorization: NTLM TlRMTVNTUAAD{s}'],
  ['negotiate', '{b200}', 'Authorization: Negotiate YII{s}'],
  ['password digest', '{b27}=', 'X-WSSE: UsernameToken Username="bob", PasswordDigest="{s}", Nonce="d36e"'],
  ['token in quotes', '{a32}', 'Authorization: Token token="{s}"'],
  ['proxy', '{b28}', 'Proxy-Authorization: Basic {s}'],
  ['token header', '{a36}', 'X-Auth-Token: {s}'],
  ['security token', '{b200}', 'X-Amz-Security-Token: {s}'],
  ['key without a scheme', '{h40}', 'Authorization: {s}'],
  ['subscription', '{h32}', 'Ocp-Apim-Subscription-Key: {s}'],
]

const below: [kind: string, shape: Shape, template: string][] = [
  ['yaml, next line', chosen, 'db:\n  password:\n    {s}\n  host: x\n'],
  ['yaml, next line in quotes', chosen, 'password:\n  "{s}"\nhost: x'],
  ['yaml literal', chosen, 'password: |\n  {s}\nhost: x'],
  ['yaml folded', '{a40}', 'api_token: >-\n  {s}\nhost: x'],
  ['json, next line', chosen, '{\n  "password":\n    "{s}",\n  "host": "x"\n}'],
  ['code, next line', chosen, "const password =\n  '{s}'\nrun()"],
  ['sentence, next line', chosen, 'Password:\n{s}\n\nPlease change it.'],
  ['sentence, empty line', '{a40}', 'Your new API key:\n\n{s}\n\nKeep it.'],
  ['code block', '{a40}', 'The token:\n\n```\n{s}\n```\n'],
  ['heading', chosen, '## Password\n\n`{s}`\n'],
  ['prompt of a program', chosen, 'Enter password:\n{s}\nLogged in'],
]

const spaces: [kind: string, shape: Shape, template: string][] = [
  ['passphrase in quotes', phrase, 'passphrase = "{s}"'],
  ['passphrase in a variable', phrase, "export BACKUP_PASSPHRASE='{s}'"],
  ['passphrase in json', phrase, '{"user": "alice", "password": "{s}"}'],
  ['passphrase in yaml', phrase, 'vault:\n  passphrase: {s}\n  port: 1'],
  ['spaces in quotes', spaced, 'password = "{s}"'],
  ['spaces in a variable', spaced, "DB_PASSWORD='{s}'"],
  ['spaces in json', spaced, '{"user":"alice","password":"{s}"}'],
  ['spaces in an attribute', spaced, '<add name="db" password="{s}" />'],
  ['spaces behind a flag', spaced, 'deploy --password "{s}" --force'],
  ['spaces in code', spaced, "connect({ password: '{s}' })"],
  ['app password in quotes', grouped, 'SMTP_PASSWORD="{s}"'],
  ['app password', grouped, 'Your app password: {s}'],
]

const webKeys: [kind: string, shape: Shape, template: string][] = [
  ['jwk', modulus, `{"kty":"RSA","n":"wAxz","e":"AQAB","d":"{s}","p":"{t}","q":"{u}"}`],
  ['jwk, small numbers', prime, `{"p":"{s}","kty":"RSA","e":"AQAB","qi":"{t}","dp":"{u}","alg":"RS256","n":"wAxz"}`],
  ['pretty jwk', prime, `{\n  "kty": "RSA",\n  "e": "AQAB",\n  "dp": "{s}",\n  "dq": "{t}",\n  "qi": "{u}"\n}`],
  ['jwk of a curve', number, `{"crv":"P-256","d":"{s}","kty":"EC","x":"f83O","y":"x_FE"}`],
  ['jwk of Ed25519', number, `{ "kty": "OKP", "crv": "Ed25519", "x": "11qY", "d": "{s}" }`],
  ['jwk of a secret', '{w22}', '{"kty":"oct","alg":"A128KW","k":"{s}"}'],
  ['set of jwk', number, '{"keys":[{"kty":"EC","x":"f8","d":"{s}"},{"kty":"oct","kid":"1","k":"{t}"}]}'],
  ['jwk in code', number, "const key = { kty: 'EC', crv: 'P-256', d: '{s}', x: 'f83O' }"],
  ['jwk in python', number, "key = {'kty': 'oct', 'k': '{s}'}"],
  ['jwk in yaml', number, 'key:\n  kty: OKP\n  crv: Ed25519\n  d: {s}\n  x: 11qY\n'],
  ['jwk that was cut', prime, '"AQAB","dp":"{s}","dq":"{t}","qi":"{u}","n":"wAxz'],
  ['key in xml', '{b172}', '<RSAKeyValue><Modulus>wAxz</Modulus><P>{s}</P><Q>{t}</Q><D>{u}</D></RSAKeyValue>'],
]

const commands: [kind: string, shape: Shape, template: string][] = [
  ['ssh-keygen', chosen, "ssh-keygen -t ed25519 -N '{s}' -f key"],
  ['httpie', chosen, 'http -a alice:{s} GET https://api.internal'],
  ['az login', chosen, 'az login -u me@x.org -p {s}'],
  ['xfreerdp', chosen, 'xfreerdp /u:me /p:{s} /v:host'],
  ['powershell string', chosen, 'ConvertTo-SecureString "{s}" -AsPlainText -Force'],
  ['network credential', chosen, 'new NetworkCredential("me", "{s}")'],
  ['helm', chosen, 'helm install db x/postgresql --set auth.postgresPassword={s}'],
  ['terraform flag', chosen, 'terraform apply -var "db_password={s}"'],
  ['net user', chosen, 'net user alice {s} /add'],
  ['gpg', chosen, 'gpg --batch --passphrase {s} -d x.gpg'],
  ['ipmitool', chosen, 'ipmitool -H 10.0.0.1 -U root -P {s} power status'],
  ['wget', chosen, 'wget --http-user=me --http-password={s} https://x.internal'],
  ['curl form', chosen, "curl -d 'user=me&password={s}' https://x.internal/login"],
  ['vault put', chosen, 'vault kv put secret/db password={s}'],
  ['ssm', chosen, 'aws ssm put-parameter --name /shop/db-password --value {s} --type SecureString'],
  ['secrets manager', chosen, 'aws secretsmanager create-secret --name db --secret-string {s}'],
  ['heroku', '{a32}', 'heroku config:set API_TOKEN={s} -a shop'],
  ['rabbitmq', chosen, 'rabbitmqctl add_user shop {s}'],
  ['keytool', chosen, 'keytool -genkeypair -alias x -storepass {s}'],
  ['expect', chosen, 'expect "assword:"\nsend "{s}\\r"'],
]

const lines = (random: Random, count: number, width = 64) =>
  Array.from({ length: count }, () => pick(random, alphabets.b!, width))

/** Lines of a key; the secrets are those in the middle. */
const keys: [kind: string, write: (body: string) => string, width?: number][] = [
  ['without first line', (body) => `${body}\n-----END RSA PRIVATE KEY-----`],
  ['without last line', (body) => `-----BEGIN PRIVATE KEY-----\n${body}\n`],
  ['without first and last line', (body) => body],
  ['without both lines, in a log', (body) => `$ sed 1d key | head -n 20\n${body}\n$ ls\na.txt`],
  ['of OpenSSH without first line', (body) => `${body}\n-----END OPENSSH PRIVATE KEY-----`, 70],
  ['of OpenSSH without both lines', (body) => body, 70],
  ['of PGP without first line', (body) => `${body}\n=a1B2\n-----END PGP PRIVATE KEY BLOCK-----`],
  [
    'of PuTTY without first lines',
    (body) => `Private-Lines: 8\n${body}\nPrivate-MAC: 0123456789abcdef0123456789abcdef`,
  ],
  [
    'of SSH2',
    (body) => `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${body}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
  ],
  ['in an indented block', (body) => `  key: |\n${body.replace(/^/gm, '    ')}\n    -----END PRIVATE KEY-----`],
  ['in a diff', (body) => `+${body.replaceAll('\n', '\n+')}\n+-----END PRIVATE KEY-----`],
]

/** A key as DER: a sequence of numbers. Only its structure tells what it is. */
function der(random: Random): string {
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => 1 + Math.floor(random() * 127)))
  const long = (count: number) => Buffer.concat([Buffer.from([2, 0x81, count]), bytes(count)])
  const body = Buffer.concat([Buffer.from([2, 1, 0]), ...[129, 128, 65, 65].map((count) => long(Math.max(128, count)))])
  return Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 255]), body]).toString('base64')
}

export const structureKinds: SecretKindSample[] = [
  ...[...tables, ...lists, ...manifests, ...headers, ...below, ...spaces, ...webKeys, ...commands].map(
    ([kind, shape, template]): SecretKindSample => ({
      group: 'structure',
      kind,
      make(random) {
        const make = () => (typeof shape === 'string' ? fill(shape, random) : shape(random))
        const secret = make()
        const others: string[] = []
        const text = template.replace(/\{[stu]\}/g, (place) => {
          if (place === '{s}') return secret
          others.push(make())
          return others.at(-1)!
        })
        return { secret, others, text }
      },
    }),
  ),
  ...keys.map(
    ([kind, write, width]): SecretKindSample => ({
      group: 'structure',
      kind: `key ${kind}`,
      make(random) {
        const body = [...lines(random, 8, width), pick(random, alphabets.b!, 22)]
        return { secret: body[2]!, others: [body[4]!, body[6]!], text: write(`${body.join('\n')}==`) }
      },
    }),
  ),
  {
    group: 'structure',
    kind: 'key in one line',
    make(random) {
      const secret = der(random)
      return { secret, text: `openssl pkey: ${secret}\n` }
    },
  },
]

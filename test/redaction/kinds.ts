// Kinds of secrets, each generated from a seed. Built from parts, so that secret scanners do not
// report this file.

import { alphabets, chosen, fill, pick, type Random, type SecretKindSample } from './generate.ts'
import { structureKinds } from './structures.ts'

/** Kind, shape. The prefix is split from the rest by `|` only here, to keep it out of scanners. */
const tokenShapes = `
aws-id AK|IA{u16}
aws-temporary-id AS|IA{u16}
aws-bedrock AB|SK{b112}
aws-session IQoJ|b3JpZ2luX2Vj{b300}
google-api AI|za{w35}
google-access ya|29.{w120}
google-client-secret GOC|SPX-{w28}
google-refresh 1/|/0{w60}
firebase AA|AA{w7}:APA91b{w134}
azure-client-secret {a3}8|Q~{a34}
azure-storage {b76}|+ASt{a6}==
azure-cosmos {b72}|ACDb{a8}==
alibaba LT|AI{a20}
github-personal gh|p_{a36}
github-oauth gh|o_{a36}
github-user gh|u_{a36}
github-server gh|s_{a36}
github-refresh gh|r_{a36}
github-fine git|hub_pat_{a22}_{a59}
gitlab-personal gl|pat-{w20}
gitlab-deploy gl|dt-{w20}
gitlab-runner gl|rt-{w20}
gitlab-feed gl|ft-{w20}
gitlab-scim gl|soat-{w20}
gitlab-job gl|cbt-{a2}_{w20}
gitlab-trigger gl|ptt-{h40}
gitlab-agent gl|agent-{w50}
gitlab-oauth gl|oas-{h64}
gitlab-registration GR|1348941{w20}
bitbucket AT|BB{a32}
atlassian AT|ATT3{w180}={u8}
npm np|m_{a36}
pypi py|pi-AgEIcHlwaS5vcmc{w90}
rubygems ruby|gems_{h48}
crates c|io{a32}
nuget o|y2{l43}
docker-personal dc|kr_pat_{w27}
docker-org dc|kr_oat_{w32}
artifactory AK|Cp{a69}
circleci CC|IPAT_{a22}_{h40}
buildkite bk|ua_{l40}
sonar sq|u_{h40}
sourcegraph sg|p_{h40}
terraform {a14}.atlas|v1.{a67}
pulumi pu|l-{h40}
vault-service hv|s.{w95}
vault-batch hv|b.{w140}
doppler dp|.pt.{a43}
onepassword-account ops|_eyJ{b250}
onepassword-secret A3|-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}
age AGE-SEC|RET-KEY-1{u58}
tailscale ts|key-auth-{a17}-{a32}
digitalocean do|p_v1_{h64}
heroku HR|KU-AA{w58}
fly f|m2_{b120}
netlify nf|p_{a36}
vercel vc|p_{a24}
neon na|pi_{l64}
planetscale psc|ale_tkn_{w43}
supabase sb|p_{h40}
supabase-secret sb|_secret_{a30}
cloudflare-origin v1|.0-{h24}-{h146}
databricks da|pi{h32}
dynatrace dt|0c01.{u24}.{u64}
anthropic sk-|ant-api03-{w93}AA
anthropic-admin sk-|ant-admin01-{w93}AA
openai-project sk-|proj-{w74}T3BlbkFJ{w74}
openai-old sk|-{a20}T3BlbkFJ{a20}
openai-plain sk|-{a48}
openrouter sk-|or-v1-{h64}
deepseek sk|-{h32}
groq gs|k_{a52}
xai xa|i-{a80}
perplexity pp|lx-{a48}
huggingface h|f_{a34}
replicate r8|_{a37}
nvidia nv|api-{w64}
pinecone pc|sk_{a5}_{a63}
langsmith ls|v2_pt_{h32}_{h10}
elevenlabs s|k_{h48}
fireworks f|w_{a24}
tavily tv|ly-dev-{a32}
jina ji|na_{a60}
slack-bot xo|xb-{d12}-{d13}-{a24}
slack-user xo|xp-{d12}-{d12}-{d12}-{h32}
slack-client xo|xc-{d12}-{d12}-{d12}-{h64}
slack-cookie xo|xd-{a80}
slack-app xa|pp-1-{u11}-{d13}-{h64}
telegram {d10}:A|A{w33}
discord-bot M{a23}.{w6}|.{w38}
sendgrid S|G.{w22}.{w43}
mailgun ke|y-{h32}
mailchimp {h32}-|us{d2}
brevo xkey|sib-{h64}-{a16}
resend r|e_{a8}_{a24}
twilio-key S|K{h32}
twilio-account A|C{h32}
facebook EA|AC{a120}
twitter-bearer AAAAAAAAAAA|AAAAAAAAAAA{a80}
linkedin WPL|_AP1.{a16}
dropbox s|l.{w136}
stripe-secret s|k_live_{a24}
stripe-restricted r|k_live_{a24}
stripe-webhook wh|sec_{a32}
square-access EA|AA{w60}
square-secret sq|0csp-{w43}
shopify sh|pat_{h32}
paypal-braintree access_tok|en$production\${l16}\${h32}
razorpay rz|p_live_{a14}
plaid acc|ess-production-{uuid}
easypost EZ|AK{a54}
shippo ship|po_live_{h40}
newrelic-user NR|AK-{u27}
newrelic-license {h32}FF|FFNRAL
sentry-user sn|tryu_{h64}
sentry-org sn|trys_eyJ{b150}
grafana-service gl|sa_{a32}_{h8}
grafana-cloud gl|c_eyJ{b100}
honeycomb hc|aik_{l58}
posthog ph|x_{a43}
linear li|n_api_{a40}
clickup pk|_{d8}_{u32}
notion nt|n_{d11}{a35}
notion-old sec|ret_{a43}
figma fi|gd_{w40}
airtable pa|t{a14}.{h64}
asana 1/|{d16}:{h32}
contentful CF|PAT-{w43}
typeform tf|p_{w59}
hubspot pa|t-na1-{uuid}
postman PM|AK-{h24}-{h34}
launchdarkly sd|k-{uuid}
salesforce 00D{a12}!A|Q{a95}
mapbox sk.|eyJ1{a60}.{a22}
jwt ey|JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx{a40}.{w43}
recollect r|k_{l12}_{w43}
unknown-vendor to|ken_{a40}
`

/** Name, shape. */
const namedShapes = `
DB_PASSWORD {p16}
MYSQL_ROOT_PASSWORD {a14}
PGPASSWORD {a16}
SMTP_PASS {a16}
AWS_SECRET_ACCESS_KEY {b40}
AWS_SESSION_TOKEN {b200}
AZURE_STORAGE_ACCOUNT_KEY {b86}==
AZURE_CLIENT_SECRET {a34}
API_KEY {h32}
ALGOLIA_API_KEY {h32}
DATADOG_API_KEY {h32}
DD_APP_KEY {h40}
CLOUDFLARE_API_TOKEN {w40}
CLOUDFLARE_GLOBAL_API_KEY {h37}
FASTLY_API_TOKEN {w32}
HEROKU_API_KEY {uuid}
SNYK_TOKEN {uuid}
NETLIFY_AUTH_TOKEN {w43}
TWILIO_AUTH_TOKEN {h32}
TWITTER_API_SECRET {a50}
LINKEDIN_CLIENT_SECRET {a16}
DISCORD_CLIENT_SECRET {w32}
FACEBOOK_APP_SECRET {h32}
ASANA_CLIENT_SECRET {h32}
OKTA_API_TOKEN 00{w40}
GITHUB_CLIENT_SECRET {h40}
SENTRY_AUTH_TOKEN {h64}
CODECOV_TOKEN {uuid}
MISTRAL_API_KEY {a32}
COHERE_API_KEY {a40}
DEEPGRAM_API_KEY {h40}
WANDB_API_KEY {h40}
SECRET_KEY_BASE {h128}
DJANGO_SECRET_KEY {p50}
JWT_SECRET {b44}
SESSION_SECRET {h64}
ENCRYPTION_KEY {b43}=
SIGNING_KEY {h64}
PRIVATE_KEY 0x{h64}
REDIS_PASSWORD {a24}
RABBITMQ_DEFAULT_PASS {a16}
KAFKA_SASL_PASSWORD {b64}
VAULT_SECRET_ID {uuid}
ADMIN_PASSWORD {p12}
`

const words =
  'abandon ability cabin dinosaur eagle fabric galaxy habit icon jacket kangaroo ladder magnet napkin oak pact quantum rabbit sad tackle ugly vacant wage yard'

const pem = (label: string, random: Random) => {
  const lines = Array.from({ length: 6 }, () => pick(random, alphabets.b!, 64))
  return { secret: lines[2]!, text: `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----` }
}

/** Kind, template with the secret as {s} and its shape. */
const formShapes: [kind: string, shape: string | typeof chosen, template: string][] = [
  ['url-postgres', '{a16}', 'postgres://app:{s}@db.internal:5432/shop'],
  ['url-redis', '{a24}', 'redis://:{s}@cache.internal:6379/0'],
  ['url-mongodb', '{a16}', 'mongodb+srv://app:{s}@cluster0.mongodb.net/db'],
  ['url-https', chosen, 'git clone https://deploy:{s}@git.internal/app.git'],
  ['url-token', '{h40}', 'git remote add origin https://{s}@git.internal/app.git'],
  ['go-dsn', '{a16}', 'app:{s}@tcp(db:3306)/shop'],
  ['ado', chosen, 'Server=db;Database=shop;User Id=sa;Password={s};Encrypt=true;'],
  ['jdbc', '{a16}', 'jdbc:postgresql://db/shop?user=app&password={s}&ssl=true'],
  [
    'azure-connection',
    '{b86}==',
    'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={s};EndpointSuffix=core.windows.net',
  ],
  ['azure-bus', '{b43}=', 'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={s}'],
  ['sas', '{a43}%3D', 'https://x.blob.core.windows.net/c/f?sv=2022-11-02&ss=b&sp=r&sig={s}'],
  ['aws-presigned', '{h64}', 'https://b.s3.amazonaws.com/k?X-Amz-Expires=300&X-Amz-Signature={s}'],
  ['slack-hook', 'T{u8}/B{u8}/{a24}', 'https://hooks.slack.com/services/{s}'],
  ['discord-hook', '{w68}', 'https://discord.com/api/webhooks/123456789012345678/{s}'],
  ['netrc', chosen, 'machine api.internal login deploy password {s}'],
  ['curl-u', chosen, 'curl -u deploy:{s} https://api.internal/v1'],
  ['curl-user', chosen, 'curl --user "deploy:{s}" https://api.internal/v1'],
  ['curl-bearer', '{a40}', 'curl -H "Authorization: Bearer {s}" https://api.internal'],
  ['curl-basic', '{b40}', "curl -H 'Authorization: Basic {s}' https://api.internal"],
  ['header-api-key', '{h32}', 'X-API-Key: {s}'],
  ['header-private', '{a20}', 'curl --header "PRIVATE-TOKEN: {s}" https://git.internal'],
  ['cookie', '{a40}', 'Cookie: session={s}; theme=dark'],
  ['set-cookie', '{h64}', 'Set-Cookie: sid={s}; Path=/; HttpOnly'],
  ['flag-password', chosen, 'deploy --user app --password {s} --force'],
  ['flag-token', '{a32}', 'deploy --token={s} --env prod'],
  ['flag-api-key', '{h32}', 'tool --api-key {s} run'],
  ['mysql-p', chosen, 'mysql -u root -p{s} shop'],
  ['sshpass', chosen, "sshpass -p '{s}' ssh root@db"],
  ['redis-a', '{a24}', 'redis-cli -h cache -a {s} ping'],
  ['docker-login', chosen, 'docker login -u deploy -p {s} registry.internal'],
  ['json-pair', '{a24}', '{"name":"DB_PASSWORD","value":"{s}"}'],
  ['json-pair-key', '{h32}', '{"key": "API_TOKEN", "value": "{s}"}'],
  ['yaml-pair', '{a24}', '- name: DB_PASSWORD\n  value: {s}'],
  ['xml-element', chosen, '<server><username>app</username><password>{s}</password></server>'],
  ['xml-attribute', chosen, '<add name="db" password="{s}" />'],
  ['xml-pair', chosen, '<add key="DbPassword" value="{s}" />'],
  ['ini-spaced', chosen, '[db]\nuser = app\npassword = {s}\n'],
  ['toml', chosen, '[db]\npassword = "{s}"\n'],
  ['yaml-password', chosen, 'db:\n  password: {s}\n  host: x\n'],
  ['properties', chosen, 'spring.datasource.password={s}'],
  ['python-dict', chosen, "config['password'] = '{s}'"],
  ['python-environ', '{a32}', 'os.environ["API_TOKEN"] = "{s}"'],
  ['js-object', chosen, "connect({ user: 'app', password: '{s}' })"],
  ['php-arrow', chosen, "'password' => '{s}',"],
  ['go-struct', chosen, 'Config{User: "app", Password: "{s}"}'],
  ['java-setter', chosen, 'props.put("db.password", "{s}");'],
  ['dockerfile', '{a24}', 'ENV DB_PASSWORD={s}'],
  ['kube-token', '{a60}', 'users:\n- name: x\n  user:\n    token: {s}'],
  ['kube-client-key', '{b120}', '    client-key-data: {s}='],
  ['docker-auth', '{b40}', '{"auths":{"registry.internal":{"auth":"{s}"}}}'],
  ['npmrc', '{h36}', '//registry.internal/:_authToken={s}'],
  ['npmrc-auth', '{b32}', '//registry.internal/:_auth={s}=='],
  ['htpasswd', '$2|y$10§{a53}', 'deploy:{s}'],
  ['shadow', '$6|§{a8}§{a86}', 'root:{s}:19000:0:99999:7:::'],
  ['gcp-key-id', '{h40}', '"private_key_id": "{s}"'],
  ['otpauth', '{u32}', 'otpauth://totp/x:y?secret={s}&issuer=x'],
  ['wireguard', '{b43}=', '[Interface]\nPrivateKey = {s}\nAddress = 10.0.0.1/24'],
  ['terraform-var', chosen, 'variable "db_password" {\n  default = "{s}"\n}'],
  ['markdown', chosen, '- **Password:** `{s}`'],
  ['table', chosen, '| password | {s} |'],
  ['sql-with', chosen, "CREATE USER app WITH PASSWORD '{s}';"],
  ['sql-identified', chosen, "CREATE USER 'app'@'%' IDENTIFIED BY '{s}';"],
  ['sql-function', chosen, "SET PASSWORD FOR 'root'@'localhost' = PASSWORD('{s}');"],
  ['chpasswd', chosen, 'echo "root:{s}" | chpasswd'],
  ['sudo-stdin', chosen, "echo '{s}' | sudo -S apt update"],
  ['wifi', chosen, 'network={\n  psk="{s}"\n}'],
  ['gh-secret', '{a32}', 'gh secret set API_TOKEN --body "{s}"'],
  ['devops-pat', '{l52}', 'AZURE_DEVOPS_EXT_PAT={s}'],
  ['csharp-property', chosen, 'public string Password { get; set; } = "{s}";'],
  ['c-define', chosen, '#define WIFI_PASSWORD "{s}"'],
  ['php-define', chosen, "define('DB_PASSWORD', '{s}');"],
  ['powershell', chosen, '$env:DB_PASSWORD = "{s}"'],
  ['r-arrow', chosen, 'password <- "{s}"'],
  ['clojure', chosen, '{:user "app" :password "{s}"}'],
  ['kubectl', chosen, 'kubectl create secret generic db --from-literal=password={s}'],
  ['aws-configure', '{b40}', 'aws configure set aws_secret_access_key {s}'],
  ['libpq', chosen, 'psql "host=db user=app password={s} dbname=shop"'],
  ['sqlcmd', chosen, 'sqlcmd -S db -U sa -P {s}'],
  ['net-use', chosen, 'net use Z: //srv/share /user:me {s}'],
  ['ansible', chosen, 'ansible_become_pass: {s}'],
  ['query-token', '{a40}', 'https://x.internal/cb?access_token={s}&state=1'],
  ['tuple', chosen, "requests.get(url, auth=('admin', '{s}'))"],
  ['login-call', chosen, 'smtp.login("me@x.org", "{s}")'],
  ['credentials', chosen, 'credentials: admin:{s}'],
  ['sign-in', chosen, 'log in as admin / {s} on staging'],
  ['use-password', chosen, 'use password {s} to log in'],
  ['pgpass', chosen, 'db.internal:5432:shop:app:{s}'],
  ['plist', '{a32}', '<key>ApiToken</key><string>{s}</string>'],
  ['xml-named', chosen, '<property name="password">{s}</property>'],
  ['sentry-dsn', '{h32}', 'SENTRY_DSN=https://0123456789abcdef0123456789abcdef:{s}@o1.ingest.sentry.io/1'],
  ['session-id', '{u32}', 'GET /x;JSESSIONID={s} HTTP/1.1'],
  ['laravel', '{b43}=', 'APP_KEY=base64:{s}'],
  ['unknown-prefix', '{a40}', 'curl https://x.internal/?t=zyx_{s}'],
  ['hex-key', '{h64}', 'the signing key for production: {s}'],
  ['base64-key', '{b43}=', 'encryption key for the backups is {s}'],
]

const proseShapes: [kind: string, template: string][] = [
  ['english-is', 'The password is {s}, do not share it.'],
  ['english-for', 'The password for the staging database is {s}'],
  ['english-pw', 'login with pw: {s}'],
  ['english-pass', 'user admin pass: {s}'],
  ['german', 'Das Passwort lautet {s}.'],
  ['german-kennwort', 'Kennwort: {s}'],
  ['french', 'Le mot de passe est {s} pour ce serveur'],
  ['spanish', 'La contraseña es {s}'],
  ['italian', 'La password è {s}'],
  ['portuguese', 'A senha é {s}'],
  ['dutch', 'Het wachtwoord is {s}'],
  ['polish', 'Hasło to {s}'],
  ['russian', 'Пароль: {s}'],
  ['japanese', 'パスワードは{s}です'],
  ['chinese', '密码是{s}'],
]

export const secretKinds: SecretKindSample[] = [
  ...rowsOf(tokenShapes).map(
    ([kind, shape]): SecretKindSample => ({
      group: 'token',
      kind,
      make: (random) => ({ secret: fill(shape.replace('|', ''), random) }),
    }),
  ),
  ...rowsOf(namedShapes).map(
    ([name, shape]): SecretKindSample => ({
      group: 'named',
      kind: name.toLowerCase(),
      make: (random) => ({ secret: fill(shape, random), name }),
    }),
  ),
  ...formShapes.map(
    ([kind, shape, template]): SecretKindSample => ({
      group: 'form',
      kind,
      make: (random) => {
        const secret = typeof shape === 'string' ? fill(shape.replace('|', ''), random) : shape(random)
        return { secret, text: template.replace('{s}', () => secret) }
      },
    }),
  ),
  ...[
    'RSA PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'EC PRIVATE KEY',
    'PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ].map(
    (label): SecretKindSample => ({ group: 'form', kind: label.toLowerCase(), make: (random) => pem(label, random) }),
  ),
  {
    group: 'form',
    kind: 'cut private key',
    make: (random) => {
      const { secret, text } = pem('RSA PRIVATE KEY', random)
      return { secret, text: text.slice(0, text.indexOf('-----END')) }
    },
  },
  ...[12, 24].map(
    (count): SecretKindSample => ({
      group: 'form',
      kind: `mnemonic of ${count}`,
      make: (random) => {
        const list = words
          .split(' ')
          .toSorted(() => random() - 0.5)
          .slice(0, count)
        return { secret: list.join(' '), text: `seed phrase: ${list.join(' ')}` }
      },
    }),
  ),
  ...proseShapes.map(
    ([kind, template]): SecretKindSample => ({
      group: 'prose',
      kind: `prose ${kind}`,
      make: (random) => {
        const secret = chosen(random)
        return { secret, text: template.replace('{s}', () => secret) }
      },
    }),
  ),
  ...structureKinds,
]

function rowsOf(table: string): [string, string][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
}

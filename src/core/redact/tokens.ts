// Tokens that can be recognised by their own text, as data. Prefixes, alphabets and lengths agree
// with the rule sets of gitleaks 8, TruffleHog 3 and secretlint 12.

/**
 * What may stand before a token. `any`: everything, the prefix is distinctive. `word`: no letter or
 * digit, because the prefix also ends ordinary words. `blob`: not in the middle of a long encoded
 * text, where any four letters occur by chance.
 */
export type LeftBorder = 'any' | 'word' | 'blob'

export interface TokenRule {
  kind: string
  /** Exact text by which the scan finds the token; at least three characters. */
  marker: string
  /** Sticky; starts at the marker. Quantifiers are bounded: a long word must not fill the stack. */
  pattern: RegExp
  border: LeftBorder
  /** Characters of this set before the marker belong to the token: at least `min` of them. */
  before?: { set: RegExp; min: number; max: number }
  /** Whether the body must look generated, because words with the same prefix are common. */
  isChecked: boolean
}

/** The rest of a longer token is found by hand. */
const maxBody = 300

const w = '[A-Za-z0-9_-]'
const a = '[A-Za-z0-9]'
const b = '[A-Za-z0-9+/]'
const h = '[a-fA-F0-9]'
const l = '[a-z0-9]'
const u = '[A-Z0-9]'
const uuid = `${h}{8}-${h}{4}-${h}{4}-${h}{4}-${h}{12}`
const end = '(?![A-Za-z0-9])'

/** Kind, markers separated by spaces, what follows the marker, left border. */
type TokenRow = [kind: string, markers: string, body: string, border?: LeftBorder]

const rows: TokenRow[] = [
  // Clouds
  ['aws-key', 'AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA A3T', `${u}{16,17}${end}`, 'blob'],
  ['aws-key', 'ABSK', `${b}{60,}`, 'blob'],
  ['aws-key', 'bedrock-api-key-', `${b}{20,}`],
  ['aws-session-token', 'IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz FwoDYXdz FQoDYXdz', '[A-Za-z0-9+/=_%-]{40,}'],
  ['google-key', 'AIza', `${w}{30,}`, 'blob'],
  ['google-token', 'ya29.', '[A-Za-z0-9._-]{20,}'],
  ['google-secret', 'GOCSPX-', `${w}{20,}`],
  ['google-token', '1//0', `${w}{30,}`, 'word'],
  ['google-token', '4/0A', `${w}{30,}`, 'word'],
  ['google-key', 'GOOG1E GOOG', `${u}{20,}`, 'blob'],
  ['google-key', ':APA91b', `${w}{100,}`],
  ['alibaba-key', 'LTAI', `${a}{12,}`, 'word'],
  ['tencent-key', 'AKID', `${a}{32}`, 'word'],
  ['yandex-token', 't1.', `${w}{20,}={0,2}\\.${w}{60,}`, 'word'],
  ['yandex-key', 'AQVN YCAJ YCM YCP YCO', `${w}{34,}`, 'word'],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', `${h}{40,}`],
  ['heroku-key', 'HRKU-', `${w}{20,}`],
  ['scaleway-key', 'SCW', `${u}{17}${end}`, 'word'],
  ['ibm-key', 'ApiKey-', uuid],
  ['openshift-token', 'sha256~', `${w}{40,}`],
  ['databricks-token', 'dapi dkea dose dsapi', `${h}{32}`, 'blob'],
  ['cloudflare-token', 'cfut_ cfat_ cfk_ cfoat_', `${w}{30,}`],
  ['cloudflare-key', 'v1.0-', `${h}{24}-${h}{100,}`],
  ['fly-token', 'fo1_ fm1a_ fm1r_ fm2_', '[A-Za-z0-9+/_=,-]{30,}'],
  ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', `${a}{20,}`, 'word'],
  ['vercel-token', 'vercel_blob_rw_', '[A-Za-z0-9_]{20,}'],
  ['netlify-token', 'nfp_ nfc_ nfo_ nfu_ nfb_', `${a}{30,}`, 'word'],
  ['render-key', 'rnd_', `${a}{24,}`, 'word'],
  ['neon-key', 'napi_', `${l}{40,}`],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.=-]{30,}'],
  ['supabase-key', 'sbp_ sb_secret_', '[A-Za-z0-9_-]{20,}', 'word'],
  ['xata-key', 'xau_', `${a}{20,}`, 'word'],
  ['tailscale-key', 'tskey-', `[a-z]+-${a}{8,}(?:-${a}{8,})?`],
  ['ngrok-key', 'ak_2 rd_2', `${a}{24,}`, 'word'],
  ['deno-token', 'ddp_ ddw_ ddo_', `${a}{30,}`, 'word'],
  ['dynatrace-token', 'dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.', `${u}{8,}\\.${a}{40,}`],
  ['clickhouse-key', '4b1d', `${a}{38}${end}`, 'word'],
  // Source code, packages, build
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9_.-]{30,}'],
  ['github-token', 'github_pat_', '[A-Za-z0-9_]{30,}'],
  [
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glft- glsoat- glcbt- glptt- glimt- glagent- gloas- glffct- glwt- GR1348941',
    '[A-Za-z0-9_.-]{16,}',
  ],
  ['bitbucket-token', 'ATBB ATCTT3 ATATT3 ATSTT3', '[A-Za-z0-9_=.+/-]{20,}', 'blob'],
  ['atlassian-token', 'BBDC-', '[A-Za-z0-9+/@_-]{30,}'],
  ['npm-token', 'npm_', `${a}{36,}`],
  ['pypi-token', 'pypi-AgE', `${w}{40,}`],
  ['rubygems-key', 'rubygems_', `${h}{40,}`],
  ['crates-token', 'cio', `${a}{32}${end}`, 'word'],
  ['nuget-key', 'oy2', `${l}{43}${end}`, 'word'],
  ['clojars-token', 'CLOJARS_', `${a}{50,}`],
  ['packagist-token', 'packagist_', '[a-z]{2,4}_[a-f0-9]{40,}'],
  ['docker-token', 'dckr_pat_ dckr_oat_', `${w}{20,}`],
  ['artifactory-key', 'AKCp', `${a}{40,}`, 'blob'],
  ['artifactory-token', 'cmVmdGtu cmVmd', `${b}{50,}`, 'blob'],
  ['octopus-key', 'API-', `${u}{25,32}${end}`, 'word'],
  ['circleci-token', 'CCIPAT_ CCIPRJ_', '[A-Za-z0-9_]{40,}'],
  ['buildkite-token', 'bkua_ bkct_ bkaj_ bkpt_', `${a}{30,}`, 'word'],
  ['harness-key', 'pat. sat.', `${w}{22}\\.${a}{24}\\.${a}{20}`, 'word'],
  ['sonar-token', 'squ_ sqp_ sqa_ sqco_', `${a}{40,}`, 'word'],
  ['sourcegraph-token', 'sgp_ slk_', '[A-Za-z0-9_]{40,}', 'word'],
  ['pulumi-token', 'pul-', `${h}{40}`, 'word'],
  ['infracost-key', 'ico-', `${a}{32}`, 'word'],
  ['prefect-key', 'pnu_ pnb_', `${a}{36}`, 'word'],
  ['scalingo-token', 'tk-us-', `${w}{40,}`],
  ['vault-token', 'hvs. hvb. hvr.', `${w}{20,}`, 'word'],
  ['doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9._-]{40,}', 'word'],
  [
    'infisical-token',
    'st.',
    `${h}{8,}(?:-${h}{4}){3}-${h}{12}\\.${h}{20,}\\.${h}{20,}|${h}{24}\\.${h}{32}\\.${h}{32}`,
    'word',
  ],
  ['1password-token', 'ops_eyJ', '[A-Za-z0-9+/=_-]{40,}'],
  ['1password-key', 'A3-', `${u}{6}-(?:${u}{11}|${u}{6}-${u}{5})-${u}{5}-${u}{5}-${u}{5}`, 'word'],
  ['age-key', 'AGE-SECRET-KEY-', `${u}{50,}`],
  ['age-key', 'AGE-PLUGIN-', `[A-Z0-9-]+-1${u}{50,}`],
  ['recollect-key', 'rk_', `${l}{12}_${w}{40,}`, 'word'],
  // Language models
  ['anthropic-key', 'sk-ant-', `${w}{16,}`],
  ['openai-key', 'sk-proj- sk-svcacct- sk-service- sk-admin- sk-None-', `${w}{20,}`],
  ['openrouter-key', 'sk-or-', `${w}{20,}`, 'word'],
  ['langfuse-key', 'sk-lf- pk-lf-', uuid, 'word'],
  ['groq-key', 'gsk_', `${a}{32,}`],
  ['xai-key', 'xai-', '[A-Za-z0-9_]{32,}', 'word'],
  ['perplexity-key', 'pplx-', `${a}{32,}`],
  ['huggingface-token', 'hf_ api_org_', `${a}{30,}`, 'word'],
  ['replicate-token', 'r8_', `${w}{32,}`, 'word'],
  ['nvidia-key', 'nvapi-', `${w}{40,}`],
  ['pinecone-key', 'pcsk_', `${a}{4,8}_${a}{40,}`],
  ['langsmith-key', 'lsv2_pt_ lsv2_sk_', `${h}{32}(?:_${h}{10})?`],
  ['langsmith-key', 'ls__', `${h}{32}`, 'word'],
  ['elevenlabs-key', 'sk_', `${h}{40,}`, 'word'],
  ['cerebras-key', 'csk-', `${a}{32,}`, 'word'],
  ['fireworks-key', 'fw_', `${a}{20,}`, 'word'],
  ['together-key', 'tgp_v1_', `${w}{30,}`],
  ['tavily-key', 'tvly-', `${w}{20,}`],
  ['firecrawl-key', 'fc-', `${h}{32}`, 'word'],
  ['jina-key', 'jina_', `${w}{40,}`],
  ['voyage-key', 'pa-', `${w}{43}${end}`, 'word'],
  ['anyscale-key', 'esecret_', `${a}{20,}`],
  ['runpod-key', 'rpa_', `${u}{30,}`, 'word'],
  ['e2b-key', 'e2b_', `${h}{40}`, 'word'],
  ['brave-key', 'BSA', `${w}{28}${end}`, 'word'],
  ['apify-token', 'apify_api_', `${w}{30,}`],
  // Messages and mail
  ['slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xoxo- xoxe.xox', '[A-Za-z0-9%/+.-]{10,}'],
  ['slack-token', 'xapp- xwfp-', '[A-Za-z0-9-]{10,}', 'word'],
  ['slack-hook', 'hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20,}'],
  ['slack-hook', 'hooks.slack-gov.com/', 'services/[A-Za-z0-9_/-]{20,}'],
  ['discord-hook', 'discord.com/api/webhooks/ discordapp.com/api/webhooks/', `\\d{10,25}/${w}{40,}`],
  ['teams-hook', '.webhook.office.com/webhookb2/', '[A-Za-z0-9@/-]{60,}'],
  ['zapier-hook', 'hooks.zapier.com/hooks/catch/', '[A-Za-z0-9/]{8,}'],
  ['tines-hook', '.tines.com/webhook/', '[a-z0-9]{32}/[a-z0-9]{32}'],
  ['google-chat-hook', 'chat.googleapis.com/v1/spaces/', '[A-Za-z0-9_-]+/messages\\?key=[^\\s"\'<>]{30,}'],
  ['sendgrid-key', 'SG.', `${w}{8,}\\.${w}{8,}`, 'word'],
  ['mailgun-key', 'key- pubkey-', `${h}{32}`, 'word'],
  ['brevo-key', 'xkeysib- xsmtpsib-', `${w}{60,}`],
  ['mandrill-key', 'md-', `${w}{22}${end}`, 'word'],
  ['resend-key', 're_', `${a}{7,10}_${a}{20,}`, 'word'],
  ['twitch-token', 'oauth:', `${l}{30}${end}`, 'word'],
  ['onesignal-key', 'os_v2_app_ os_v2_org_', `${l}{40,}`],
  ['facebook-token', 'EAA', `${a}{80,}`, 'blob'],
  ['instagram-token', 'IGQV IGAA', `${w}{80,}`, 'blob'],
  ['linkedin-secret', 'WPL_AP1. WPL_AP0.', '[A-Za-z0-9+/=.]{12,}'],
  ['dropbox-token', 'sl.', `(?:u\\.)?${w}{100,}`, 'word'],
  ['telnyx-key', 'KEY01 KEY0', '[A-Za-z0-9_]{50,}', 'word'],
  // Payment and shops
  ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_', `${w}{10,}`],
  ['stripe-key', 'whsec_', `${b}{20,}`],
  ['paypal-token', 'access_token$', `(?:production|sandbox)\\$${a}{10,}\\$${h}{20,}`],
  ['paypal-token', 'A21AA', `${w}{70,}`, 'blob'],
  ['braintree-key', 'production_ sandbox_', `${l}{8}_${l}{16}${end}`, 'word'],
  ['square-token', 'sq0atp- sq0csp- sq0idp- sq0idb-', `${w}{20,}`],
  ['square-token', 'EAAA', `${w}{50,}`, 'blob'],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_ shpua_ shptka_', `${a}{30,}`],
  ['razorpay-key', 'rzp_live_ rzp_test_', `${a}{14,}`],
  ['flutterwave-key', 'FLWSECK-', `${a}{20,}(?:-X)?`],
  ['flutterwave-key', 'FLWSECK_TEST-', `${a}{12,}(?:-X)?`],
  ['plaid-token', 'access-production- access-sandbox- access-development-', uuid],
  ['pagarme-key', 'ak_live_ ak_test_', `${a}{20,}`],
  ['easypost-key', 'EZAK EZTK', `${a}{50,}`, 'word'],
  ['shippo-token', 'shippo_live_ shippo_test_', `${h}{40}`],
  ['duffel-token', 'duffel_live_ duffel_test_', `${w}{40,}`],
  ['ramp-key', 'ramp_sec_', `${a}{40,}`],
  ['klaviyo-key', 'pk_', `(?:${a}{6}_)?${h}{34}`, 'word'],
  ['wallet-key', 'xprv yprv zprv tprv', `${a}{100,}`, 'word'],
  ['nostr-key', 'nsec1', `${l}{50,}`, 'word'],
  // Monitoring, content, work
  ['newrelic-key', 'NRAK- NRII- NRIQ- NRRA- NRJS- NRBR- NRSP-', `${w}{18,}`],
  ['sentry-token', 'sntrys_ sntryu_ sntryi_ sntrya_', '[A-Za-z0-9+/=_]{32,}'],
  ['grafana-token', 'glsa_ glc_', '[A-Za-z0-9+/=_]{30,}'],
  ['honeycomb-key', 'hcaik_ hcbik_ hcxik_ hcalk_ hcamk_', `${l}{30,}`],
  ['axiom-token', 'xaat- xapt-', uuid],
  ['posthog-key', 'phx_ phs_ pha_', `${a}{32,}`, 'word'],
  ['linear-key', 'lin_api_ lin_oauth_ lin_wh_', '[A-Za-z0-9_]{30,}'],
  ['clickup-token', 'pk_', `\\d{5,12}_${u}{30,}`, 'word'],
  ['notion-token', 'ntn_', `${a}{40,}`, 'word'],
  ['notion-token', 'secret_', `${a}{43}${end}`, 'word'],
  ['figma-token', 'figd_ figp_ figu_ figo_ figh_ figur_ figuh_ figor_ figoh_', `${w}{30,}`],
  ['contentful-token', 'CFPAT-', `${w}{40,}`],
  ['typeform-token', 'tfp_', '[A-Za-z0-9_.=-]{40,}', 'word'],
  ['readme-key', 'rdme_', `${l}{60,}`],
  ['frameio-token', 'fio-u-', `${w}{50,}`],
  ['hubspot-token', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', uuid],
  ['postman-key', 'PMAK- PMAT-', `${w}{26,}`],
  ['launchdarkly-key', 'sdk- api- mob-', uuid, 'word'],
  ['salesforce-token', '5Aep861', '[A-Za-z0-9._=]{60,}'],
  ['salesforce-key', '3MVG9', '[A-Za-z0-9._+/=]{60,}', 'word'],
  ['zoho-token', '1000.', `${h}{32}\\.${h}{32}`, 'word'],
  ['adobe-secret', 'p8e-', `${w}{30,}`, 'word'],
  ['adafruit-key', 'aio_', `${a}{28}`, 'word'],
  ['wakatime-key', 'waka_', uuid],
  ['stytch-secret', 'secret-live- secret-test-', `${w}{30,}`],
  ['trigger-key', 'tr_dev_ tr_prod_ tr_pat_', `${a}{18,}`],
  ['inngest-key', 'signkey-prod- signkey-test- signkey-branch-', `${h}{30,}`],
  ['settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', `${a}{16,}`],
  ['portainer-token', 'ptr_', `${b}{30,}`, 'word'],
  ['rootly-token', 'rootly_', `${h}{60,}`],
  ['salad-key', 'salad_cloud_', '[A-Za-z0-9_]{12,}'],
  ['intra42-secret', 's-s4t2', `(?:ud|af)-${h}{60,}`],
  ['bannerbear-key', 'bb_pr_ bb_ma_', `${h}{30}`],
  ['voiceflow-key', 'VF.', `(?:DM\\.|WS\\.)?${h}{24}\\.${a}{16}`, 'word'],
  ['nightfall-key', 'NF-', `${a}{32}${end}`, 'word'],
  ['ubidots-token', 'BBFF-', `${a}{30}`],
  ['robinhood-key', 'rh-api-', uuid],
  ['trufflehog-key', 'thog-key- thog-secret-', `${h}{16,}`],
  ['alchemy-token', 'alcht_', `${a}{30}`],
  ['fleetbase-key', 'flb_live_', `${a}{20}`],
  ['flexport-key', 'shltm_', `${w}{40}`],
  ['besttime-key', 'pri_', `${h}{32}`, 'word'],
  ['photoroom-key', 'sk_pr_', `[A-Za-z0-9_]{40,}`],
  ['lob-key', 'live_ test_', `${h}{35}${end}`, 'word'],
  ['gocardless-token', 'live_', `${w}{40}${end}`, 'word'],
  ['private-token', 'mapbox_sk. sk.eyJ1', '[A-Za-z0-9._-]{40,}', 'word'],
]

/** Words such as `desk-` and `task-` end like the prefix, so what follows must look generated. */
const checkedRows: TokenRow[] = [
  ['openai-key', 'sk-', `${w}{20,}`, 'word'],
  ['openai-key', 'sess-', `${a}{32,}`, 'word'],
  ['token', 'sk_ rk_ pat_ key_ tok_ token_ secret_ api_ apikey_ access_ auth_ sess_', `${w}{24,}`, 'word'],
  ['token', 'pat- key- tok- token- secret- apikey- access- auth-', `${w}{24,}`, 'word'],
]

/** Kind, marker, set and length before it, what follows. */
const middleRows: [kind: string, marker: string, before: TokenRule['before'], body: string][] = [
  ['openai-key', 'T3BlbkFJ', { set: /[A-Za-z0-9_-]/, min: 16, max: 200 }, `${w}{16,}`],
  ['terraform-token', '.atlasv1.', { set: /[A-Za-z0-9]/, min: 10, max: 20 }, '[A-Za-z0-9_=-]{40,}'],
  ...'0123456789'
    .split('')
    .map((digit): [string, string, TokenRule['before'], string] => [
      'azure-secret',
      `${digit}Q~`,
      { set: /[A-Za-z0-9_~.]/, min: 3, max: 3 },
      '[A-Za-z0-9_~.-]{28,}',
    ]),
  ...'+ASt +ASb +AEh +ARm +ABa +AMC +ACR AzSe AzCa AzFu ACDb AIoT AZDO JQQJ99'
    .split(' ')
    .map((marker): [string, string, TokenRule['before'], string] => [
      'azure-key',
      marker,
      { set: /[A-Za-z0-9+/]/, min: 32, max: 80 },
      '[A-Za-z0-9+/]{0,40}={0,2}(?![A-Za-z0-9+/=])',
    ]),
  ['mailchimp-key', '-us', { set: /[0-9a-f]/, min: 32, max: 32 }, `\\d{1,2}${end}`],
  ['maxmind-key', '_mmk', { set: /[A-Za-z0-9_]/, min: 30, max: 40 }, end],
  ['newrelic-key', 'FFFFNRAL', { set: /[0-9a-fx]/, min: 28, max: 40 }, end],
  ['newrelic-key', '-NRMA', { set: /[0-9A-Fa-fx]/, min: 38, max: 44 }, end],
  ['stripe-secret', '_secret_', { set: /[A-Za-z0-9_]/, min: 12, max: 60 }, `${a}{16,}${end}`],
  ['salesforce-token', '!AQ', { set: /[A-Za-z0-9]/, min: 15, max: 18 }, '[A-Za-z0-9._]{60,}'],
  ['salesforce-token', '!AR', { set: /[A-Za-z0-9]/, min: 15, max: 18 }, '[A-Za-z0-9._]{60,}'],
  ['telegram-token', ':AA', { set: /\d/, min: 8, max: 12 }, `${w}{32,36}${end}`],
]

const ruleOf = ([kind, markers, body, border = 'any']: TokenRow, isChecked: boolean): TokenRule[] =>
  markers.split(' ').map((marker) => ({
    kind,
    marker,
    pattern: stickyPattern(marker, body),
    border,
    isChecked,
  }))

export const tokenRules: TokenRule[] = [
  ...rows.flatMap((row) => ruleOf(row, false)),
  ...middleRows.map(([kind, marker, before, body]) => ({
    kind,
    marker,
    pattern: stickyPattern(marker, body),
    border: 'any' as const,
    before: before!,
    isChecked: false,
  })),
  ...checkedRows.flatMap((row) => ruleOf(row, true)),
]

function stickyPattern(marker: string, body: string): RegExp {
  const literal = marker.replace(/[.+$*?()[\]{}|\\^/-]/g, '\\$&')
  return new RegExp(`${literal}(?:${body.replaceAll(',}', `,${maxBody}}`)})`, 'y')
}

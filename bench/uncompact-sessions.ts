// Twenty made-up sessions with a compaction. Each has facts that the summary leaves out and the work
// behind it needs, under forty to sixty events of other work.
import type { SessionScript, Step } from '../test/transcripts.ts'

interface Story {
  project: string
  /** Before the compaction, at its beginning and right before it. */
  early: Step[]
  late?: Step[]
  summary: string
  after: Step[]
}

const say = (text: string): Step => ({ do: 'say', text })
const reply = (text: string): Step => ({ do: 'reply', text })
const run = (command: string, output = 'ok', exit = 0): Step => ({ do: 'run', command, output, exit })
const read = (path: string): Step => ({ do: 'read', path })
const edit = (path: string): Step => ({ do: 'edit', path, from: 'a', to: 'b' })

const stories: Story[] = [
  {
    project: 'harbor',
    early: [
      say('The staging proxy listens on port 7443, never on 443. Please add a health check for it.'),
      reply('I will add it to the compose file.'),
    ],
    summary: 'The user wants a health check for the staging proxy. A compose file is being edited.',
    after: [run('nc -z localhost 7443'), reply('It answers on 7443.')],
  },
  {
    project: 'ledgerly',
    early: [
      say('Invoices are rounded half-even. Use roundHalfEven from money/round.ts and do not write your own.'),
      read('/home/dev/ledgerly/src/money/round.ts'),
    ],
    summary: 'Invoice totals are being fixed. The rounding of invoices was discussed.',
    after: [run('rg -n roundHalfEven src'), edit('/home/dev/ledgerly/src/money/round.ts')],
  },
  {
    project: 'tidepool',
    early: [
      say('Run the slow suite too before you finish.'),
      run('pnpm vitest run --project slow --shard 2/4', 'Tests 41 passed'),
    ],
    late: [run('pnpm vitest run --project slow --shard 2/4', 'Tests 42 passed')],
    summary: 'The parser was changed. Tests pass so far.',
    after: [run('pnpm vitest run --project slow --shard 2/4', 'Tests 43 passed')],
  },
  {
    project: 'quarry',
    early: [
      say('We decided to keep the old endpoint until release 4.12.0, behind the flag legacy_import_v1.'),
      reply('Understood, I keep it.'),
    ],
    summary: 'The import endpoint is being rewritten. The old one stays for now.',
    after: [run('rg -n legacy_import_v1 services'), edit('/home/dev/quarry/services/import.py')],
  },
  {
    project: 'lantern',
    early: [
      say('Look at the flaky retry test.'),
      run('go test ./internal/retry -run TestBackoffJitter -count=20', 'ok'),
    ],
    late: [
      edit('/home/dev/lantern/internal/retry/backoff.go'),
      run('go test ./internal/retry -run TestBackoffJitter -count=20', 'ok'),
    ],
    summary: 'A flaky test in the retry package was examined and the jitter was bounded.',
    after: [
      run('go test ./internal/retry -run TestBackoffJitter -count=20', 'ok'),
      edit('/home/dev/lantern/internal/retry/backoff.go'),
    ],
  },
  {
    project: 'mosaic',
    early: [
      say('The designer wants thumbnails of exactly 640px, and WebP only.'),
      read('/home/dev/mosaic/lib/thumbs/encode.rb'),
    ],
    late: [edit('/home/dev/mosaic/lib/thumbs/encode.rb')],
    summary: 'Thumbnails are being generated for the gallery in the format that the designer asked for.',
    after: [edit('/home/dev/mosaic/lib/thumbs/encode.rb'), run('bundle exec rspec spec/thumbs --tag 640px')],
  },
  {
    project: 'orchard',
    early: [
      say('The nightly job is in ops/cron/nightly_prune.sh and it may only delete rows older than 90d.'),
      read('/home/dev/orchard/ops/cron/nightly_prune.sh'),
    ],
    summary: 'The nightly job deletes too many rows. The cause is a wrong comparison of dates.',
    after: [edit('/home/dev/orchard/ops/cron/nightly_prune.sh'), run('grep -n 90d ops/cron/nightly_prune.sh')],
  },
  {
    project: 'pelican',
    early: [
      say('Deploy to the test cluster, it is called eu-west-blue-3.'),
      run('kubectl --context eu-west-blue-3 rollout status deploy/pelican-api', 'successfully rolled out'),
    ],
    summary: 'The API was deployed to the test cluster and the rollout succeeded.',
    after: [run('kubectl --context eu-west-blue-3 rollout status deploy/pelican-api', 'successfully rolled out')],
  },
  {
    project: 'saffron',
    early: [
      say('Bisect the regression.'),
      run('git bisect start', 'ok'),
      reply('The first bad commit is 9f3c2ab1: it changed the cache key in CacheKeyBuilder.'),
    ],
    summary: 'The regression was bisected. The first bad commit changed how cache keys are built.',
    after: [run('git revert --no-commit 9f3c2ab1'), run('rg -n CacheKeyBuilder src')],
  },
  {
    project: 'tundra',
    early: [
      say('Do not touch vendor/libsodium, fix the binding in native/bindings.gyp instead.'),
      read('/home/dev/tundra/native/bindings.gyp'),
    ],
    summary: 'The native build fails on the new compiler. The binding needs another flag.',
    after: [edit('/home/dev/tundra/native/bindings.gyp'), run('npx node-gyp rebuild --directory native')],
  },
  {
    project: 'umbra',
    early: [
      say('Our API limit is 1200rpm per key. Keep the client below it.'),
      reply('The limiter will live in RateBudget and read UMBRA_MAX_RPM.'),
    ],
    late: [edit('/home/dev/umbra/src/client/rate-budget.ts')],
    summary: 'A limiter for the client is being written so that it stays below the limit of the API.',
    after: [run('UMBRA_MAX_RPM=1200rpm node scripts/load.mjs'), edit('/home/dev/umbra/src/client/rate-budget.ts')],
  },
  {
    project: 'verdant',
    early: [
      say('The migration has to be reversible, its number is 20260914_add_tenant_id.'),
      run('bin/rails db:migrate:status', 'up 20260914_add_tenant_id'),
    ],
    summary: 'A migration for tenants is being written. It must be possible to take it back.',
    after: [run('bin/rails db:migrate:down VERSION=20260914_add_tenant_id')],
  },
  {
    project: 'willow',
    early: [
      say('Compare with the numbers in reports/2026-q3-baseline.csv when you are done.'),
      run('python tools/measure.py --seed 4711 --out /tmp/run1.csv', 'done'),
    ],
    summary: 'A measurement of the ranking is running. It is compared with an earlier report.',
    after: [
      run('python tools/measure.py --seed 4711 --out /tmp/run2.csv', 'done'),
      run('python tools/compare.py reports/2026-q3-baseline.csv /tmp/run2.csv'),
    ],
  },
  {
    project: 'xylem',
    early: [
      say('Ticket #8841 is about the double free.'),
      reply('The double free is in release_node_chain, called twice from gc_sweep_step.'),
    ],
    summary: 'A double free in the collector was found. The ticket of the user describes it.',
    after: [run('rg -n release_node_chain src'), run('git commit -m "Free a chain once (#8841)"')],
  },
  {
    project: 'yarrow',
    early: [
      say('Start the emulator first, otherwise nothing works.'),
      run('firebase emulators:start --only firestore --project yarrow-dev-77', 'All emulators ready'),
    ],
    summary: 'The emulator of the database must run before the tests.',
    after: [run('firebase emulators:start --only firestore --project yarrow-dev-77', 'All emulators ready')],
  },
  {
    project: 'zephyr',
    early: [
      say('Please write to https://metrics.zephyr.example/v2/ingest and always send the header X-Zephyr-Shard.'),
      reply('Noted.'),
    ],
    late: [edit('/home/dev/zephyr/pkg/metrics/push.go')],
    summary: 'Metrics are pushed to the new service. A header is required.',
    after: [
      run('curl -sf -XPOST https://metrics.zephyr.example/v2/ingest'),
      edit('/home/dev/zephyr/pkg/metrics/push.go'),
    ],
  },
  {
    project: 'basalt',
    early: [
      say('Only the class TileAtlasPacker is wrong, leave TileAtlasLoader alone.'),
      read('/home/dev/basalt/engine/tiles/TileAtlasPacker.cpp'),
    ],
    late: [edit('/home/dev/basalt/engine/tiles/TileAtlasPacker.cpp')],
    summary: 'Tiles overlap in the atlas. The packing is wrong, the loading is fine.',
    after: [edit('/home/dev/basalt/engine/tiles/TileAtlasPacker.cpp'), run('cmake --build build --target atlas_tests')],
  },
  {
    project: 'cinder',
    early: [
      say('Build the image for both platforms.'),
      run('docker buildx build --platform linux/amd64,linux/arm64 -t cinder:rc7 .', 'done'),
    ],
    summary: 'The image is built for two platforms. The base image was updated.',
    after: [run('docker buildx build --platform linux/amd64,linux/arm64 -t cinder:rc7 .', 'done')],
  },
  {
    project: 'dapple',
    early: [
      say('We agreed on a timeout of 2500ms for the handshake, see src/net/handshake.rs.'),
      read('/home/dev/dapple/src/net/handshake.rs'),
    ],
    summary: 'The handshake hangs on bad networks. A timeout was agreed on.',
    after: [edit('/home/dev/dapple/src/net/handshake.rs'), run('cargo test handshake_timeout_2500ms')],
  },
  {
    project: 'ember',
    early: [
      say('Generate the client again after each change of the schema.'),
      run('buf generate --template buf.gen.client.yaml', 'ok'),
    ],
    late: [
      edit('/home/dev/ember/proto/orders/v2/orders.proto'),
      run('buf generate --template buf.gen.client.yaml', 'ok'),
    ],
    summary: 'The schema of orders got a new field. The client is generated from it.',
    after: [
      edit('/home/dev/ember/proto/orders/v2/orders.proto'),
      run('buf generate --template buf.gen.client.yaml', 'ok'),
    ],
  },
]

export function madeUpSessions(): SessionScript[] {
  return stories.map(({ project, early, late = [], summary, after }, index) => ({
    agent: 'claude-code',
    number: 0xc0 + index,
    project,
    startedMs: Date.UTC(2026, 8, 1 + index, 9),
    steps: [...early, ...otherWork(project, index), ...late, { do: 'compact', summary }, ...after, reply('Done.')],
  }))
}

const subjects =
  'session invoice upload search export billing webhook layout palette scheduler inventory notifier gateway archive profile'.split(
    ' ',
  )
const parts = ['Handler', 'Store', 'Parser', 'View', 'Queue', 'Mapper', 'Client']

/** Work on other files with other names, different in every session. */
function otherWork(project: string, index: number): Step[] {
  return Array.from({ length: 9 }, (_, turn): Step[] => {
    const subject = subjects[(index * 3 + turn * 2) % subjects.length]!
    const part = parts[(index + turn) % parts.length]!
    const path = `/home/dev/${project}/src/${subject}/${part.toLowerCase()}.ts`
    const name = `${subject}${part}`
    return [
      say(`Next, have a look at the ${subject} and tell me what ${name} does with an empty list.`),
      read(path),
      run(`rg -n ${name} src/${subject}`, `src/${subject}/${part.toLowerCase()}.ts:${12 + turn}: class ${name}`),
      ...(turn % 3 === 0 ? [edit(path), run(`npx eslint src/${subject} --max-warnings ${turn}`)] : []),
      reply(`${name} returns early when the list is empty, which ${subject}Options allows since version 2.${turn}.0.`),
    ]
  }).flat()
}

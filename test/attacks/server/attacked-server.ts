/**
 * The attacked server, a script that runs in its own process on any runtime. Its one argument is `AttackedSettings` as
 * JSON. It prints its port when it listens, and its figures for each line that it reads. The line `reset` also starts the
 * measuring of peaks again. It runs until it is killed.
 */
import process from 'node:process'
import { uploads } from '@genmount/core/uploads'
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { diskFiles } from '@genmount/files-disk'
import { toMcpHandler } from '@genmount/mcp'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { createGuardedFetch } from '../../../packages/guarded-fetch/src/node/guarded-fetch.ts'
import { createLookUp } from '../../../packages/guarded-fetch/src/lookup/look-up.ts'
import { loopbackDns } from '../../guarded-fetch/loopback-dns.ts'
import { variants } from '@genmount/variants'
import { serveOnRuntime } from '../../processes/serve-on-runtime.ts'
import { keyOf } from '../connections.ts'
import { hostileVendor } from './hostile-vendor.ts'
import { ownFigures, yardstickMs } from './own-figures.ts'
import { statelessProvider } from './stateless-provider.ts'

/** The settings of the attacked server that may differ from the defaults. */
export interface AttackedSettings {
  /** The folder in which it keeps jobs and files. */
  readonly folder: string
  /** How many more owners with a key of their own there are. @default 0 */
  readonly moreKeys?: number
  /** The option of the service. */
  readonly maxWaiters?: number
  /** How many threads draw pictures: `workers` of the procedural provider. @default 2, or 1 on a single core */
  readonly drawers?: number
}

/** What the attacked server answers to each line. */
export type AttackedFigures = ReturnType<typeof currentFigures>

const { folder, moreKeys = 0, maxWaiters, drawers } = JSON.parse(process.argv[2] ?? '{}') as AttackedSettings
const { server: silentDns } = await loopbackDns({})
const none = '/nonexistent/genmount'
const lookUp = createLookUp({ servers: [silentDns], hostsFile: none, resolverFile: none })
// As that of an app: jobs in SQLite, files on disk, a model `anything` whose schema accepts every field, those of the
// procedural provider, one of a hostile vendor, and agents' `/mcp`. It looks names up at a DNS server that never answers.
const service = createGenerationService({
  providers: [statelessProvider(), proceduralProvider({ workers: drawers }), hostileVendor()],
  backend: sqliteBackend({ file: `${folder}/jobs.db` }),
  files: { ...diskFiles({ folder: `${folder}/outputs` }), fetch: createGuardedFetch({ lookUp }) },
  plugins: [uploads(), variants()],
  // Not `quietLog`, which keeps all log entries in memory.
  log: { warn() {}, error() {} },
  maxWaiters,
})
const owners = ['attacker', 'honest', ...Array.from({ length: moreKeys }, (_, index) => `owner-${index}`)]
const options = { authenticate: apiKeys(Object.fromEntries(owners.map((owner) => [owner, keyOf(owner)]))) }
const figures = ownFigures()
const currentFigures = () => ({ ...figures.now(), yardstickMs: yardstickMs() })

// Runtimes compile what has run a few times to faster code.
for (let turn = 0; turn < 3; turn++) yardstickMs()
service.start()
const v1 = toFetchHandler(service, options)
const mcp = toMcpHandler(v1)
const [nodeV1, nodeMcp] = [toNodeHandler(service, options), toNodeMcpHandler(mcp)]
serveOnRuntime(
  (request) => (URL.parse(request.url)?.pathname === '/mcp' ? mcp(request) : v1(request)),
  (req, res) => void (req.url === '/mcp' ? nodeMcp : nodeV1)(req, res),
)

for await (const command of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(currentFigures()))
  if (command === 'reset') figures.reset()
}

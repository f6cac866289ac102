/**
 * A server with everything switched on: `/v1` with uploads, callbacks and webhooks, `/mcp`, the page and `/healthz`. A script
 * that runs on any runtime in its own process. Its one argument is `DoorsSettings` as JSON. Each log line goes to standard
 * error as one line of JSON. For each line that it reads, it prints its figures; the line `reset` starts their measuring again.
 */
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type Log } from '@genmount/core'
import { callbacks } from '@genmount/core/callbacks'
import { limits } from '@genmount/core/limits'
import { uploads } from '@genmount/core/uploads'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { diskFiles } from '@genmount/files-disk'
import { toMcpHandler } from '@genmount/mcp'
import { toPlaygroundHandler } from '@genmount/playground'
import { signedWebhooks, webhooks } from '@genmount/webhooks'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { serverListener } from '../../../packages/cli/src/server/server-listener.ts'
import { ownFigures, yardstickMs } from '../../attacks/server/own-figures.ts'
import { statelessProvider } from '../../attacks/server/stateless-provider.ts'
import { serveOnRuntime } from '../../processes/serve-on-runtime.ts'
import { doorsProvider } from './doors-provider.ts'

export interface DoorsSettings {
  /** The folder in which it keeps jobs and files. */
  readonly folder: string
  /** The key of each owner. */
  readonly keys: Readonly<Record<string, string>>
  readonly linkSecret: string
  readonly webhookSecret: string
}

/** What the server prints for each line that it reads. */
export type DoorsFigures = ReturnType<typeof currentFigures>

const { folder, keys, linkSecret, webhookSecret } = JSON.parse(process.argv[2] ?? '{}') as DoorsSettings
/** How many addresses of callbacks are told at a time. */
const maxTold = 20
const baseUrl = 'https://app.example'
const log: Log = {
  warn: (message, fields) => console.error(JSON.stringify({ message, ...fields })),
  error: (message, fields) => console.error(JSON.stringify({ message, ...fields })),
}
let callbackUrls: string[] = []
const figures = ownFigures()
function currentFigures(hasYardstick: boolean) {
  collectGarbage()
  const told = { ...figures.now(), yardstickMs: hasYardstick ? yardstickMs() : undefined, callbackUrls }
  callbackUrls = []
  return told
}

/** So that the memory that the figures tell is in use. */
function collectGarbage(): void {
  const { Bun, Deno } = globalThis as {
    readonly Bun?: { gc(isThorough: boolean): void }
    readonly Deno?: object
  }
  if (Bun) return Bun.gc(true)
  if (Deno) return
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const service = createGenerationService({
  providers: [
    doorsProvider((url) => void (callbackUrls.length < maxTold && callbackUrls.push(url))),
    statelessProvider(),
  ],
  backend: sqliteBackend({ file: `${folder}/jobs.db` }),
  files: diskFiles({ folder: `${folder}/outputs` }),
  plugins: [
    callbacks({ baseUrl }),
    uploads({ maxBytes: 100_000, baseUrl }),
    limits(async (owner) => (owner === 'limited' ? { requestsPerMinute: 100, runningJobs: 3 } : {})),
    webhooks(
      signedWebhooks({
        baseUrl,
        secretsOf: () => webhookSecret,
        // The receiver answers with the status that ends its path.
        fetch: async (url) => new Response(null, { status: Number(/\/([245]\d\d)$/.exec(url)?.[1] ?? 200) }),
      }),
    ),
  ],
  log,
  waitBudgetMs: 300,
  deadlineMs: 5000,
})
const options = {
  authenticate: apiKeys(keys),
  openapi: openapiDocument(),
  linkSecret,
  cors: { origins: ['https://page.example'] },
  maxBodyBytes: 1_000_000,
  bodyTimeoutMs: 1000,
}
const v1 = toFetchHandler(service, options)
const mcp = toMcpHandler(v1, { waitMs: 300, origins: ['https://page.example'] })
const page = toPlaygroundHandler()

async function fetch(request: Request): Promise<Response> {
  // What a runtime makes of a Host header such as `a b` is no URL.
  const pathname = URL.parse(request.url)?.pathname
  if (pathname === '/mcp') return mcp(request)
  if (pathname === '/') return page(request)
  if (pathname !== '/healthz') return v1(request)
  const { status } = await service.health()
  return new Response(status, { status: status === 'ok' || status === 'degraded' ? 200 : 503 })
}

// Runtimes compile what has run a few times to faster code.
for (let turn = 0; turn < 3; turn++) yardstickMs()
service.start()
serveOnRuntime(fetch, serverListener(service, options, { page: {}, refuseHost: () => false }))

for await (const command of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(currentFigures(command === 'reset')))
  if (command === 'reset') figures.reset()
}

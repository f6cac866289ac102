import { createServer } from 'node:http'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { toPlaygroundNodeHandler } from '@genmount/playground'
import { foundVendors } from '../hosted-providers/found-vendors.ts'
import { refusedKeys } from '../hosted-providers/refused-keys.ts'
import { checkSpending } from './check-spending.ts'
import { greeting } from './greeting.ts'
import { installedProviders } from './installed-providers.ts'
import { playgroundOptions } from './playground-options.ts'
import { readSettings } from './settings.ts'
import { openStorage } from './storage.ts'
import { stopOnSignals } from './stop-on-signals.ts'

try {
  const settings = readSettings(process.env)
  const vendors = await foundVendors(process.env)
  checkSpending(settings, vendors)
  const { backend, files, linkSecret, close } = await openStorage(settings)
  const service = createGenerationService({
    providers: [...(await installedProviders(settings)), ...vendors.models],
    backend,
    files,
    uploads: {},
    waitBudgetMs: settings.waitBudgetMs,
  })
  await service.ready()
  const handler = toNodeHandler(service, {
    authenticate: apiKeys(settings.apiKeys),
    baseUrl: settings.baseUrl,
    linkSecret,
  })
  const playground = toPlaygroundNodeHandler(await playgroundOptions(settings, files))
  const server = createServer(async (req, res) => {
    if (req.url !== '/healthz') return playground(req, res, () => handler(req, res))
    const { status } = await service.health()
    res.writeHead(status === 'ok' || status === 'degraded' ? 200 : 503).end(status)
  })

  server.on('error', fail)
  server.listen(settings.port, settings.host, () => {
    service.start()
    console.log(greeting(settings, server.address(), service.models, vendors))
    // Not awaited, because a vendor that does not answer must not hold up the others.
    void refusedKeys(process.env, vendors.variables).then((lines) =>
      lines.forEach((line) => console.error(line)),
    )
  })

  stopOnSignals(service, server, close)
} catch (error) {
  fail(error)
}

function fail(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(code === 'EADDRINUSE' ? `The port is taken: ${message}. Set PORT to another one.` : message)
  // Connections to Postgres and Redis that are open already would keep the process alive.
  process.exit(1)
}

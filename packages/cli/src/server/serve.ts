import { createGenerationService } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { usage } from '@genmount/core/usage'
import { apiKeys, type CorsOptions, corsPolicy } from '@genmount/node-http'
import { outputFacts } from '@genmount/output-facts'
import type { Environment } from '../vendors/environment.ts'
import { refusedKeys } from '../vendors/refused-keys.ts'
import { withAccessLog } from './access-log.ts'
import { boundedServer } from './bounded-server.ts'
import { checkSpending } from './check-spending.ts'
import {
  configuredLimits,
  configuredMarks,
  configuredOperatorPage,
  configuredOperators,
  configuredVariants,
  configuredWebhooks,
} from './configured-plugins.ts'
import { chosenProviders } from './chosen-providers.ts'
import { greeting } from './greeting.ts'
import { hostGate } from './host-gate.ts'
import { configuredMetrics } from './metrics.ts'
import { playgroundOptions } from './playground-options.ts'
import { misspeltVariables } from './misspelt-variables.ts'
import { withRandomKey } from './random-key.ts'
import { readConfig, settingVariables } from './read-config.ts'
import { readSettings } from './settings.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { openStorage } from './storage.ts'

/** How to run the standalone server. */
export interface ServeOptions {
  /** The environment variables that set it up. They win over the file. */
  readonly env: Environment
  /** The path of a configuration file. @default none */
  readonly configFile?: string | undefined
}

/**
 * Runs the generation service as a server of its own, until SIGTERM or SIGINT. Resolves when the server listens and has
 * printed its address, its models, and how to try it.
 * @throws Error that says in one line why the server can't start. Connections that are already open keep the process
 * alive, so the caller must end the process.
 * @example
 * await serve({ env: process.env })
 */
export async function serve({ env, configFile }: ServeOptions): Promise<void> {
  const config = configFile === undefined ? undefined : await readConfig(configFile, env)
  const configured = readSettings(env, config)
  const chosen = await chosenProviders(configured, config, env)
  checkSpending(configured, chosen)
  const settings = withRandomKey(configured, chosen)
  const sentWebhooks = await configuredWebhooks(config, settings)
  const operators = await configuredOperators(settings)
  const metrics = await configuredMetrics(config)
  const cors = config?.cors === undefined ? undefined : checkedCors(config.name, config.cors)
  const { backend, files, linkSecret, close } = await openStorage(settings)
  const service = createGenerationService({
    ...config?.service,
    providers: metrics?.measured(chosen.providers) ?? chosen.providers,
    onTransition: metrics?.onTransition,
    backend,
    files,
    plugins: [
      uploads(),
      usage(),
      configuredLimits(config?.limits ?? {}),
      ...configuredMarks(config?.provenance),
      outputFacts(),
      ...configuredVariants(config?.variants),
      ...sentWebhooks,
      ...operators,
    ],
    waitBudgetMs: settings.waitBudgetMs,
  })
  await service.ready()
  const v1 = { authenticate: apiKeys(settings.apiKeys), baseUrl: settings.baseUrl, linkSecret, cors }
  // Loaded late, because an app that imports this package for its list of vendors needs neither the page nor the MCP
  // tools.
  const { serverListener } = await import('./server-listener.ts')
  const doors = {
    page: await playgroundOptions(settings, files),
    operatorPage: await configuredOperatorPage(settings),
    linkKey: settings.ownKey === 'random' ? settings.apiKeys['dev'] : undefined,
    refuseHost: hostGate(settings),
  }
  const listener = serverListener(service, v1, doors)
  const server = boundedServer(
    config?.accessLog ? withAccessLog(listener, (entry) => console.log(JSON.stringify(entry))) : listener,
  )

  await new Promise<void>((resolve, reject) => {
    server.on('error', (cause) => reject(new Error(whyNotListening(cause), { cause })))
    server.listen(settings.port, settings.host, resolve)
  })
  await metrics?.start(service)
  service.start()
  const read = config?.providers ? settingVariables : undefined
  const misspelt = misspeltVariables({ ...config?.settings, ...env }, read)
  console.log(greeting(settings, server.address(), service.models, chosen, misspelt))
  // Not awaited, because a vendor that does not answer must not delay the start.
  void refusedKeys(env, chosen.variables).then((lines) => lines.forEach((line) => console.error(line)))
  stopOnSignals(service, server, {
    stopWithinMs: settings.stopWithinMs,
    async close() {
      await metrics?.close()
      await close()
    },
  })
}

function whyNotListening({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `The port is taken: ${message}. Set PORT to another one.`
    case 'EACCES':
      return `PORT must be a port that this user may open: ${message}. Ports from 1024 on need no rights.`
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'ENOTFOUND':
      return `HOST must be an address of this machine, or 0.0.0.0 for all of them: ${message}.`
    default:
      return message
  }
}

/** @throws Error that names the field of the file and says what it accepts */
function checkedCors(file: string, configured: CorsOptions) {
  try {
    return corsPolicy(configured)
  } catch (cause) {
    throw new Error(`cors in ${file} can't be used: ${(cause as Error).message}`, { cause })
  }
}

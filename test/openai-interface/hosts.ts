import type { RequestListener } from 'node:http'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toNodeHandler } from '@genmount/node-http'
import express from 'express'
import { listen } from '../loopback.ts'
import { launchServer, scriptCommand } from '../processes/start-server.ts'
import { bundledWorker } from '../workerd/bundled-worker.ts'
import { hostedService } from './servers/hosted-service.ts'

/** A server with the interface. */
interface StartedHost {
  readonly origin: string
  stop(): Promise<unknown>
}

type HostedService = ReturnType<typeof hostedService>

async function inProcess(listenerOf: (hosted: HostedService) => RequestListener): Promise<StartedHost> {
  const hosted = hostedService()
  const { origin, stop } = await listen(listenerOf(hosted))
  return { origin, stop: async () => (await hosted.service.close(), await stop()) }
}

async function onRuntime(runtime: 'bun' | 'deno'): Promise<StartedHost> {
  const script = new URL('servers/runtime-server.ts', import.meta.url)
  const { origin, process } = await launchServer(scriptCommand(runtime, script))
  return { origin, stop: async () => process.kill() }
}

/** The hosts on which OpenAI's SDK is tried. */
export const hosts: Readonly<Record<string, () => Promise<StartedHost>>> = {
  'node:http': () => inProcess(({ service, options }) => toNodeHandler(service, options)),
  'Express with its parser of JSON': () =>
    inProcess(({ service, options }) =>
      express().use(express.json()).use(toExpressMiddleware(service, options)),
    ),
  Bun: () => onRuntime('bun'),
  Deno: () => onRuntime('deno'),
  async workerd() {
    // The fake vendor signs with Node's crypto.
    const worker = await bundledWorker('openai-worker', { compatibilityFlags: ['nodejs_compat'] })
    return { origin: (await worker.ready).origin, stop: () => worker.dispose() }
  },
}

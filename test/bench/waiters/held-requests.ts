import type { AddressInfo } from 'node:net'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGenerationService, memoryBackend, type Provider } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import * as v from 'valibot'
import { serveParent, settledHeap } from './child-process.ts'
import { type ServerReport, waitingBody } from './waiters-protocol.ts'

/**
 * A server that holds requests: ours, or a bare one that holds each with a promise, a timer and a close
 * listener.
 */

let mayFinish = false
let finishedAt = 0

const { handler, waiting, jobId } = process.argv[2] === 'bare' ? bareServer() : await ourServer()
const server = createServer(handler)
// Idle connections must stay open, because the held requests are compared with them.
server.keepAliveTimeout = 0
await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 10_000 }), 'listening')
const { port } = server.address() as AddressInfo
let delays = monitorEventLoopDelay({ resolution: 1 })

async function ourServer() {
  const backend = memoryBackend()
  let subscriptions = 0
  const signals: typeof backend.signals = {
    ...backend.signals,
    subscribe(jobId, wake) {
      subscriptions++
      const unsubscribe = backend.signals.subscribe(jobId, wake)
      return () => {
        subscriptions--
        unsubscribe()
      }
    },
  }
  const provider: Provider = {
    name: 'held',
    models: [{ id: 'held', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
    submit: async () => ({ state: 'running', handle: 1, pollAfterMs: 100 }),
    async poll() {
      if (!mayFinish) return { state: 'running', handle: 1, pollAfterMs: 100 }
      finishedAt = Date.now()
      return { state: 'succeeded', outputs: [{ url: 'https://vendor.test/1.png' }] }
    },
  }
  const service = createGenerationService({
    providers: [provider],
    backend: { ...backend, signals },
    waitBudgetMs: 600_000,
    log: { warn() {}, error: console.error },
  })
  const { model, ...input } = JSON.parse(waitingBody)
  const { job } = await service.create({
    owner: 'alice',
    model,
    input,
    idempotency: { key: 'k', scope: '/v1/generate' },
  })
  return {
    handler: toNodeHandler(service, { authenticate: apiKeys({ alice: 'key' }) }) as RequestListener,
    waiting: () => subscriptions,
    jobId: job.id,
  }
}

function bareServer() {
  const resumes = new Set<() => void>()
  const settle = async (res: ServerResponse) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 600_000)
      const onClose = () => {
        resumes.delete(onClose)
        resolve()
      }
      resumes.add(onClose)
      res.once('close', onClose)
      void res.once('finish', () => clearTimeout(timer))
    })
  }
  const handler = async (req: IncomingMessage, res: ServerResponse) => {
    if (!req.url?.includes('wait')) return void res.end('{}')
    req.resume()
    await settle(res)
    res.end('{}')
  }
  return { handler: handler as RequestListener, waiting: () => resumes.size, jobId: undefined }
}

async function report(): Promise<ServerReport> {
  // The next timer counts a stall that has just ended. It fires after this message, so it is awaited.
  await sleep(20)
  const connections = await new Promise<number>((resolve) =>
    server.getConnections((_, open) => resolve(open)),
  )
  return { port, jobId, waiting: waiting(), connections, finishedAt, longestStallMs: delays.max / 1e6 }
}

serveParent(async (question: 'report' | 'heap' | 'finish') => {
  if (question === 'finish') {
    delays.disable()
    delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    mayFinish = true
  }
  return question === 'heap' ? settledHeap() : report()
})

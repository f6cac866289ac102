import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { memoryBackend } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { answerParent, cpuMs, settledHeap } from '../answer-parent.ts'
import { benchProviders, benchService } from '../bench-service.ts'
import { exampleInput, owner } from '../workload.ts'

/** A server that holds requests. All of them wait for one job. */

let mayFinish = false
/** When the provider reported that the job is finished, in milliseconds since the Unix epoch. */
let finishedAt = 0
/** How many requests are held. */
let waiting = 0
const backend = memoryBackend()
const signals: typeof backend.signals = {
  ...backend.signals,
  subscribe(jobId, wake) {
    waiting++
    const unsubscribe = backend.signals.subscribe(jobId, wake)
    return () => {
      waiting--
      unsubscribe()
    }
  },
}
const isDone = () => {
  if (mayFinish) finishedAt = Date.now()
  return mayFinish
}
const { providers } = benchProviders({ pollAfterMs: 100, isDone })
const service = benchService({ providers, backend: { ...backend, signals }, waitBudgetMs: 600_000 })
const { job } = await service.create({
  owner,
  model: 'bench-video',
  input: exampleInput(),
  idempotency: { key: 'k', scope: '/v1/generate' },
})
const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ [owner]: 'key' }) }))
// Idle connections must stay open, because the held requests are compared with them.
server.keepAliveTimeout = 0
await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 10_000 }), 'listening')
const { port } = server.address() as AddressInfo
const delays = monitorEventLoopDelay({ resolution: 1 })

const calls = {
  async report() {
    // The next timer counts a stall that has just ended. It fires after this message, so it is awaited.
    await sleep(20)
    const connections = await promisify(server.getConnections.bind(server))()
    return { port, jobId: job.id, waiting, connections, finishedAt, longestStallMs: delays.max / 1e6 }
  },
  heap: settledHeap,
  cpuMs,
  finish() {
    delays.enable()
    mayFinish = true
  },
}
export type HeldCalls = typeof calls
answerParent(calls)

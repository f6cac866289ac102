import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Json, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { renderPool } from '../render/render-pool.ts'
import { imageFetcher } from './fetch-image.ts'
import { inputSchemas, type Simulation } from './input-schemas.ts'
import { priceList, type Prices } from './price-list.ts'
import { type Rendering, renderingsIn, type Renderings } from './renderings.ts'

export interface ProceduralProviderOptions {
  /**
   * Adds the input fields `simulate_latency_ms` and `simulate_error`, with which app authors rehearse slow and failing
   * jobs. Without it they are refused as unknown. @default false
   */
  readonly allowSimulation?: boolean | undefined
  /** What jobs cost. @default nothing */
  readonly prices?: Prices | undefined
  /** How many threads render at a time, 1 to 64; each fills a core while it works. @default 2, but 1 on a single core */
  readonly workers?: number | undefined
}

/**
 * The embedded provider: draws pictures and films by algorithm, in worker threads of this process, with no key and no
 * network but for the `image` URLs of clients. It draws, it does not dream: there is no neural network in it.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers: [proceduralProvider({ prices: { 'procedural-image': 0.01 } })] })
 */
export function proceduralProvider(options: ProceduralProviderOptions = {}): Provider {
  const { allowSimulation = false, workers = Math.min(2, availableParallelism()) } = options
  if (typeof allowSimulation !== 'boolean') throw new TypeError('allowSimulation must be true or false.')
  if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
    throw new TypeError(`workers must be a whole number from 1 to 64, not ${String(workers)}.`)
  }
  const costOf = priceList(options.prices)
  return drawingProvider(allowSimulation, costOf, renderingsIn(renderPool(workers), imageFetcher()))
}

/** How long a submit waits for its task, in milliseconds: most pictures are done by then and need no poll. */
const patienceMs = 500

/** When to ask again for a task that is not done, in milliseconds. */
const pollAfterMs = 250

/** The provider over its parts, so that a test can bring its own. */
export function drawingProvider(
  allowSimulation: boolean,
  costOf: (task: ProviderTask) => number,
  renderings: Renderings,
): Provider {
  const schemas = inputSchemas(allowSimulation)

  /** @param readyAt the instant before which a simulated task is not done; the handle carries it across a restart */
  function report(task: ProviderTask, readyAt: number): ProviderReport {
    const { simulate_error: code } = task.input as Simulation
    const reply = code
      ? { code, message: 'Simulated, as simulate_error asked for.' }
      : renderings.of(task).reply
    const early = readyAt - Date.now()
    if (reply === undefined || early > 0) {
      const handle = { clientToken: task.clientToken, readyAt }
      return { state: 'running', handle, pollAfterMs: Math.max(early, pollAfterMs) }
    }
    if ('code' in reply) return { state: 'failed', ...reply }
    const { files, contentType, renderMs } = reply
    const outputs = files.map((bytes) => ({ bytes, contentType }))
    return { state: 'succeeded', outputs, costUsd: costOf(task), inferenceMs: renderMs }
  }

  return {
    name: 'procedural',
    models: [
      { id: 'procedural-image', outputKind: 'image', input: schemas.image, typicalMs: 500 },
      { id: 'procedural-video', outputKind: 'video', input: schemas.video, typicalMs: 5000 },
    ],
    dedupesSubmits: true,
    async submit(task, { signal }) {
      const { simulate_latency_ms: latencyMs, simulate_error } = task.input as Simulation
      const readyAt = latencyMs === undefined ? 0 : Date.now() + latencyMs
      if (simulate_error === undefined) await settledSoon(renderings.of(task), signal)
      return report(task, readyAt)
    },
    async poll(task) {
      return report(task, readyAtOf(task.handle))
    },
    async cancel(task) {
      renderings.drop(task)
    },
    close: () => renderings.close(),
  }
}

/** Waits for the rendering, but not for long, and not after `signal` has aborted. */
async function settledSoon({ settled }: Rendering, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const patience = delay(patienceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) })
  await Promise.race([settled, patience.catch(() => {})])
  over.abort()
}

function readyAtOf(handle: Json): number {
  const readyAt = typeof handle === 'object' && handle !== null && 'readyAt' in handle ? handle.readyAt : 0
  return typeof readyAt === 'number' ? readyAt : 0
}

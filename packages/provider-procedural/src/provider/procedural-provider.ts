import { availableParallelism } from 'node:os'
import {
  checkOptions,
  count,
  flag,
  type Json,
  optional,
  type OptionTable,
  type Provider,
  type ProviderReport,
  type ProviderTask,
  shownPrice,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { modelInput, pictureFailure, type ReportOf, withPictures } from '@genmount/provider-kit'
import { localTasks } from '@genmount/provider-kit/workers'
import type { TellProgress } from '../render/render-order.ts'
import { renderPool } from '../render/render-pool.ts'
import { type ImageInput, pictureTypes, type Simulation, type VideoInput } from './input-fields.ts'
import { inputSchemas, leastRenderSeconds } from './input-schemas.ts'
import { orderFor } from './order-for.ts'
import { priceList, type Prices } from './price-list.ts'

/** The options of `proceduralProvider`. */
export interface ProceduralProviderOptions {
  /**
   * Adds the input fields `simulate_latency_ms` and `simulate_error`, with which an app's tests can make slow and
   * failing jobs. Without this option, these fields are refused as unknown.
   * @default false
   */
  readonly allowSimulation?: boolean | undefined
  /** What jobs cost. @default jobs cost nothing */
  readonly prices?: Prices | undefined
  /**
   * How long a job may take to render, as an estimate in whole seconds of one core of a 2.8 GHz server, at least 4. An
   * input that needs more is refused with status 400, before a job is created.
   * @default 40, which is enough for every input
   */
  readonly maxRenderSeconds?: number | undefined
  /** How many threads render at the same time, 1 to 64. Each uses a whole core. @default 2, or 1 on a single core */
  readonly workers?: number | undefined
}

const table = {
  allowSimulation: optional(flag, false),
  prices: priceList,
  maxRenderSeconds: optional(count(leastRenderSeconds), 40),
  workers: optional(count(1, 64)),
} satisfies OptionTable<ProceduralProviderOptions>

/**
 * The built-in provider. It draws pictures and films by algorithm, without a neural network, in worker threads of this
 * process. It needs no key, and uses the network only to fetch the `image` URLs of clients.
 * @throws TypeError that names the option, when an option is wrong
 * @example createGenerationService({ providers: [proceduralProvider({ prices: { 'procedural-image': 0.01 } })] })
 */
export function proceduralProvider(options?: ProceduralProviderOptions): Provider {
  const { prices: costOf, ...checked } = checkOptions('proceduralProvider', options, table)
  const { allowSimulation, maxRenderSeconds, workers = Math.min(2, availableParallelism()) } = checked
  const schemas = inputSchemas(allowSimulation, maxRenderSeconds)
  const pool = renderPool(workers)
  // Only one more picture than there are threads is fetched, so that pictures which wait for a thread do not fill
  // memory.
  const reading = {
    types: pictureTypes,
    fetchFile: guardedFetch,
    line: 'procedural',
    atOnce: workers + 1,
    copies: 2,
  }

  async function draw(
    task: ProviderTask,
    signal: AbortSignal,
    tell: TellProgress,
  ): Promise<ReportOf<'succeeded' | 'failed'>> {
    // The service passes the value that the model's schema returned.
    const input = task.input as unknown as ImageInput | VideoInput
    const { image } = input
    const render = (picture: Uint8Array | string | undefined) =>
      pool.run(orderFor(input, picture), signal, task.owner, tell)
    const reply =
      image === undefined || /^data:/i.test(image)
        ? await render(image)
        : await withPictures([image], { ...reading, signal, owner: task.owner }, ([{ bytes }]) =>
            render(bytes),
          )
    if ('code' in reply) return { state: 'failed', ...reply }
    const { files, contentType, renderMs } = reply
    const outputs = files.map(({ bytes, words }) => ({ bytes, contentType, revisedPrompt: words.join(', ') }))
    return { state: 'succeeded', outputs, costUsd: costOf(task), inferenceMs: renderMs }
  }

  const tasks = localTasks({
    make: (task, signal, tell) =>
      draw(task, signal, tell).catch((error: unknown) => pictureFailure(error, 'image')),
    close: () => pool.close(),
  })

  return {
    ...tasks,
    ready: () => pool.ready(),
    name: 'procedural',
    models: [
      {
        id: 'procedural-image',
        outputKind: 'image',
        description: 'Draws a scene by algorithm, without AI, from the 449 English words that it knows.',
        digitalSourceType: 'algorithmicMedia',
        input: modelInput(schemas.image),
        typicalMs: 500,
        price: shownPrice(options?.prices?.['procedural-image'] ?? 0, 'image'),
      },
      {
        id: 'procedural-video',
        outputKind: 'video',
        description:
          'Draws a moving scene by algorithm, without AI, from the 383 English words that it knows.',
        digitalSourceType: 'algorithmicMedia',
        input: modelInput(schemas.video),
        typicalMs: 5000,
        price: shownPrice(options?.prices?.['procedural-video'] ?? 0, 'second'),
      },
    ],
    async submit(task, call) {
      const { simulate_latency_ms: latencyMs } = task.input as Simulation
      const readyAt = latencyMs === undefined ? 0 : Date.now() + latencyMs
      return notBefore(readyAt, simulatedFailure(task) ?? (await tasks.submit(task, call)))
    },
    async poll(task, call) {
      return notBefore(readyAtOf(task.handle), simulatedFailure(task) ?? (await tasks.poll(task, call)))
    },
  }
}

function simulatedFailure({ input }: ProviderTask): ReportOf<'succeeded' | 'failed'> | undefined {
  const { simulate_error: code } = input as Simulation
  return (
    code && {
      state: 'failed',
      code,
      message: 'This failure is simulated, because the input has simulate_error.',
    }
  )
}

/** Keeps a simulated task running until `readyAt`. The handle contains that instant, so it survives a restart. */
function notBefore(readyAt: number, report: ProviderReport): ProviderReport {
  const pollAfterMs = readyAt - Date.now()
  return pollAfterMs > 0 ? { state: 'running', handle: { readyAt }, pollAfterMs } : report
}

function readyAtOf(handle: Json): number {
  const readyAt = typeof handle === 'object' && handle !== null && 'readyAt' in handle ? handle.readyAt : 0
  return typeof readyAt === 'number' ? readyAt : 0
}

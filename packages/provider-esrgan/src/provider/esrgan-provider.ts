import { availableParallelism } from 'node:os'
import {
  checkOptions,
  checkPrice,
  costOf,
  count,
  type FileFetch,
  optional,
  type OptionTable,
  type Price,
  type Provider,
  type ProviderTask,
  shownPrice,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { modelInput, pictureFailure, type ReportOf, withPictures } from '@genmount/provider-kit'
import { localTasks } from '@genmount/provider-kit/workers'
import { enlargePool } from '../enlarge/enlarge-pool.ts'
import type { Scale, TellProgress } from '../enlarge/enlarge-order.ts'
import { type EsrganInput, inputSchema, pictureTypes } from './input-schema.ts'

const scales = { 'esrgan-x2': 2, 'esrgan-x4': 4 } as const satisfies Record<string, Scale>

/** Prices in US dollars for a million pixels of the enlarged picture. */
export interface EsrganPrices {
  /** The price of the model that doubles width and height. @default 0: jobs cost nothing */
  readonly 'esrgan-x2'?: Price | undefined
  /** The price of the model that makes width and height four times as large. @default 0: jobs cost nothing */
  readonly 'esrgan-x4'?: Price | undefined
}

/** The options of `esrganProvider`. */
export interface EsrganProviderOptions {
  /** What jobs cost, by model. @default 0: jobs cost nothing */
  readonly prices?: EsrganPrices | undefined
  /**
   * How many pixels an enlarged picture may have, 1 to 268435456. It limits the time and the memory of a job.
   * @default 16777216 (4096 x 4096)
   */
  readonly maxOutputPixels?: number | undefined
  /**
   * How many pictures are enlarged at the same time, 1 to 64. Each uses a whole core.
   * @default 2, or 1 on a single core
   */
  readonly workers?: number | undefined
}

const priceTable = { 'esrgan-x2': checkPrice, 'esrgan-x4': checkPrice } satisfies OptionTable<EsrganPrices>

const table = {
  prices: (name, prices) => checkOptions(name, prices, priceTable),
  maxOutputPixels: optional(count(1, 2 ** 28), 4096 ** 2),
  workers: optional(count(1, 64)),
} satisfies OptionTable<EsrganProviderOptions>

/**
 * Enlarges pictures with a neural network, in worker threads of this process. It needs no key and no account, and uses
 * the network only to fetch the `image` URLs of clients. The model `esrgan-x2` doubles width and height, `esrgan-x4`
 * makes them four times as large.
 * @throws TypeError that names the option, when an option is wrong
 * @example createGenerationService({ providers: [esrganProvider()] })
 */
export function esrganProvider(options?: EsrganProviderOptions): Provider {
  return enlargingProvider(options, guardedFetch)
}

const input = modelInput(inputSchema)

/** The provider with another function that fetches pictures, for tests. */
export function enlargingProvider(
  options: EsrganProviderOptions | undefined,
  fetchFile: FileFetch,
): Provider {
  const checked = checkOptions('esrganProvider', options, table)
  const { prices, maxOutputPixels, workers = Math.min(2, availableParallelism()) } = checked
  const pool = enlargePool(workers)

  async function enlarge(
    task: ProviderTask,
    signal: AbortSignal,
    tell: TellProgress,
  ): Promise<ReportOf<'succeeded' | 'failed'>> {
    // The service passes the value that the schema returned.
    const { image, format } = task.input as EsrganInput
    const { owner } = task
    const model = task.model as keyof typeof scales
    const order = { scale: scales[model], format, maxOutputPixels }
    // Only one more picture than there are threads is fetched, so that pictures which wait for a thread do not fill
    // memory.
    const reading = {
      types: pictureTypes,
      fetchFile,
      signal,
      owner,
      line: 'esrgan',
      atOnce: workers + 1,
      copies: 2,
    }
    const reply = /^data:/i.test(image)
      ? await pool.run({ ...order, picture: image }, signal, owner, tell)
      : await withPictures([image], reading, ([{ bytes }]) =>
          pool.run({ ...order, picture: bytes }, signal, owner, tell),
        )
    if ('code' in reply) return { state: 'failed', ...reply }
    const { file, contentType, outputPixels, enlargeMs } = reply
    return {
      state: 'succeeded',
      outputs: [{ bytes: file, contentType }],
      costUsd: costOf(prices[model] ?? 0, { input: task.input, units: outputPixels / 1e6 }),
      inferenceMs: enlargeMs,
    }
  }

  return {
    name: 'esrgan',
    models: (Object.keys(scales) as (keyof typeof scales)[]).map((id) => ({
      id,
      outputKind: 'image',
      description: `Enlarges a picture to ${scales[id]} times its width and height, with a neural network.`,
      digitalSourceType: 'algorithmicallyEnhanced',
      input,
      typicalMs: 5000,
      price: shownPrice(prices[id] ?? 0, 'megapixel'),
    })),
    ready: () => pool.ready(),
    ...localTasks({
      make: (task, signal, tell) =>
        enlarge(task, signal, tell).catch((error: unknown) => pictureFailure(error, 'image')),
      close: () => pool.close(),
    }),
  }
}

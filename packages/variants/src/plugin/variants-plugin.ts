import {
  callable,
  checkOptions,
  count,
  optional,
  type OptionTable,
  type PluginHooks,
  type PluginHost,
  type ServicePlugin,
} from '@genmount/core'
import { LRUCache } from 'lru-cache'
import type { DecodeFrame } from '../film/decode-frame.ts'
import { conversionPool } from '../conversion/conversion-pool.ts'
import { keptVariants } from '../store/kept-variants.ts'
import { variantMaker } from './variant-maker.ts'
import { parametersOf } from './variant-request.ts'

/** The options of `variants`. */
export interface VariantsOptions {
  /** How many pictures are converted at the same time, each in a thread of its own. @default 1 */
  readonly threads?: number | undefined
  /**
   * The most pixels that a picture may have to be converted. Converting one of 40 million takes up to 350 MB of memory.
   * @default 40000000 (40 million)
   */
  readonly maxPixels?: number | undefined
  /**
   * Decodes the first frame of a film, such as `ffmpegFrame()`, so that clients can ask for `poster`.
   * @default films have no posters
   */
  readonly decodeFrame?: DecodeFrame | undefined
}

const table = {
  threads: optional(count(1, 64), 1),
  maxPixels: optional(count(), 40_000_000),
  decodeFrame: optional(callable<DecodeFrame>('ffmpegFrame()')),
} satisfies OptionTable<VariantsOptions>

/** The checked options. */
interface CheckedOptions {
  readonly threads: number
  readonly maxPixels: number
  readonly decodeFrame: DecodeFrame | undefined
}

/** How many deleted jobs are remembered with their owners, until their variants are deleted. */
const maxRemembered = 1000

/**
 * Lets clients get pictures in other sizes and formats: `GET /v1/files/{id}?width=512&format=webp`; and the first frames of films:
 * `?poster`. A variant is made when it is first asked for, kept in the file store beside the output, and deleted with the job.
 * @throws TypeError when an option is wrong, or the file store has no `list`
 * @example createGenerationService({ providers, files: diskFiles({ folder }), plugins: [variants()] })
 */
export function variants(options: VariantsOptions = {}): ServicePlugin {
  const checked = checkOptions('variants', options, table)
  return { name: 'variants', attach: (host) => variantHooks(checked, host) }
}

function variantHooks(options: CheckedOptions, host: PluginHost): PluginHooks {
  const { threads, decodeFrame } = options
  if (!host.files.list)
    throw new TypeError('variants needs a file store with list, such as diskFiles({ folder }).')
  const pool = conversionPool(threads)
  const variantFiles = keptVariants(host)
  const maker = variantMaker({ ...options, host, variantFiles, pool })
  /** A job that keeps its idempotency key loses its owner when it is deleted. */
  const ownerOf = new LRUCache<string, string>({ max: maxRemembered })

  return {
    face: { variants: { parameters: parametersOf(decodeFrame !== undefined), find: maker.find } },
    wrote(job, before) {
      if (job.deletedAt !== undefined && before?.deletedAt === undefined && before)
        ownerOf.set(job.id, before.owner)
    },
    deleteFiles: (job) => variantFiles.deleteOf(job, ownerOf.get(job.id)),
    sweep: { what: 'variants of deleted jobs', look: variantFiles.sweep },
    ready: pool.ready,
    settled: maker.settled,
    close: pool.close,
  }
}

import {
  checkOptions,
  count,
  optional,
  type OptionTable,
  type PluginHooks,
  type PluginHost,
  type ServicePlugin,
} from '@genmount/core'
import { LRUCache } from 'lru-cache'
import { conversionPool } from '../conversion/conversion-pool.ts'
import { keptVariants } from '../store/kept-variants.ts'
import { variantMaker } from './variant-maker.ts'
import { variantParameters } from './variant-request.ts'

/** The options of `variants`. */
export interface VariantsOptions {
  /** How many pictures are converted at the same time, each in a thread of its own. @default 1 */
  readonly threads?: number | undefined
  /**
   * The most pixels that a picture may have to be converted. Converting one of 40 million takes up to 350 MB of memory.
   * @default 40000000 (40 million)
   */
  readonly maxPixels?: number | undefined
}

const table = {
  threads: optional(count(1, 64), 1),
  maxPixels: optional(count(), 40_000_000),
} satisfies OptionTable<VariantsOptions>

/** How many deleted jobs are remembered with their owners, until their variants are deleted. */
const maxRemembered = 1000

/**
 * Lets clients get pictures in other sizes and formats: `GET /v1/files/{id}?width=512&format=webp`. A variant is made when it is
 * first asked for, kept in the file store beside the output, and deleted with the job.
 * @throws TypeError when an option is wrong, or the file store has no `list`
 * @example createGenerationService({ providers, files: diskFiles({ folder }), plugins: [variants()] })
 */
export function variants(options: VariantsOptions = {}): ServicePlugin {
  const checked = checkOptions('variants', options, table)
  return { name: 'variants', attach: (host) => variantHooks(checked, host) }
}

function variantHooks(
  { threads, maxPixels }: { readonly threads: number; readonly maxPixels: number },
  host: PluginHost,
): PluginHooks {
  if (!host.files.list)
    throw new TypeError('variants needs a file store with list, such as diskFiles({ folder }).')
  const pool = conversionPool(threads)
  const kept = keptVariants(host)
  const maker = variantMaker({ host, kept, pool, threads, maxPixels })
  /** A job that keeps its idempotency key loses its owner when it is deleted. */
  const ownerOf = new LRUCache<string, string>({ max: maxRemembered })

  return {
    face: { variants: { parameters: variantParameters, find: maker.find } },
    wrote(job, before) {
      if (job.deletedAt !== undefined && before?.deletedAt === undefined && before)
        ownerOf.set(job.id, before.owner)
    },
    deleteFiles: (job) => kept.deleteOf(job, ownerOf.get(job.id)),
    sweep: { what: 'variants of deleted jobs', look: kept.sweep },
    ready: pool.ready,
    settled: maker.settled,
    close: pool.close,
  }
}

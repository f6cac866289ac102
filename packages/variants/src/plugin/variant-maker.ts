import { filesUnavailable, GenerationError, type Job, type PluginHost, withinLimit } from '@genmount/core'
import type { WorkerPool } from '@genmount/provider-kit/workers'
import { LRUCache } from 'lru-cache'
import type { ConversionOrder, ConversionReply } from '../conversion/conversion-order.ts'
import { conversionTurns } from '../conversion/conversion-turns.ts'
import type { KeptVariants } from '../store/kept-variants.ts'
import { readOutput } from '../store/read-output.ts'
import { variantKey, variantPrefixOf } from '../store/variant-key.ts'
import { formatOf, readVariantRequest, type VariantFormat } from './variant-request.ts'

/** How long reading and converting a picture may take, in milliseconds. */
const limitMs = 30_000
/** How many outcomes are remembered that leave no file. */
const maxRemembered = 1000

/** The types of files from which variants are made. */
const convertible: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** What the maker works with. */
interface MakerContext {
  readonly host: PluginHost
  readonly kept: KeptVariants
  readonly pool: WorkerPool<ConversionOrder, ConversionReply>
  readonly threads: number
  readonly maxPixels: number
}

/** A variant that is to be made. */
interface Order {
  readonly key: string
  readonly job: Job
  readonly index: number
  readonly fileKey: string
  readonly width: number
  readonly format: VariantFormat
}

/** Finds variants, and makes those that there are not. */
export interface VariantMaker {
  /** See `OutputVariants.find`. */
  find(job: Job, index: number, query: URLSearchParams): Promise<string | undefined>
  /** Resolves when no variant is being made. */
  settled(): Promise<void>
}

export function variantMaker({ host, kept, pool, threads, maxPixels }: MakerContext): VariantMaker {
  const { files, clock, closing, changedBytes } = host
  const turns = conversionTurns(clock, threads)
  /** The variants that are being made. All requests for one of them wait for the same work. */
  const underWay = new Map<string, Promise<string | undefined>>()
  /** The variants that are the output itself (`undefined` as the refusal), and those that can't be made. */
  const withoutFile = new LRUCache<string, { readonly refusal: string | undefined }>({ max: maxRemembered })

  async function convert({ fileKey, width, format }: Order): Promise<ConversionReply> {
    const signal = AbortSignal.timeout(limitMs)
    const link = { untilAt: clock.now() + 2 * limitMs, signal }
    const picture = await withinLimit(
      clock,
      limitMs,
      'file store',
      () => readOutput(files, fileKey, link),
      closing,
    ).catch((cause: unknown) => {
      throw cause instanceof GenerationError ? cause : filesUnavailable(cause)
    })
    return pool.run({ picture, width, format, maxPixels }, signal).catch((fault: unknown) => {
      if (signal.aborted) return { refusal: `The output takes longer to convert than ${limitMs / 1000} s.` }
      throw fault
    })
  }

  async function make(order: Order): Promise<string | undefined> {
    const { key, job, index, format } = order
    if (await kept.has(key)) return key
    return turns.run(job.owner, async () => {
      const reply = await convert(order)
      if ('file' in reply) {
        const contentType = `image/${format}`
        const file = await changedBytes({ job, index, contentType }, reply.file)
        await kept.put(key, job, index, { bytes: file, contentType })
        return key
      }
      const outcome = { refusal: 'refusal' in reply ? reply.refusal : undefined }
      withoutFile.set(key, outcome)
      return outputOrRefusal(outcome)
    })
  }

  return {
    async find(job, index, query) {
      const request = readVariantRequest(query)
      if (!request) return undefined
      const { fileKey, contentType } = job.outputs[index] ?? {}
      const prefix = variantPrefixOf(job.id)
      if (fileKey === undefined || prefix === undefined) throw notKept(job)
      if (contentType !== undefined && !convertible.has(contentType)) throw refused(otherType(contentType))
      const { width, format = formatOf(contentType) } = request
      const key = variantKey(prefix, index, width, format)
      const outcome = withoutFile.get(key)
      if (outcome) return outputOrRefusal(outcome)
      const making =
        underWay.get(key) ??
        make({ key, job, index, fileKey, width, format }).finally(() => underWay.delete(key))
      underWay.set(key, making)
      return making
    },

    async settled() {
      await Promise.allSettled(underWay.values())
    },
  }
}

function outputOrRefusal({ refusal }: { readonly refusal: string | undefined }): undefined {
  if (refusal !== undefined) throw refused(refusal)
}

function refused(message: string): GenerationError {
  return new GenerationError('invalid_request', message)
}

function otherType(contentType: string): string {
  return `The output is of type ${contentType}. PNG, JPEG, WebP and GIF pictures can be had in other sizes and formats.`
}

/** The output is at its provider. `dueAt` is set as long as the service tries to copy it. */
function notKept({ dueAt }: Job): GenerationError {
  return dueAt === undefined
    ? new GenerationError(
        'not_supported',
        'The output stays at its provider, so it can not be had in other sizes and formats.',
      )
    : new GenerationError(
        'file_not_ready',
        'The file is being copied to the file store. Try again in a moment.',
      )
}

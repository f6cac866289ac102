import { filesUnavailable, GenerationError, type Job, type PluginHost, withinLimit } from '@genmount/core'
import type { WorkerPool } from '@genmount/provider-kit/workers'
import { LRUCache } from 'lru-cache'
import type { ConversionOrder, ConversionReply } from '../conversion/conversion-order.ts'
import { conversionTurns } from '../conversion/conversion-turns.ts'
import type { KeptVariants } from '../store/kept-variants.ts'
import type { DecodeFrame } from '../film/decode-frame.ts'
import { openOutput } from '../store/open-output.ts'
import { variantKey, variantPrefixOf } from '../store/variant-key.ts'
import { formatOf, readVariantRequest, type VariantFormat, type VariantRequest } from './variant-request.ts'

/** How long reading and converting a picture may take, in milliseconds. */
const limitMs = 30_000
/** How many outcomes are remembered that leave no file, and for how many milliseconds: the cause may pass. */
const remembered = { max: 1000, ttl: 10 * 60_000 }

/** The types of files from which variants are made. */
const convertible: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** What the maker works with. */
interface MakerContext {
  readonly host: PluginHost
  readonly variantFiles: KeptVariants
  readonly pool: WorkerPool<ConversionOrder, ConversionReply>
  readonly threads: number
  readonly maxPixels: number
  readonly decodeFrame: DecodeFrame | undefined
}

/** A variant that is to be made. */
interface Order {
  readonly key: string
  readonly job: Job
  readonly index: number
  readonly fileKey: string
  /** The media type of a film. `undefined` for a picture. */
  readonly filmType: string | undefined
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

export function variantMaker(context: MakerContext): VariantMaker {
  const { host, variantFiles, pool, threads, maxPixels, decodeFrame } = context
  const { files, clock, closing, changedBytes, log } = host
  const turns = conversionTurns(clock, threads)
  /** The variants that are being made. All requests for one of them wait for the same work. */
  const underWay = new Map<string, Promise<string | undefined>>()
  /** The variants that are the output itself (`undefined` as the refusal), and those that can't be made. */
  const withoutFile = new LRUCache<string, { readonly refusal: string | undefined }>(remembered)

  /** Opens, decodes and converts the file of an output, within the time for that. */
  async function convert(order: Order): Promise<ConversionReply> {
    const { width, format } = order
    const signal = AbortSignal.timeout(limitMs)
    const picture =
      order.filmType === undefined ? await pictureOf(order, signal) : await frameOf(order, signal)
    if (picture === undefined) return { refusal: 'The first frame of this film can not be decoded.' }
    try {
      const reply = await pool.run({ picture, width, format, maxPixels }, signal)
      return 'isSame' in reply && order.filmType !== undefined ? { file: picture } : reply
    } catch (fault) {
      if (signal.aborted) return { refusal: `The output takes longer to convert than ${limitMs / 1000} s.` }
      throw fault
    }
  }

  function fromStore<Result>(
    { fileKey, filmType }: Order,
    signal: AbortSignal,
    use: (file: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<Result> | Result,
  ): Promise<Result> {
    const access = { untilAt: clock.now() + 2 * limitMs, signal }
    const kind = filmType === undefined ? 'picture' : 'film'
    const read = async () => use(await openOutput(files, fileKey, kind, access))
    return withinLimit(clock, limitMs, 'file store', read, closing).catch((cause: unknown) => {
      throw cause instanceof GenerationError ? cause : filesUnavailable(cause)
    })
  }

  const pictureOf = (order: Order, signal: AbortSignal) =>
    fromStore(order, signal, async (file) => new Uint8Array(await new Response(file).arrayBuffer()))

  async function frameOf(order: Order, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { job, index, filmType: contentType } = order
    if (!decodeFrame || contentType === undefined) return undefined
    const body = await fromStore(order, signal, (file) => file)
    const decoded = () => decodeFrame({ body, contentType, signal })
    try {
      return new Uint8Array(await withinLimit(clock, limitMs, 'decoder of films', decoded, closing))
    } catch (cause) {
      log.warn(`Output ${index} of job ${job.id} has no poster: its first frame can not be decoded.`, {
        cause,
      })
      return undefined
    }
  }

  async function make(order: Order): Promise<string | undefined> {
    const { key, job, index, format } = order
    if (await variantFiles.has(key)) return key
    return turns.run(job.owner, async () => {
      const reply = await convert(order)
      if ('file' in reply) {
        const contentType = `image/${format}`
        const file = await changedBytes({ job, index, contentType }, reply.file)
        await variantFiles.put(key, job, index, { bytes: file, contentType })
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
      const filmType = contentType?.startsWith('video/') ? contentType : undefined
      checkType(request, contentType, filmType)
      // As without the plugin.
      if (filmType !== undefined && !decodeFrame) return undefined
      const { width, format = filmType === undefined ? formatOf(contentType) : 'jpeg' } = request
      const key = variantKey(prefix, index, width, format)
      const outcome = withoutFile.get(key)
      if (outcome) return outputOrRefusal(outcome)
      const making =
        underWay.get(key) ??
        make({ key, job, index, fileKey, filmType, width, format }).finally(() => underWay.delete(key))
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

function refused(message: string, param?: string): GenerationError {
  return new GenerationError('invalid_request', message, { param })
}

/** @throws GenerationError `invalid_request` when outputs of this type do not have what is asked for */
function checkType(
  { isPoster }: VariantRequest,
  contentType: string | undefined,
  filmType: string | undefined,
): void {
  const own = contentType === undefined ? 'no known type' : `type ${contentType}`
  if (isPoster && filmType === undefined)
    throw refused(`The output is of ${own}. Films have a poster.`, 'poster')
  if (!isPoster && filmType !== undefined)
    throw refused(`The output is of ${own}. Of a film there is a picture with poster=true.`, 'poster')
  if (contentType === undefined || filmType !== undefined || convertible.has(contentType)) return
  throw refused(
    `The output is of ${own}. PNG, JPEG, WebP and GIF pictures can be had in other sizes and formats.`,
  )
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

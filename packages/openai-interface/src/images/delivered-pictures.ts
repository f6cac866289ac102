import {
  filesUnavailable,
  type FileFetch,
  type GenerationService,
  type Job,
  type JobOutput,
  redirectTarget,
  toBase64,
} from '@genmount/core'
import type { InterfaceHost, OwnedExchange } from '@genmount/v1-interface'

/** A picture in an answer of OpenAI's API. */
export type DeliveredPicture = ({ readonly url: string } | { readonly b64_json: string }) & {
  readonly revised_prompt?: string | undefined
}

/** The pictures of an answer, and their media type, such as `image/png`. */
export interface Delivery {
  readonly pictures: readonly DeliveredPicture[]
  readonly contentType: string | undefined
}

/** A larger picture comes as a link, because a few of them would fill the memory. In bytes. */
const maxInlineBytes = 32 * 1024 * 1024
const fetchTimeoutMs = 60_000
/** How long the copy of an output into the file store is waited for, and how often the job is read, in milliseconds. */
const copying = { patienceMs: 30_000, everyMs: 250 }

/**
 * Makes the pictures of completed jobs an answer: as links, or as base64. A picture that the service can't read comes as
 * a link in any case, because it is paid for.
 */
export function pictureDelivery(host: InterfaceHost, fetchFile: FileFetch | undefined) {
  const { service } = host

  async function one(
    exchange: OwnedExchange,
    job: Job,
    n: number,
    form: 'url' | 'b64_json',
  ): Promise<DeliveredPicture> {
    const bytes = form === 'b64_json' ? await bytesOf(job.outputs[n]!, exchange.owner) : undefined
    const file = bytes ? { b64_json: toBase64(bytes) } : { url: await host.outputLink(job, n, exchange) }
    return { ...file, revised_prompt: job.outputs[n]!.revisedPrompt }
  }

  async function bytesOf(
    { fileKey, url }: JobOutput,
    owner: string,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (fileKey !== undefined) {
      try {
        const file = await service.files.open?.(fileKey)
        return file && file.size <= maxInlineBytes ? await bytesIn(file.read()) : undefined
      } catch (cause) {
        throw filesUnavailable(cause)
      }
    }
    if (url === undefined || !fetchFile) return undefined
    try {
      const limits = { maxBytes: maxInlineBytes, timeoutMs: fetchTimeoutMs, accept: ['image/*'], owner }
      const { body } = await fetchFile(url, { ...limits, signal: AbortSignal.timeout(fetchTimeoutMs) })
      return await bytesIn(body as ReadableStream<Uint8Array<ArrayBuffer>>)
    } catch {
      return undefined
    }
  }

  return async (
    exchange: OwnedExchange,
    finished: readonly Job[],
    form: 'url' | 'b64_json',
  ): Promise<Delivery> => {
    const jobs = await Promise.all(finished.map((job) => copiedJob(service, job, form === 'b64_json')))
    const pictures: DeliveredPicture[] = []
    // One after the other, because their bytes are in memory twice for a moment.
    for (const job of jobs)
      for (const n of job.outputs.keys()) pictures.push(await one(exchange, job, n, form))
    return { pictures, contentType: jobs[0]?.outputs[0]?.contentType }
  }
}

async function bytesIn(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/**
 * Waits until the outputs of a job are in the file store, if the service copies them there.
 * @param isEvery whether also outputs are waited for that have a link at the vendor
 */
async function copiedJob(
  { clock, get }: Pick<GenerationService, 'clock' | 'get'>,
  job: Job,
  isEvery: boolean,
): Promise<Job> {
  const untilUptime = clock.uptime() + copying.patienceMs
  let latest = job
  while (isCopying(latest, isEvery) && clock.uptime() < untilUptime) {
    await new Promise<void>((resolve) => void clock.after(copying.everyMs, resolve))
    latest = await get(job.id, job.owner)
  }
  return latest
}

function isCopying({ outputs, earliestAt }: Job, isEvery: boolean): boolean {
  if (earliestAt === undefined) return false
  return outputs.some(
    ({ fileKey, url }) => fileKey === undefined && (isEvery || redirectTarget(url ?? '') === undefined),
  )
}

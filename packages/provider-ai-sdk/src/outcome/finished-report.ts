import { Buffer } from 'node:buffer'
import { costOf, type FileFetch, type JsonObject, type Output, type ProviderReport } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { failed, type Scrub, scrubbedFault } from '@genmount/vendor-http'
import type { ImageResult, VideoData, VideoResult } from '../models/ai-sdk-model.ts'
import type { OfferedModel } from '../provider/ai-sdk-options.ts'

export type Result = Partial<ImageResult & VideoResult>

/** How to download a file that opens only with the vendor's key. */
export interface Download {
  readonly fetchFile: FileFetch
  readonly maxBytes: number
  readonly scrub: Scrub
  readonly signal: AbortSignal
  /** The owner of the task. */
  readonly owner: string | undefined
}

/** Reports the outputs and the cost of a finished task. @throws Error when an output cannot be downloaded at present */
export async function finishedReport(
  { price, units, outputKind }: Pick<OfferedModel, 'price' | 'units' | 'outputKind'>,
  input: JsonObject,
  result: Result,
  download: Download,
): Promise<ProviderReport> {
  const { images = [], videos = [], isRetryable } = result
  const outputs: Output[] = images.map((data) => ({ bytes: bytesOf(data) }))
  let refusal = `there is no ${outputKind}.`
  for (const video of videos) {
    const made = await outputsOf(video, outputKind, download)
    if (typeof made === 'string') refusal = made
    else outputs.push(...made)
  }
  const costUsd = costOf(price, { input, units: numberFrom(() => units?.(result) ?? outputs.length) })
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }
  return isRetryable === false
    ? failed('content_policy', `The provider withholds the ${outputKind}.`, costUsd)
    : failed('output_invalid', `The provider has finished, but ${refusal}`, costUsd)
}

/**
 * @returns the outputs, or the reason why the video cannot be fetched.
 * @throws Error when the download may succeed later
 */
async function outputsOf(
  video: VideoData,
  outputKind: string,
  download: Download,
): Promise<Output[] | string> {
  const { url, data } = video
  const { fetchFile, maxBytes, scrub, signal, owner } = download
  if (data !== undefined) return [{ bytes: bytesOf(data) }]
  if (url === undefined) return []
  // A URL with a key in it must neither be stored nor shown.
  const isSecret = scrub(url) !== url
  if (!isSecret) return [{ url }]
  try {
    const accept = [`${outputKind}/*`, 'application/octet-stream', 'binary/octet-stream']
    const { body } = await fetchFile(url, { accept, maxBytes, timeoutMs: 5 * 60_000, signal, owner })
    return [{ bytes: new Uint8Array(await new Response(body as BodyInit).arrayBuffer()) }]
  } catch (error) {
    // An HTTP status concerns the key or the quota, and may be temporary.
    if (error instanceof FetchRefusedError && !error.retryable && error.status === undefined)
      return `its ${outputKind} cannot be fetched: ${scrub(error.message)}`
    // The message may contain the URL.
    throw scrubbedFault(error, scrub)
  }
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data
}

/** An error in the app's own function must not fail a job that is paid for. The job then has no known cost. */
function numberFrom(count: () => number): number {
  try {
    return count()
  } catch {
    return Number.NaN
  }
}

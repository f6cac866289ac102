import { Buffer } from 'node:buffer'
import { costOf, type FileFetch, type JsonObject, type Output, type ProviderReport } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { failed, type Scrub, scrubbedFault } from '@genmount/vendor-http'
import type { ImageResult, VideoData, VideoResult } from '../models/ai-sdk-model.ts'
import type { OfferedModel } from '../provider/ai-sdk-options.ts'

export type Result = Partial<ImageResult & VideoResult>

/** How a file is got that only opens with our key. */
export interface Download {
  readonly fetchFile: FileFetch
  readonly maxBytes: number
  readonly scrub: Scrub
  readonly signal: AbortSignal
  /** The task's. */
  readonly owner: string | undefined
}

/** What a finished task made and cost. @throws Error when an output is not to be had at present */
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

/** @returns a text when it will never be had. @throws Error when it may be had later */
async function outputsOf(
  video: VideoData,
  outputKind: string,
  download: Download,
): Promise<Output[] | string> {
  const { url, data } = video
  const { fetchFile, maxBytes, scrub, signal, owner } = download
  if (data !== undefined) return [{ bytes: bytesOf(data) }]
  if (url === undefined) return []
  // It opens with a key of ours, and is neither stored nor shown to anybody.
  const isSecret = scrub(url) !== url
  if (!isSecret) return [{ url }]
  try {
    const accept = [`${outputKind}/*`, 'application/octet-stream', 'binary/octet-stream']
    const { body } = await fetchFile(url, { accept, maxBytes, timeoutMs: 5 * 60_000, signal, owner })
    return [{ bytes: new Uint8Array(await new Response(body as BodyInit).arrayBuffer()) }]
  } catch (error) {
    // What a status says is about the key or the quota, and may pass.
    if (error instanceof FetchRefusedError && !error.retryable && error.status === undefined)
      return `its ${outputKind} can not be fetched: ${scrub(error.message)}`
    // May say the URL.
    throw scrubbedFault(error, scrub)
  }
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data
}

/** A fault of the app's own function must not cost a job that is paid for. */
function numberFrom(count: () => number): number {
  try {
    return count()
  } catch {
    return Number.NaN
  }
}

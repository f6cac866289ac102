import { Buffer } from 'node:buffer'
import { costOf, type FileFetch, type Output, type ProviderReport, type ProviderTask } from '@genmount/core'
import type { ImageResult, VideoData, VideoResult } from '../models/ai-sdk-model.ts'
import type { ModelEntry } from '../models/model-entry.ts'
import { carriesKey, type Scrub } from './scrub.ts'

export type Result = Partial<ImageResult & VideoResult>

/** Gets the file behind a URL that must not be passed on. @throws Error */
export type Download = (url: string) => Promise<Uint8Array>

/** What a finished task made and cost. @throws what `download` throws */
export async function finishedReport(
  { price, units, publicModel }: ModelEntry,
  task: ProviderTask,
  result: Result,
  scrub: Scrub,
  download: Download,
): Promise<ProviderReport> {
  const { images = [], videos = [], isRetryable } = result
  const outputs: Output[] = images.map((data) => ({ bytes: bytesOf(data) }))
  for (const video of videos) outputs.push(...(await outputsOf(video, scrub, download)))
  const costUsd = costOf(price, { input: task.input, units: unitsOf(units, result, outputs.length) })
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }
  const kind = publicModel.outputKind
  return isRetryable === false
    ? { state: 'failed', code: 'content_policy', message: `The provider withholds the ${kind}.`, costUsd }
    : {
        state: 'failed',
        code: 'output_invalid',
        message: `The provider has finished, but there is no ${kind}.`,
        costUsd,
      }
}

/** Downloads with the guarded fetch, into memory. */
export function downloader(
  fetchFile: FileFetch,
  outputKind: string,
  maxBytes: number,
  signal: AbortSignal,
): Download {
  const accept = [`${outputKind}/*`, 'application/octet-stream', 'binary/octet-stream']
  return async (url) => {
    const { body } = await fetchFile(url, { accept, maxBytes, timeoutMs: 5 * 60_000, signal })
    return new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
  }
}

async function outputsOf({ url, data }: VideoData, scrub: Scrub, download: Download): Promise<Output[]> {
  if (data !== undefined) return [{ bytes: bytesOf(data) }]
  if (url === undefined) return []
  if (!carriesKey(url, scrub)) return [{ url }]
  try {
    return [{ bytes: await download(url) }]
  } catch (error) {
    // May say the URL.
    throw new Error(scrub(String(error)), { cause: error })
  }
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data
}

/** A fault of a price list must not cost a job that is paid for. */
function unitsOf(units: ModelEntry['units'], result: Result, outputs: number): number {
  try {
    return units ? units(result) : outputs
  } catch {
    return Number.NaN
  }
}

import { Buffer } from 'node:buffer'
import { costOf, type FileFetch, type Output, type ProviderReport, type ProviderTask } from '@genmount/core'
import { FetchRefusedError, gatherBytes } from '@genmount/guarded-fetch'
import { failed, type Scrub, scrubbedFault } from '@genmount/vendor-http'
import { type AiSdkModel, type AiSdkResult, type AiSdkVideo, isVideoModel } from '../models/ai-sdk-model.ts'
import type { ModelTaskOptions } from '../tasks/model-task-options.ts'

/** How to count what a task has cost, and how to download a video that opens only with the vendor's key. */
export interface Finishing extends Pick<ModelTaskOptions, 'costOf'> {
  readonly costOf?:
    ((task: ProviderTask, result: AiSdkResult, outputs: number) => number | undefined) | undefined
  readonly fetchFile: FileFetch
  readonly maxOutputBytes: number
  readonly scrub: Scrub
  readonly signal: AbortSignal
}

/** Reports the outputs and the cost of a finished task. @throws Error when an output cannot be downloaded at present */
export async function finishedReport(
  model: AiSdkModel,
  task: ProviderTask,
  result: AiSdkResult,
  finishing: Finishing,
): Promise<ProviderReport> {
  const kind = isVideoModel(model) ? 'video' : 'image'
  const { images = [], videos = [], isRetryable } = result
  const outputs: Output[] = images.map((data) => ({ bytes: bytesOf(data) }))
  let refusal = `there is no ${kind}.`
  for (const video of videos) {
    const made = await outputsOf(video, task, finishing)
    if (typeof made === 'string') refusal = made
    else outputs.push(...made)
  }
  const units = outputs.length
  // Core's costOf, because an error in the app's own function must not fail a task that is paid for.
  const costUsd = costOf(() => finishing.costOf?.(task, result, units) ?? Number.NaN, {
    input: task.input,
    units,
  })
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }
  return isRetryable === false
    ? failed('content_policy', `The provider withholds the ${kind}.`, costUsd)
    : failed('output_invalid', `The provider has finished, but ${refusal}`, costUsd)
}

/**
 * @returns the outputs, or the reason why the video cannot be fetched.
 * @throws Error when the download may succeed later
 */
async function outputsOf(
  { url, data }: AiSdkVideo,
  { owner }: ProviderTask,
  { fetchFile, maxOutputBytes: maxBytes, scrub, signal }: Finishing,
): Promise<readonly Output[] | string> {
  if (data !== undefined) return [{ bytes: bytesOf(data) }]
  if (url === undefined) return []
  // A URL with a key in it must neither be stored nor shown.
  if (scrub(url) === url) return [{ url }]
  try {
    const accept = ['video/*', 'application/octet-stream', 'binary/octet-stream']
    const { body } = await fetchFile(url, { accept, maxBytes, timeoutMs: 5 * 60_000, signal, owner })
    return [{ bytes: await gatherBytes(body) }]
  } catch (error) {
    // An HTTP status concerns the key or the quota, and may be temporary.
    if (error instanceof FetchRefusedError && !error.retryable && error.status === undefined)
      return `its video cannot be fetched: ${scrub(error.message)}`
    // The message may contain the URL.
    throw scrubbedFault(error, scrub)
  }
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data
}

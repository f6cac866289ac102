import {
  costOf,
  type FileFetch,
  outputUrlFault,
  type ProviderReport,
  type ProviderTask,
} from '@genmount/core'
import { FetchRefusedError, gatherBytes } from '@genmount/guarded-fetch'
import {
  type AnsweredFile,
  answerFiles,
  failed,
  listedFiles,
  recordOf,
  scrubbedFault,
} from '@genmount/provider-kit'
import { type AiSdkModel, type AiSdkResult, isVideoModel } from '../models/ai-sdk-model.ts'
import type { ModelTaskOptions } from '../tasks/model-task-options.ts'
import type { Scrub } from './without-keys.ts'

/** How to count what a task has cost, and how to download a video that opens only with the vendor's key. */
export interface Finishing extends Pick<ModelTaskOptions, 'costOf'> {
  readonly costOf?:
    | ((task: ProviderTask, result: AiSdkResult, outputs: number) => number | undefined)
    | undefined
  readonly fetchFile: FileFetch
  readonly maxOutputBytes: number
  readonly scrub: Scrub
  /** Whether a URL contains the vendor's key. */
  readonly isKeyed: (url: string) => boolean
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
  const { images, videos, isRetryable, error } = recordOf(result)
  const { isKeyed } = finishing
  // A link with the vendor's key is never delivered, so it may lead anywhere.
  const linkFault = (link: string) => (isKeyed(link) ? undefined : outputUrlFault(link))
  const search = { kind, isBase64: true, linkFault } as const
  const list: AnsweredFile[] = []
  for (const file of answerFiles(kind === 'video' ? { videos } : { images }, search).list)
    list.push(await withoutKey(file, task, finishing))
  const files = listedFiles(list)
  const units = files.made
  // Core's costOf, because an error in the app's own function must not fail a task that is paid for.
  const costUsd = costOf(() => finishing.costOf?.(task, result, units) ?? Number.NaN, {
    input: task.input,
    units,
  })
  if (isRetryable === false && !files.hasOutput)
    return failed('content_policy', `The provider withholds the ${kind}.`, costUsd)
  return files.report({ vendor: 'The provider', kind, answer: { error }, costUsd })
}

/**
 * The file itself in the place of a link that opens only with the vendor's key.
 * @throws Error when the download may succeed later
 */
async function withoutKey(
  file: AnsweredFile,
  { owner }: ProviderTask,
  { fetchFile, maxOutputBytes: maxBytes, isKeyed, scrub, signal }: Finishing,
): Promise<AnsweredFile> {
  const { at, output } = file
  const url = output && 'url' in output ? output.url : ''
  if (!isKeyed(url)) return file
  // A URL with a key in it must neither be stored nor shown.
  try {
    const accept = ['video/*', 'application/octet-stream', 'binary/octet-stream']
    const { body } = await fetchFile(url, { accept, maxBytes, timeoutMs: 5 * 60_000, signal, owner })
    return { at, output: { bytes: await gatherBytes(body) } }
  } catch (error) {
    // An HTTP status concerns the key or the quota, and may be temporary.
    if (error instanceof FetchRefusedError && !error.retryable && error.status === undefined)
      return { at, fault: `cannot be fetched: ${scrub(error.message)}` }
    // The message may contain the URL.
    throw scrubbedFault(error, scrub)
  }
}

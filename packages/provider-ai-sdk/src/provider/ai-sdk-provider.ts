import {
  checkCount,
  type FileFetch,
  type Json,
  type Provider,
  type ProviderReport,
  type ProviderTask,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { callOptions, type CallOptions } from '../input/call-options.ts'
import type { MediaInput } from '../input/input-schema.ts'
import { PictureError, pictureReader } from '../input/read-picture.ts'
import { unsupportedInput } from '../input/unsupported-input.ts'
import {
  type AiSdkModel,
  type DurableVideoModel,
  isDurable,
  type VideoStatus,
} from '../models/ai-sdk-model.ts'
import { type AiSdkModelOptions, type ModelEntry, modelEntry } from '../models/model-entry.ts'
import { downloader, finishedReport, type Result } from '../outcome/finished-report.ts'
import { startFailure, statusFailure } from '../outcome/model-failure.ts'
import { scrubber } from '../outcome/scrub.ts'
import { errorReport, readHandle, runningReport } from './status-report.ts'
import { underLimit } from './under-limit.ts'

export interface AiSdkProviderOptions {
  /** Models of the AI SDK, alone or with options, by the ids that clients name. */
  readonly models: Readonly<Record<string, AiSdkModel | AiSdkModelOptions>>
  /**
   * The vendors' keys, to be taken out of whatever a vendor says. Without them keys are known by their looks.
   * @default none
   */
  readonly secrets?: readonly string[] | undefined
  /**
   * How long a model that can only be waited for may take, in milliseconds. A durable model has a minute for each call.
   * @default 600000 (10 minutes)
   */
  readonly callTimeoutMs?: number | undefined
  /** How large a film may be that only opens with our key and so has to go through this process. @default 268435456 (256 MiB) */
  readonly maxOutputBytes?: number | undefined
  /** Fetches clients' images, and films that only open with our key. @default `guardedFetch` */
  readonly fetchFile?: FileFetch | undefined
}

/** For a call that only starts a task or asks after it. */
const askTimeoutMs = 60_000

/**
 * Runs image and video models of the AI SDK, of any version of its specification. A video model with `doStart` and
 * `doStatus` is durable: any process goes on with its jobs that has a model of the same id. Any other is waited for.
 * @throws TypeError when an option is wrong
 * @example aiSdkProvider({ models: { 'veo-3': google.video('veo-3.1-generate-preview') } })
 */
export function aiSdkProvider(options: AiSdkProviderOptions): Provider {
  const { callTimeoutMs = 600_000, maxOutputBytes = 256 * 1024 * 1024, fetchFile = guardedFetch } = options
  if (typeof options.models !== 'object' || options.models === null || Array.isArray(options.models))
    throw new TypeError('models must be an object of AI SDK models by their public ids.')
  checkCount('callTimeoutMs', callTimeoutMs)
  checkCount('maxOutputBytes', maxOutputBytes)
  if (typeof fetchFile !== 'function')
    throw new TypeError('fetchFile must be a function such as guardedFetch.')
  const scrub = scrubber(options.secrets ?? [])
  const entries = new Map(Object.entries(options.models).map(([id, given]) => [id, modelEntry(id, given)]))
  if (entries.size === 0) throw new TypeError('models must name at least one model.')

  function entryOf({ model }: ProviderTask): ModelEntry {
    const entry = entries.get(model)
    if (entry) return entry
    throw new Error(`There is no model ${model} here.`)
  }

  function finished(task: ProviderTask, result: Result, signal: AbortSignal): Promise<ProviderReport> {
    const entry = entryOf(task)
    const download = downloader(fetchFile, entry.publicModel.outputKind, maxOutputBytes, signal)
    return finishedReport(entry, task, result, scrub, download)
  }

  async function start(
    model: DurableVideoModel,
    given: object,
    signal: AbortSignal,
  ): Promise<ProviderReport> {
    try {
      const { operation } = await underLimit(signal, askTimeoutMs, (abortSignal) =>
        model.doStart({ ...given, abortSignal } as never),
      )
      return runningReport(operation as Json)
    } catch (error) {
      return startFailure(error, scrub)
    }
  }

  async function generate(
    task: ProviderTask,
    given: CallOptions,
    signal: AbortSignal,
  ): Promise<ProviderReport> {
    const { model } = entryOf(task)
    let result: Result
    try {
      result = await underLimit(signal, callTimeoutMs, async (abortSignal) =>
        // Only a video model can do without, and then it is durable.
        model.doGenerate!({ ...given, abortSignal } as never),
      )
    } catch (error) {
      return startFailure(error, scrub, { prompt: given.prompt })
    }
    return finished(task, result, signal).catch(() => ({
      state: 'failed',
      code: 'output_invalid',
      message: 'The provider has finished, but its output could not be fetched.',
    }))
  }

  return {
    name: 'ai-sdk',
    models: [...entries.values()].map(({ publicModel }) => publicModel),
    callTimeoutMs,

    async submit(task, { signal }) {
      const entry = entryOf(task)
      // The service hands over what the model's schema returned.
      const input = task.input as unknown as MediaInput
      const unsupported = await unsupportedInput(entry.model, input)
      if (unsupported) return { state: 'failed', code: 'provider_rejected', message: unsupported }
      const readPicture = pictureReader(fetchFile, entry.passImageUrls ?? false, signal)
      try {
        const given = await callOptions(entry, input, readPicture)
        return await (isDurable(entry.model)
          ? start(entry.model, given, signal)
          : generate(task, given, signal))
      } catch (error) {
        if (!(error instanceof PictureError)) throw error
        return { state: 'failed', code: 'input_fetch_failed', message: error.message }
      }
    },

    async poll(task, { signal }) {
      const { model } = entryOf(task)
      const handle = readHandle(task.handle)
      if (!isDurable(model)) throw new Error(`Model ${task.model} can't be asked after a task.`)
      let status: VideoStatus
      try {
        const { operation } = handle
        status = await underLimit(signal, askTimeoutMs, (abortSignal) =>
          model.doStatus({ operation, abortSignal } as never),
        )
      } catch (error) {
        return statusFailure(error, scrub)
      }
      if (status.status === 'completed') return finished(task, status, signal)
      return status.status === 'error'
        ? errorReport(handle, scrub(status.error || 'The provider gave no reason.'))
        : runningReport(handle.operation)
    },
  }
}

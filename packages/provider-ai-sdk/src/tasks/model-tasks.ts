import {
  accepts,
  checkOptions,
  type Json,
  type ProviderReport,
  type ProviderTask,
  type RunningTask,
} from '@genmount/core'
import { answerFiles, failed, recordOf, scrubber } from '@genmount/provider-kit'
import { type AiSdkModel, type AiSdkResult, isDurable, isMediaModel } from '../models/ai-sdk-model.ts'
import { unsupportedInput } from '../models/unsupported-input.ts'
import { finishedReport } from '../outcome/finished-report.ts'
import { startFailure, statusFailure } from '../outcome/model-failure.ts'
import { warningRecord } from '../outcome/warning-record.ts'
import { hasKey, withoutKeys } from '../outcome/without-keys.ts'
import type { ModelCall } from './model-call.ts'
import { type ModelTaskOptions, modelTaskOptions } from './model-task-options.ts'
import { errorReport, readHandle, runningReport } from './status-report.ts'

/** Runs the tasks of one model. Its methods are those of a `Provider`, with the model's call beside the task. */
export interface ModelTasks {
  /**
   * Starts a task: with `doStart` if the model has it, and else with `doGenerate`, which resolves when the task has
   * ended.
   * @throws Error when the vendor may have accepted the task
   */
  submit(task: ProviderTask, call: ModelCall, signal: AbortSignal): Promise<ProviderReport>
  /** Asks for the state of a task. @throws Error when there is no news, and for models without `doStatus` */
  poll(task: RunningTask, signal: AbortSignal): Promise<ProviderReport>
}

const checkModel = accepts<AiSdkModel>('an image or video model of the AI SDK', isMediaModel)

const noReason = 'The provider gave no reason.'

/** Limits a call that only starts or polls a task to one minute. */
function shortly(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(60_000)])
}

/**
 * Makes what runs the tasks of a model of the AI SDK, of any version of its specification. The tasks of a video model
 * with `doStart` and `doStatus` survive a restart: any process can poll them. Other models make their output within one
 * call. If that call breaks off, nobody knows whether the vendor charges for it.
 * @throws TypeError when `model` is not an image or video model, or when an option is wrong. The error names the option
 * @example
 * const tasks = modelTasks(replicate.image('black-forest-labs/flux-schnell'), { costOf: () => 0.003 })
 * const report = await tasks.submit(task, { prompt: `An icon of ${task.input.subject}` }, signal)
 */
export function modelTasks(model: AiSdkModel, options: ModelTaskOptions = {}): ModelTasks {
  checkModel('modelTasks: model', model)
  const { secrets, ...checked } = checkOptions('modelTasks', options, modelTaskOptions)
  const hideSecrets = scrubber(secrets)
  const scrub = (words: string) => withoutKeys(hideSecrets(words))
  const isKeyed = (url: string) => hideSecrets(url) !== url || hasKey(url)
  const record = warningRecord(model, checked.onWarning === 'refuse', checked.log ?? console, scrub)

  /** @param ignored the ignored parts for which the task must be refused, in words */
  async function finished(
    task: ProviderTask,
    result: AiSdkResult,
    signal: AbortSignal,
    ignored: string | undefined,
  ): Promise<ProviderReport> {
    const report = await finishedReport(model, task, result, { ...checked, scrub, isKeyed, signal })
    return ignored === undefined || report.state !== 'succeeded'
      ? report
      : ignoredReport(ignored, report.costUsd)
  }

  return {
    async submit(task, input, signal) {
      const call = { n: 1, providerOptions: {}, ...input }
      const unsupported = await unsupportedInput(model, call)
      if (unsupported !== undefined) return failed('provider_rejected', unsupported)
      const earlierRefusal = record.refusalOf(call)
      if (earlierRefusal !== undefined) return ignoredReport(earlierRefusal, 0)
      let result: AiSdkResult
      try {
        // Only durable video models may lack doGenerate.
        result = isDurable(model)
          ? await model.doStart({ ...call, abortSignal: shortly(signal) } as never)
          : await model.doGenerate!({ ...call, abortSignal: signal } as never)
      } catch (error) {
        const blocking = isDurable(model) ? undefined : { prompt: call.prompt }
        return startFailure(error, scrub, blocking, `${model.provider} model ${model.modelId}`)
      }
      const ignored = record.note(task.model, call, result.warnings)
      if (isDurable(model)) return runningReport(result.operation as Json, ignored)
      return finished(task, result, signal, ignored).catch(() =>
        failed('output_invalid', 'The provider has finished, but its output could not be fetched.'),
      )
    },

    async poll(task, signal) {
      const handle = readHandle(task.handle)
      if (!isDurable(model))
        throw new Error(`The model ${task.model} cannot be polled, because it has no doStatus.`)
      const { operation, ignored } = handle
      let result: AiSdkResult
      try {
        result = await model.doStatus({ operation, abortSignal: shortly(signal) } as never)
      } catch (error) {
        return statusFailure(error, scrub)
      }
      const { status, videos, error } = recordOf(result)
      const files = answerFiles(videos, { kind: 'video', isBase64: true })
      const state = files.stateOf(status, 'completed')
      if (state === 'completed') return finished(task, result, signal, ignored)
      if (state === 'error')
        return errorReport(handle, scrub(typeof error === 'string' && error !== '' ? error : noReason))
      return runningReport(operation, ignored)
    },
  }
}

/** The report on a task of which the model ignored a part. @param ignored the ignored part, in words */
function ignoredReport(ignored: string, costUsd: number | undefined): ProviderReport {
  return failed('provider_rejected', `The model does not do all that was asked for: ${ignored}`, costUsd)
}

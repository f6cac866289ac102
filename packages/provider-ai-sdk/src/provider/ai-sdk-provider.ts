import type { Json, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { pictureRefusal } from '@genmount/input-fields'
import { failed } from '@genmount/vendor-http'
import { type CallOptions, withCallOptions } from '../input/call-options.ts'
import type { MediaInput } from '../input/input-schema.ts'
import { unsupportedInput } from '../input/unsupported-input.ts'
import { isDurable, type VideoStatus, type Warned } from '../models/ai-sdk-model.ts'
import { finishedReport, type Result } from '../outcome/finished-report.ts'
import { startFailure, statusFailure } from '../outcome/model-failure.ts'
import { ignoredReport, withoutIgnored } from '../outcome/ignored-report.ts'
import { warningRecord } from '../outcome/warning-record.ts'
import { withoutKeys } from '../outcome/without-keys.ts'
import { type AiSdkProviderOptions, checkAiSdkOptions, type OfferedModel } from './ai-sdk-options.ts'
import { errorReport, readHandle, runningReport } from './status-report.ts'

/** Limits a call that only starts or polls a task to a minute. */
function shortly(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(60_000)])
}

/**
 * Runs image and video models of the AI SDK, of any version of its specification. The jobs of a video model with
 * `doStart` and `doStatus` survive a restart: every process that offers a model with the same id can go on with them.
 * Other models make their output within one call. If that call breaks off, nobody knows whether the vendor charges for
 * it.
 * @throws TypeError that names the option, when an option is wrong
 * @example aiSdkProvider({ models: { flux: replicate.image('black-forest-labs/flux-schnell') } })
 */
export function aiSdkProvider(options: AiSdkProviderOptions): Provider {
  const checked = checkAiSdkOptions(options)
  const { models: offered, secrets: hideSecrets, callTimeoutMs, maxOutputBytes, fetchFile } = checked
  const scrub = (text: string) => withoutKeys(hideSecrets(text))
  const record = warningRecord(checked.log ?? console, scrub)

  const finished = (task: ProviderTask, result: Result, signal: AbortSignal) =>
    finishedReport(offered.of(task), task.input, result, {
      fetchFile,
      maxBytes: maxOutputBytes,
      scrub,
      signal,
      owner: task.owner,
    })

  async function run(
    { model, onWarning }: OfferedModel,
    task: ProviderTask,
    given: CallOptions,
    signal: AbortSignal,
  ): Promise<ProviderReport> {
    const known = onWarning === 'refuse' ? record.known(task.model, given) : undefined
    if (known !== undefined) return ignoredReport(known, 0)
    const ignoredIn = ({ warnings }: Warned) => {
      const ignored = record.note(task.model, model, given, warnings)
      return onWarning === 'refuse' ? ignored : undefined
    }
    let result: Result & Warned
    try {
      if (isDurable(model)) {
        const start = await model.doStart({ ...given, abortSignal: shortly(signal) } as never)
        return runningReport({ operation: start.operation as Json, ignored: ignoredIn(start) })
      }
      // Only durable video models may lack doGenerate, and those have returned above.
      result = await model.doGenerate!({ ...given, abortSignal: signal } as never)
    } catch (error) {
      const blocking = isDurable(model) ? undefined : { prompt: given.prompt }
      return startFailure(error, scrub, blocking, `${model.provider} model ${model.modelId}`)
    }
    const ignored = ignoredIn(result)
    const report = await finished(task, result, signal).catch(() =>
      failed('output_invalid', 'The provider has finished, but its output could not be fetched.'),
    )
    return withoutIgnored(report, ignored)
  }

  return {
    name: 'ai-sdk',
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const entry = offered.of(task)
      // The service passes the value that the model's schema returned.
      const input = task.input as unknown as MediaInput
      const unsupported = await unsupportedInput(entry.model, input)
      if (unsupported) return failed('provider_rejected', unsupported)
      try {
        return await withCallOptions(entry, input, { fetchFile, signal, owner: task.owner }, (given) =>
          run(entry, task, given, signal),
        )
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll(task, { signal }) {
      const { model } = offered.of(task)
      const handle = readHandle(task.handle)
      const { operation, ignored } = handle
      if (!isDurable(model))
        throw new Error(`The model ${task.model} cannot be polled, because it has no doStatus.`)
      let status: VideoStatus
      try {
        status = await model.doStatus({ operation, abortSignal: shortly(signal) } as never)
      } catch (error) {
        return statusFailure(error, scrub)
      }
      switch (status.status) {
        case 'completed':
          return withoutIgnored(await finished(task, status, signal), ignored)
        case 'error':
          return errorReport(handle, scrub(status.error || 'The provider gave no reason.'))
        default:
          return runningReport({ operation, ignored })
      }
    },
  }
}

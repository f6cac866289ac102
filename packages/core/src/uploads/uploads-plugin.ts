import type { Model } from '../contracts/provider.ts'
import type { Json } from '../contracts/json.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { PluginHooks, ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import type { Uploads } from '../contracts/plugin/uploads.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { awaitsAnswer, isFinished } from '../job/job-state.ts'
import { isExpired } from '../job/deleted-job.ts'
import { someText, textsIn } from '../text/json-values.ts'
import { deleteExpiredUploads, uploadFiles } from './upload-files.ts'
import { inputForm } from './input-form.ts'
import { inputFiles, isReference, mayBeReference } from './input-files.ts'
import { isTokenOf, nameOf, readUploadId, readUploadUrl, uploadKeyOf } from './upload-reference.ts'
import { jobsAwaited } from './jobs-awaited.ts'
import { resolveInput } from './resolve-input.ts'
import { submitInputOf, taskInputOf } from './submit-input.ts'
import { type CheckedUploadOptions, checkUploadOptions, type UploadOptions } from './upload-options.ts'
import { uploadTaker } from './upload-taker.ts'

const hourMs = 60 * 60_000
/** How many expired uploads are deleted at a time. */
const batchSize = 100
/** How many milliseconds after a full batch the next batch follows. */
const nextBatchMs = 50
/** How often to look for expired uploads, in milliseconds. They can't be used any more. */
const sweepMs = 10 * 60_000

/**
 * Lets clients upload files for the inputs of their jobs, into the file store of the service, which needs `list`.
 * @throws TypeError when an option is wrong, the file store has no `list`, or uploads would expire before the deadline of
 *   every job
 * @example createGenerationService({ providers, files: diskFiles({ folder }), plugins: [uploads()] })
 */
export function uploads(options: UploadOptions = {}): ServicePlugin {
  const checked = checkUploadOptions('uploads', options)
  return {
    name: 'uploads',
    attach(host) {
      checkFit(checked, host)
      return uploadHooks(checked, host)
    },
  }
}

function checkFit(
  { retentionHours }: CheckedUploadOptions,
  {
    files,
    deadlineMs,
    models,
  }: { readonly files: PluginHost['files']; readonly deadlineMs: number; readonly models: readonly Model[] },
): void {
  if (!files.list) throw new TypeError('uploads needs a file store with list, such as diskFiles({ folder }).')
  const mustBeLonger = (limitMs: number, whose: string) => {
    if (retentionHours * hourMs <= limitMs)
      throw new TypeError(
        `uploads: retentionHours must be longer than deadlineMs${whose}, which is ${limitMs / hourMs} hours.`,
      )
  }
  mustBeLonger(deadlineMs, '')
  for (const model of models) mustBeLonger(model.deadlineMs ?? 0, ` of the model ${model.id}`)
}

function uploadHooks(options: CheckedUploadOptions, host: PluginHost): PluginHooks {
  const { files, jobs, clock, sureNow, fileRooms } = host
  const storedFiles = uploadFiles(files, clock)
  const form = inputForm(files, options.baseUrl, storedFiles, () => clock.now())
  const taker = uploadTaker(options, host)
  const inputs = inputFiles(storedFiles, host.read)
  const awaited = jobsAwaited(inputs, host)
  const submitInput = submitInputOf(inputs, form)
  const hasReference = (value: Json) => someText(value, isReference)

  const face: Uploads = {
    maxBytes: options.maxBytes,
    async store(owner, body, announced) {
      host.start()
      return taker.store(owner, body, announced)
    },

    async delete(id, owner) {
      const upload = readUploadId(id)
      const stored =
        upload && sureNow() < upload.expiresAt ? await storedFiles.find(owner, upload) : undefined
      if (!stored) {
        // The earlier try may have deleted the file and then failed to free its bytes.
        if (upload) await fileRooms()?.free(owner, await uploadKeyOf(owner, upload))
        throw new GenerationError('file_not_found', 'There is no such upload, or it has expired.')
      }
      await storedFiles.delete(stored.key)
      await fileRooms()?.free(owner, stored.key)
    },

    async openInput(jobId, token, name) {
      const job = await jobs.get(jobId)
      if (!job || isExpired(job, sureNow())) return undefined
      // The provider may have the task of a job whose submit got no answer, and read its input later.
      if (isFinished(job) && !awaitsAnswer(job)) return undefined
      if (!(await isTokenOf(job, token))) return undefined
      for (const reference of textsIn(job.input ?? {}, isReference)) {
        const upload = readUploadUrl(reference)
        // The name of an output has its type, so it is known only when the output is.
        if (upload && (await nameOf(upload)) !== name) continue
        const each = await inputs.find(job.owner, reference)
        if (each.state !== 'stored' || !each.file.file || (await nameOf(each.id)) !== name) continue
        return { owner: job.owner, file: each.file.file }
      }
      return undefined
    },
  }

  return {
    resolveInput: (owner, input) =>
      someText(input, mayBeReference)
        ? resolveInput({ files: inputs, form, clock, now: sureNow }, owner, input)
        : undefined,
    awaitsInput: awaited.awaitsInput,
    submitInput: (job, input) => (hasReference(input) ? submitInput(job, input) : undefined),
    taskInput: (input) => (hasReference(input) ? taskInputOf(input) : input),
    wrote: awaited.wrote,
    sweep: {
      what: 'expired uploads',
      async look() {
        return (await deleteExpiredUploads({ files, clock, sureNow }, batchSize)) ? nextBatchMs : sweepMs
      },
    },
    settled: taker.settled,
    face: { uploads: face },
  }
}

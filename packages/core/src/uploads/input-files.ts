import type { Job } from '../contracts/job.ts'
import type { OutputKind } from '../contracts/provider.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import { isUploadUrl } from '../contracts/plugin/uploads.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { fileKeyOf } from '../job/file-key.ts'
import { hasCopyLeft, isFinished } from '../job/job-state.ts'
import { extensionOf } from '../text/media-kinds.ts'
import { isJobUrl, isOutputAddress, type JobReference, jobUrl, readJobReference } from './job-reference.ts'
import type { UploadFile, UploadFiles } from './upload-files.ts'
import { readUploadUrl, type UploadId } from './upload-reference.ts'

/** What an input refers to: an upload, or an output of a job. */
export type InputFile =
  /** The file is in the file store. */
  | { readonly state: 'stored'; readonly id: UploadId; readonly file: UploadFile }
  /** Only the vendor keeps the output. */
  | { readonly state: 'linked'; readonly url: string; readonly expiresAt: number }
  /** The job has no outputs yet, or they are still being stored. It takes its next step at `dueAt`. */
  | {
      readonly state: 'awaited'
      readonly id: UploadId
      readonly jobId: string
      readonly dueAt: number | undefined
    }
  /** There is no such file, for this reason. */
  | { readonly state: 'missing'; readonly why: string; readonly isUnknownJob?: true }

/** Whether a text in the input of a create may refer to a file. In stored inputs, addresses of outputs refer to nothing. */
export function mayBeReference(text: string): boolean {
  return isReference(text) || isOutputAddress(text)
}

/** Whether a text in a stored input refers to a file. */
export function isReference(text: string): boolean {
  return isUploadUrl(text) || isJobUrl(text)
}

/** Finds the files that inputs refer to. */
export interface InputFiles {
  /**
   * @param owner the owner of the input: no input gets a file of another owner
   * @throws GenerationError `store_unavailable`
   */
  find(owner: string, reference: string): Promise<InputFile>
}

/** The media type that stands for an output whose own is not known yet, such as for the schema of a model. */
const typeOfKind: Readonly<Record<OutputKind, string>> = { image: 'image/png', video: 'video/mp4' }

/** Makes the finder of a service. */
export function inputFiles(files: UploadFiles, read: PluginHost['read']): InputFiles {
  async function ofJob(owner: string, reference: JobReference): Promise<InputFile> {
    const { jobId, index } = reference
    const missing = (why: string) => ({ state: 'missing', why }) as const
    const job = await ownJob(jobId, owner)
    if (!job) return unknownJob
    if (job.phase === 'failed') return missing(`The job ${jobId} has failed, so it has no outputs.`)
    const output = job.outputs[index]
    const { expiresAt, dueAt } = job
    const idOf = (contentType: string): UploadId => {
      const extension = extensionOf(contentType) ?? 'bin'
      return { id: `${fileKeyOf(job, index)}.${extension}`, expiresAt, contentType }
    }
    if (!isFinished(job) || (output && output.fileKey === undefined && hasCopyLeft(job)))
      return { state: 'awaited', id: idOf(typeOfKind[job.outputKind]), jobId, dueAt }
    if (!output) return missing(`The job ${jobId} has ${job.outputs.length} outputs, counted from 0.`)
    if (output.fileKey === undefined) return { state: 'linked', url: output.url ?? '', expiresAt }
    const file = await files.at(output.fileKey)
    if (!file) return missing(`The output ${jobUrl(reference)} is no longer there.`)
    return { state: 'stored', id: idOf(output.contentType ?? typeOfKind[job.outputKind]), file }
  }

  async function ownJob(jobId: string, owner: string): Promise<Job | undefined> {
    try {
      return await read(jobId, owner)
    } catch (error) {
      if (error instanceof GenerationError && error.code === 'job_not_found') return undefined
      throw error
    }
  }

  return {
    async find(owner, text) {
      if (!isUploadUrl(text)) {
        const reference = readJobReference(text)
        return reference ? ofJob(owner, reference) : unknownJob
      }
      const id = readUploadUrl(text)
      const file = id && (await files.find(owner, id))
      if (id && file) return { state: 'stored', id, file }
      return { state: 'missing', why: 'There is no such upload, or it has expired.' }
    },
  }
}

const unknownJob: InputFile = {
  state: 'missing',
  why: 'There is no such job, or it has expired.',
  isUnknownJob: true,
}

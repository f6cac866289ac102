import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { JsonObject } from '../contracts/json.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { awaitsAnswer, isFinished } from '../job/job-state.ts'
import { isExpired } from '../job/deleted-job.ts'
import type { UploadRooms } from '../limits/upload-room.ts'
import type { Ending } from '../pacing/ending.ts'
import { deleteExpiredUploads } from './delete-expired-uploads.ts'
import { inputForm } from './input-form.ts'
import { linkedUpload } from './input-link.ts'
import { type InputUploads, inputUploads } from './input-uploads.ts'
import { uploadFiles } from './upload-files.ts'
import type { CheckedUploadOptions } from './upload-options.ts'
import { readUploadId, uploadKeyOf } from './upload-reference.ts'
import { uploadTaker } from './upload-taker.ts'
import type { Uploads } from './uploads.ts'
import { uploadsOfJobs } from './uploads-of-jobs.ts'

/** What {@link uploadService} works with. */
export interface UploadContext {
  readonly files: FileStore
  readonly jobs: JobStore
  readonly clock: Clock
  /** See `ClockSteps.sureNow`. */
  readonly sureNow: () => number
  readonly closing: Ending
  /** Absent when uploads do not count in a limit of their owner. */
  readonly rooms: UploadRooms | undefined
  /** Where providers reach the service. Absent when they can't. */
  readonly publicUrl: string | undefined
}

/** The functions for uploads that the parts of a service use. */
export interface UploadService
  extends ReturnType<typeof uploadsOfJobs>, Pick<Uploads, 'delete' | 'openInput' | 'store'> {
  /** Finds the uploads that the input of a create refers to: see {@link inputUploads}. */
  in(owner: string, input: JsonObject): Promise<InputUploads>
  /** See {@link deleteExpiredUploads}. */
  deleteExpired(limit: number): Promise<boolean>
  /** Resolves when no upload is being received. */
  settled(): Promise<void>
}

/** Makes the part of a service that takes uploads, and gives them to providers. The file store must have `list`. */
export function uploadService(options: CheckedUploadOptions, context: UploadContext): UploadService {
  const { files, jobs, clock, sureNow, rooms } = context
  const now = () => clock.now()
  const found = uploadFiles(files, clock)
  const form = inputForm(files, context.publicUrl, found, now)

  return {
    ...uploadsOfJobs(form, found),
    ...uploadTaker(options, context),
    in: (owner, input) => inputUploads({ found, form, now: sureNow }, owner, input),
    deleteExpired: (limit) => deleteExpiredUploads({ files, clock, sureNow }, limit),

    async delete(id, owner) {
      const upload = readUploadId(id)
      const stored = upload && sureNow() < upload.expiresAt ? await found.find(owner, upload) : undefined
      if (!stored) {
        // The earlier try may have deleted the file and then failed to free its bytes.
        if (upload && rooms) await rooms.free(owner, await uploadKeyOf(owner, upload))
        throw new GenerationError('file_not_found', 'There is no such upload, or it has expired.')
      }
      await found.delete(stored.key)
      await rooms?.free(owner, stored.key)
    },

    async openInput(jobId, token, name) {
      const job = await jobs.get(jobId)
      if (!job || isExpired(job, sureNow())) return undefined
      // The provider may have the task of a job whose submit got no answer, and read its input later.
      if (isFinished(job) && !awaitsAnswer(job)) return undefined
      const upload = await linkedUpload(job, token, name)
      const file = upload && (await found.find(job.owner, upload))?.file
      return file && { owner: job.owner, file }
    },
  }
}

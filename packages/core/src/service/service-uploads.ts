import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { awaitsAnswer, isFinished } from '../job/job-machine.ts'
import type { UploadRooms } from '../limits/upload-room.ts'
import { isExpired } from '../job/retention.ts'
import type { Ending } from '../pacing/ending.ts'
import { deleteExpiredUploads } from '../uploads/delete-expired-uploads.ts'
import { inputForm } from '../uploads/input-form.ts'
import { linkedUpload } from '../uploads/input-link.ts'
import { type InputUploads, inputUploads } from '../uploads/input-uploads.ts'
import { uploadFiles } from '../uploads/upload-files.ts'
import { readUploadId, uploadKeyOf } from '../uploads/upload-reference.ts'
import { uploadTaker } from '../uploads/upload-taker.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { type UploadsOfJobs, uploadsOfJobs } from '../uploads/uploads-of-jobs.ts'
import type { checkServiceOptions } from './service-options.ts'

const hourMs = 60 * 60_000

/** The functions for uploads that the parts of a service use. */
export interface ServiceUploads extends UploadsOfJobs {
  /** What the app and the /v1 interface use. */
  readonly face: Uploads
  /** Finds the uploads that the input of a create refers to: see {@link inputUploads}. */
  in(owner: string, input: Readonly<Record<string, unknown>>): Promise<InputUploads> | undefined
  /** See {@link deleteExpiredUploads}. */
  deleteExpired(limit: number): Promise<boolean>
  /** Resolves when no upload is being received. */
  settled(): Promise<void>
}

/**
 * Makes the uploads that the option `uploads` asks for.
 * @returns `undefined` without the option
 * @throws TypeError when the file store has no `list`, or uploads would expire before the deadline of every job
 */
export function serviceUploads(
  { uploads: options, deadlineMs, callbackBaseUrl }: ReturnType<typeof checkServiceOptions>,
  context: {
    readonly files: FileStore
    readonly jobs: JobStore
    readonly clock: Clock
    readonly closing: Ending
    /** Absent when uploads do not count in a limit of their owner. */
    readonly rooms: UploadRooms | undefined
    /** Starts the service. @throws GenerationError `shutting_down` */
    readonly start: () => void
  },
): ServiceUploads | undefined {
  if (!options) return undefined
  const { files, jobs, clock, rooms, start } = context
  if (!files.list)
    throw new TypeError(
      'createGenerationService: uploads needs a file store with list, such as diskFiles({ folder }).',
    )
  if (options.retentionHours * hourMs <= deadlineMs)
    throw new TypeError(
      `createGenerationService: uploads.retentionHours must be longer than deadlineMs, which is ${deadlineMs / hourMs} hours.`,
    )
  const now = () => clock.now()
  const found = uploadFiles(files, clock)
  const form = inputForm(files, callbackBaseUrl, found, now)
  const taker = uploadTaker(options, context)

  return {
    ...uploadsOfJobs(form, found),
    in: (owner, input) => inputUploads({ found, form, now }, owner, input),
    deleteExpired: (limit) => deleteExpiredUploads(context, limit),
    settled: taker.settled,

    face: {
      maxBytes: options.maxBytes,

      async store(owner, body, announced) {
        start()
        return taker.store(owner, body, announced)
      },

      async delete(id, owner) {
        const upload = readUploadId(id)
        const stored = upload && now() < upload.expiresAt ? await found.find(owner, upload) : undefined
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
        if (!job || isExpired(job, now())) return undefined
        // The provider may have the task of a job whose submit got no answer, and read its input later.
        if (isFinished(job) && !awaitsAnswer(job)) return undefined
        const upload = await linkedUpload(job, token, name)
        const file = upload && (await found.find(job.owner, upload))?.file
        return file && { owner: job.owner, file }
      },
    },
  }
}

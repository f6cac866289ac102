import type { Json, JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import { jsonCopy } from '../text/json-copy.ts'
import { someText } from '../text/texts-in.ts'
import type { InputUploads } from '../uploads/input-uploads.ts'
import { isUploadUrl } from '../uploads/is-upload-url.ts'
import type { UploadContext } from '../uploads/upload-service.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { UploadsOfJobs } from '../uploads/uploads-of-jobs.ts'
import type { OptionalParts } from './optional-parts.ts'
import type { ServiceLimits } from './service-limits.ts'
import type { checkServiceOptions } from './service-options.ts'

const hourMs = 60 * 60_000

/** The uploads as the parts of a service use them. */
export interface ServiceUploads extends UploadsOfJobs {
  /** What the app and the /v1 interface use. */
  readonly face: Uploads
  /** See `inputUploads`. @returns `undefined` when the input refers to no upload */
  in(owner: string, input: Readonly<Record<string, unknown>>): Promise<InputUploads> | undefined
  /** See `deleteExpiredUploads`. */
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
  {
    parts,
    rooms,
    start,
    models,
    ...context
  }: Pick<UploadContext, 'files' | 'jobs' | 'clock' | 'sureNow' | 'closing'> & {
    readonly parts: OptionalParts
    readonly rooms: ServiceLimits['uploadRooms']
    readonly models: readonly Model[]
    /** Starts the service. @throws GenerationError `shutting_down` */
    readonly start: () => void
  },
): ServiceUploads | undefined {
  if (!options) return undefined
  if (!context.files.list)
    throw new TypeError(
      'createGenerationService: uploads needs a file store with list, such as diskFiles({ folder }).',
    )
  const mustBeLonger = (limitMs: number, whose: string) => {
    if (options.retentionHours * hourMs <= limitMs)
      throw new TypeError(
        `createGenerationService: uploads.retentionHours must be longer than deadlineMs${whose}, which is ${limitMs / hourMs} hours.`,
      )
  }
  mustBeLonger(deadlineMs, '')
  for (const model of models) mustBeLonger(model.deadlineMs ?? 0, ` of the model ${model.id}`)
  const whenLoaded = parts.load('uploads', async ({ uploadService }) =>
    uploadService(options, { ...context, rooms: await rooms?.(), publicUrl: callbackBaseUrl }),
  )
  const refersToUpload = (value: Json) => someText(value, isUploadUrl)

  return {
    face: {
      maxBytes: options.maxBytes,
      async store(...given) {
        start()
        return whenLoaded(({ store }) => store(...given))
      },
      delete: (...given) => whenLoaded((uploads) => uploads.delete(...given)),
      openInput: (...given) => whenLoaded(({ openInput }) => openInput(...given)),
    },
    in(owner, given) {
      const input = jsonCopy(given) as JsonObject
      return refersToUpload(input) ? whenLoaded((uploads) => uploads.in(owner, input)) : undefined
    },
    given(job) {
      if (!refersToUpload(job.task ?? {})) return undefined
      return whenLoaded(({ given }) => given(job)).catch(() => ({ later: { why: 'files' } }))
    },
    shown: (task) => (refersToUpload(task) ? whenLoaded(({ shown }) => shown(task)) : task),
    deleteExpired: (limit) => whenLoaded(({ deleteExpired }) => deleteExpired(limit)),
    settled: () => whenLoaded(({ settled }) => settled()).catch(() => {}),
  }
}

import type { CreateInput, ModelId } from '../wire/create-input.ts'
import type { Estimate } from '../wire/estimate.ts'
import type { Job, JobFilter, JobPage, JobReference } from '../wire/job.ts'
import type { Model, OutputKind } from '../wire/model.ts'
import type { Upload } from '../wire/upload.ts'
import type { Usage, UsageFilter } from '../wire/usage.ts'
import type {
  CallOptions,
  CreateOptions,
  DownloadOptions,
  EstimateOptions,
  GenerateOptions,
  UploadOptions,
  WaitOptions,
} from './client-options.ts'

/** An output file of a job. */
export interface OutputFile {
  /** The number of the file, from 0: the second argument of `download`. */
  readonly n: number
  /** The address of the file. Requests to it need the API key. */
  readonly url: string
  /** Whether it is an image or a video. The exact media type is in the headers of the response of `download`. */
  readonly kind: OutputKind
}

/**
 * A client of one service. A method that fails throws a `GenmountError`, or what your own `fetch` or `apiKey` throws.
 * The client sends a request again where that is safe.
 * @typeParam Models the inputs of the models by model id, as `genmount types` writes them
 */
export interface Client<Models extends object> {
  /**
   * Creates a job and resolves with the finished job. Without `onJob`, `onProgress` and `cancelOnAbort`, the client
   * sends one request, which the service holds open until the job has finished, or until its limit for waiting. After
   * that limit, or with one of these options, the client follows the job by its events, or polls it. However often the
   * client sends a request again, the service makes one job. When `signal` aborts, the job continues, unless
   * `cancelOnAbort` is set.
   * @throws GenmountError with the code and the text of the job's error, and the `job`, when the job fails
   */
  generate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options?: GenerateOptions,
  ): Promise<Job>
  /** Creates a job and resolves as soon as the service has stored the job. */
  create<Id extends ModelId<Models>>(input: CreateInput<Models, Id>, options?: CreateOptions): Promise<Job>
  /**
   * Says what would become of a create: the input with its defaults, what the job would cost, and whether it would be accepted.
   * No job is made, and nothing is spent. A service of a release without estimates refuses the call.
   * @throws GenmountError for a wrong input, as a create does
   */
  estimate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options?: EstimateOptions,
  ): Promise<Estimate>
  /** Gets the current state of a job. */
  get(job: JobReference, options?: CallOptions): Promise<Job>
  /**
   * Resolves with the job when it has finished, as `generate` does after its create.
   * @throws GenmountError with the code and the text of the job's error, and the `job`, when the job fails
   */
  wait(job: JobReference, options?: WaitOptions): Promise<Job>
  /** Iterates over all jobs, the newest first. It requests each page when the iteration reaches the page. */
  list(filter?: JobFilter, options?: CallOptions): AsyncIterableIterator<Job>
  /** Gets one page of jobs, the newest first. */
  listPage(filter?: JobFilter, options?: CallOptions): Promise<JobPage>
  /**
   * Asks the service to cancel a job. Resolves with the job, which may still be processing until its provider has ended
   * the task.
   * @throws GenmountError `job_finished` for a job that has finished
   */
  cancel(job: JobReference, options?: CallOptions): Promise<Job>
  /** Deletes a finished job and its files. @throws GenmountError `job_processing` for a job that has not finished */
  delete(job: JobReference, options?: CallOptions): Promise<void>
  /**
   * Uploads a file. The `url` of the upload can then be used in an input. A stream is sent once. A blob or bytes are
   * sent again after an error. The first try may then leave an unused upload behind, until that upload expires.
   */
  upload(
    file: Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>,
    options?: UploadOptions,
  ): Promise<Upload>
  /**
   * Whether the service takes uploads. Such a service also finds the outputs of jobs to which inputs
   * refer with `jobUrl`.
   */
  takesUploads(options?: CallOptions): Promise<boolean>
  /** Deletes an upload. */
  deleteUpload(upload: string | Upload, options?: CallOptions): Promise<void>
  /**
   * Adds up what the jobs of the key's owner have cost, also of jobs that are deleted or expired. Rows come by day, model and key
   * if `group_by` asks for them, in pages.
   * @throws GenmountError `route_not_found` for a service without the plugin `usage`
   */
  usage(filter?: UsageFilter, options?: CallOptions): Promise<Usage>
  /** Gets all models of the service. */
  models(options?: CallOptions): Promise<readonly Model[]>
  /** Gets one model. @throws GenmountError `model_not_found` with the status 404 for an unknown model */
  model(id: ModelId<Models>, options?: CallOptions): Promise<Model>
  /** Lists the output files of a job, without a request. */
  files(job: Job): readonly OutputFile[]
  /**
   * Fetches an output file. The headers of the response have its media type, and `blob()` or `body` has its bytes. The
   * client sends the key to the service only, and not to the file storage that the service redirects to.
   * @param n the number of the file. @default 0
   * @param options with `width`, `format` or `poster`, the picture that they ask for. A service without the plugin `variants` sends
   *   the file itself. @throws GenmountError `invalid_request` when there is no such picture of the file
   */
  download(job: JobReference, n?: number, options?: DownloadOptions): Promise<Response>
}

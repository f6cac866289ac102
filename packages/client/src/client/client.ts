import type { CreateInput, ModelId } from '../wire/create-input.ts'
import type { Job, JobFilter, JobPage, JobReference } from '../wire/job.ts'
import type { Model, OutputKind } from '../wire/model.ts'
import type { Upload } from '../wire/upload.ts'
import type {
  CallOptions,
  CreateOptions,
  GenerateOptions,
  UploadOptions,
  WaitOptions,
} from './client-options.ts'

/** An output file of a job. */
export interface OutputFile {
  /** Its number, from 0: the second argument of `download`. */
  readonly n: number
  /** Its address, for which the API key is needed. */
  readonly url: string
  /** Whether it is an image or a video. The media type stands in the answer to `download`. */
  readonly kind: OutputKind
}

/**
 * A client of one service. Every method throws a `GenmountError`, and sends a request again where that is safe.
 * @typeParam Models the inputs of the models by their ids, as `genmount types` writes them
 */
export interface Client<Models extends object> {
  /**
   * Creates a job and resolves with the finished job. Without `onJob`, `onProgress` and `cancelOnAbort` this takes one
   * request for as long as the service holds it; then, and with them, the job is followed by its events, or by polls.
   * However often requests are sent again, one job is made. When `signal` aborts, the job goes on, unless
   * `cancelOnAbort` is set.
   * @throws GenmountError with the code and the text of the job's error, and the `job`, when the job fails
   */
  generate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options?: GenerateOptions,
  ): Promise<Job>
  /** Creates a job and resolves as soon as the service has it. */
  create<Id extends ModelId<Models>>(input: CreateInput<Models, Id>, options?: CreateOptions): Promise<Job>
  /** Gives a job as it is now. */
  get(job: JobReference, options?: CallOptions): Promise<Job>
  /**
   * Resolves with the job when it has finished, like `generate` after its create.
   * @throws GenmountError with the code and the text of the job's error, and the `job`, when the job fails
   */
  wait(job: JobReference, options?: WaitOptions): Promise<Job>
  /** Gives all jobs, the newest first, and asks for each page when it is needed. */
  list(filter?: JobFilter, options?: CallOptions): AsyncIterableIterator<Job>
  /** Gives one page of jobs, the newest first. */
  listPage(filter?: JobFilter, options?: CallOptions): Promise<JobPage>
  /**
   * Asks to end a job. Resolves with the job, which may still be processing until its provider has ended the task.
   * @throws GenmountError `job_finished` for a job that has finished
   */
  cancel(job: JobReference, options?: CallOptions): Promise<Job>
  /** Deletes a finished job and its files. @throws GenmountError `job_processing` for a job that has not finished */
  delete(job: JobReference, options?: CallOptions): Promise<void>
  /**
   * Stores a file, whose `url` then stands in an input. A stream is sent once. A blob and bytes are sent again after a
   * fault, which may leave an upload behind that nobody uses, until it expires.
   */
  upload(
    file: Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>,
    options?: UploadOptions,
  ): Promise<Upload>
  /** Deletes an upload. */
  deleteUpload(upload: string | Upload, options?: CallOptions): Promise<void>
  /** Gives all models of the service. */
  models(options?: CallOptions): Promise<readonly Model[]>
  /** Gives one model. @throws GenmountError `model_not_found` with the status 404 for an unknown one */
  model(id: ModelId<Models>, options?: CallOptions): Promise<Model>
  /** The output files of a job. Sends nothing. */
  files(job: Job): readonly OutputFile[]
  /**
   * Fetches an output file. Its media type is in the headers of the answer, and `blob()` or `body` has its bytes. The key
   * is sent to the service alone, and not to the place where the service has the file.
   * @param n the number of the file. @default 0
   */
  download(job: JobReference, n?: number, options?: CallOptions): Promise<Response>
}

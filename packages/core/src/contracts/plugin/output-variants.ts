import type { Job } from '../job.ts'

/** Makes other forms of outputs, such as a smaller picture, and keeps them in the file store beside the outputs. */
export interface OutputVariants {
  /** The query parameters of `GET /v1/files/{id}` by which a client asks for a variant: parameter objects of OpenAPI 3.1. */
  readonly parameters: readonly object[]

  /**
   * Finds the variant that a request asks for, or makes it. The service does not limit how long that takes.
   * @param job a completed job
   * @param index the place of the output among those of the job, counted from 0. The job has such an output
   * @param query the query of the request, with `n` and with parameters of others
   * @returns the key of the variant in the file store; `undefined` when the query asks for none, or the output itself is
   *   what it asks for
   * @throws GenerationError to refuse the request. Other errors answer it as `internal_error`
   */
  find(job: Job, index: number, query: URLSearchParams): Promise<string | undefined>
}

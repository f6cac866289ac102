import type { OutputKind } from './model.ts'

/** The status of a job. `completed` and `failed` are final. */
export type JobStatus = 'processing' | 'completed' | 'failed'

/** The job object, as the service sends it. Instants are ISO 8601 texts. */
export interface Job {
  /** Begins with `gen_`. */
  readonly id: string
  /** Always `generation`. */
  readonly object: 'generation'
  /** The id of the model. */
  readonly model: string
  /** Whether the job makes images or a video. */
  readonly output_kind: OutputKind
  /** The status of the job. */
  readonly status: JobStatus
  /** When the job was accepted. */
  readonly created_at: string
  /** When the provider began. `null` until then. */
  readonly started_at: string | null
  /** When the job completed or failed. `null` until then. */
  readonly completed_at: string | null
  /** When the job and its files are deleted. */
  readonly expires_at: string
  /** For how many days the job and its files are kept. */
  readonly retention_days: number
  /** Why the job failed, as `code: text`. `null` for a job that has not failed. */
  readonly error: string | null
  /** What the job has cost, in US dollars. 0 until it has finished. */
  readonly cost_usd: number
  /** The input, without `model`. Pictures in it are short placeholders. */
  readonly input: Readonly<Record<string, unknown>>
  /** How long the work took. */
  readonly timings: {
    /** In milliseconds. 0 until the job has finished. */
    readonly inference_ms: number
  }
  /** Addresses of the job. */
  readonly urls: {
    /** The address of the job itself. */
    readonly get: string
  }
  /** The output files. Empty until the job has completed. */
  readonly data: readonly {
    /** The address of the file. Requests to it need the API key. */
    readonly url: string
  }[]
  /** The metadata of the create. Absent when the create had none. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** One page of a list of jobs. */
export interface JobPage {
  /** Always `list`. */
  readonly object: 'list'
  /** The jobs, the newest first. A page may be empty although further pages have jobs. */
  readonly data: readonly Job[]
  /** Whether there are older jobs. */
  readonly has_more: boolean
  /** The `cursor` of the next page. `null` on the last page. */
  readonly next_cursor: string | null
}

/** Selects the jobs of a list. @default all jobs of the key's owner */
export interface JobFilter {
  /** The most jobs on a page, from 1 to 100. @default 20 */
  readonly limit?: number | undefined
  /** The `next_cursor` of an earlier page. @default the first page */
  readonly cursor?: string | undefined
  /** Only jobs with this status. */
  readonly status?: JobStatus | undefined
  /** Only jobs of this model. */
  readonly model?: string | undefined
  /** Only jobs with this kind of output. */
  readonly output_kind?: OutputKind | undefined
  /** Only jobs created at this instant or later. */
  readonly created_after?: Date | string | undefined
  /** Only jobs created before this instant. */
  readonly created_before?: Date | string | undefined
  /** Only jobs whose metadata have all these values. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** A job, or its id. */
export type JobReference = string | Pick<Job, 'id'>

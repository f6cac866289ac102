import type { OutputKind } from './model.ts'

/** Where a job stands: it ends as `completed` or `failed`. */
export type JobStatus = 'processing' | 'completed' | 'failed'

/** The job object, as the service gives it. Instants are ISO 8601 texts. */
export interface Job {
  /** Begins with `gen_`. */
  readonly id: string
  /** Always `generation`. */
  readonly object: 'generation'
  /** The id of the model. */
  readonly model: string
  /** What the job makes. */
  readonly output_kind: OutputKind
  /** Where the job stands. */
  readonly status: JobStatus
  /** When the job was accepted. */
  readonly created_at: string
  /** When its provider began. `null` before. */
  readonly started_at: string | null
  /** When it completed or failed. `null` before. */
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
  /** Addresses about the job. */
  readonly urls: {
    /** The address of the job itself. */
    readonly get: string
  }
  /** The output files, of which there are none until the job has completed. */
  readonly data: readonly {
    /** The address of the file, for which the API key is needed. */
    readonly url: string
  }[]
  /** What was noted down with the create. Absent when there is nothing. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** One page of a list of jobs. */
export interface JobPage {
  /** Always `list`. */
  readonly object: 'list'
  /** The jobs, the newest first. There may be none although there are more pages. */
  readonly data: readonly Job[]
  /** Whether there are older jobs. */
  readonly has_more: boolean
  /** The `cursor` of the next page. `null` on the last page. */
  readonly next_cursor: string | null
}

/** Which jobs a list has. @default all jobs of the key's owner */
export interface JobFilter {
  /** How many jobs a page has at most, from 1 to 100. @default 20 */
  readonly limit?: number | undefined
  /** The `next_cursor` of an earlier page. @default the first page */
  readonly cursor?: string | undefined
  /** Only jobs that stand there. */
  readonly status?: JobStatus | undefined
  /** Only jobs of this model. */
  readonly model?: string | undefined
  /** Only jobs that make this. */
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

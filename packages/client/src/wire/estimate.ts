import type { Job } from './job.ts'

/** What would become of a create, of which nothing was stored or spent. */
export interface Estimate extends Pick<Job, 'model' | 'output_kind' | 'input' | 'metadata'> {
  /** Always `estimate`. */
  readonly object: 'estimate'
  /** What the job is expected to cost, in US dollars. `null` if that is not known beforehand. */
  readonly cost_usd: number | null
  /** The price of the model in words. `null` if the service does not know it. */
  readonly price: string | null
  /** Whether the service would accept the job now, as far as it knows without moderation. */
  readonly accepted: boolean
  /** Why it would refuse the job. `null` if it would accept the job. */
  readonly error: {
    /** The error code that the create would get. */
    readonly code: string
    /** A text for people. */
    readonly message: string
    /** The group of the code. */
    readonly type: string
    /** The field, parameter or header that is wrong. */
    readonly param: string | null
    /** The id of the request in the service's log. */
    readonly request_id: string
  } | null
  /** What would be left of the budget with this job, in US dollars. `null` without a budget and after a refusal. */
  readonly budget_remaining_usd: number | null
}

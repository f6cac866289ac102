import { dollars } from '@genmount/page-kit/page'
import type { Act, OperatorJob, Overview } from '../api/wire.ts'
import { featureWords } from './feature-words.ts'

/** What an act is called, and what it means. */
export interface ActWords {
  readonly name: string
  readonly title: string
  readonly meaning: string
  readonly done: string
}

export const actWords: Readonly<Record<Act, ActWords>> = {
  cancel: {
    name: 'Cancel',
    title: 'Cancel this job',
    meaning:
      'The service asks the provider to end the task. The owner sees the job as failed, with the code canceled. What the vendor has charged stays charged.',
    done: 'The job is canceled, or will be when its provider has ended the task.',
  },
  delete: {
    name: 'Delete',
    title: 'Delete this job',
    meaning: 'The job, its input and its outputs are deleted for good. What it has cost stays in the sums.',
    done: 'The job is deleted.',
  },
  retry: {
    name: 'Retry',
    title: 'Retry this job',
    meaning:
      'The service makes a new job of the same owner with the same input. Nothing was spent on this one. What the new one costs counts in the budget of the owner.',
    done: 'A new job was made.',
  },
  deliver: {
    name: 'Deliver again',
    title: 'Deliver the webhook again',
    meaning:
      'The service sends the event of this job to its webhook once more, at once, with the usual tries if it fails.',
    done: 'The delivery is owed again, and is tried at once.',
  },
}

const isEnded = ({ status }: OperatorJob) => status !== 'processing'
const isExpired = ({ expires_at }: OperatorJob) => Date.parse(expires_at) <= Date.now()
const expired = 'The job has expired, and is deleted soon.'

/** Why each act is refused now. */
const refusals: Readonly<Record<Act, (job: OperatorJob, features: Overview['features']) => string>> = {
  cancel: (job) => (isEnded(job) ? 'The job has ended already.' : 'It is being canceled already.'),
  delete: (job) => (isEnded(job) ? expired : 'The job has not ended yet. Cancel it first.'),
  retry(job) {
    if (job.status !== 'failed') return 'Only a failed job can be retried.'
    if (isExpired(job)) return expired
    return retryRefusal(job)
  },
  deliver(job, features) {
    if (!features.webhooks) return featureWords.webhooks.lacks
    if (!job.webhook) return 'The job has no webhook.'
    if (!isEnded(job)) return 'The job has not ended yet.'
    return isExpired(job) ? expired : 'The webhook does not want this event.'
  },
}

/** Why a failed job is not made again: only one on which nothing was spent is. */
function retryRefusal({ error, cost_usd }: OperatorJob): string {
  if (error?.code === 'canceled') return 'The job was canceled.'
  if (cost_usd === null)
    return 'It is not known whether the job has cost anything, so another one could be paid for twice.'
  if (cost_usd > 0) return `The job has cost ${dollars(cost_usd)}, so another one would be paid for twice.`
  return 'Its input was not kept whole, or this service no longer has its model.'
}

/** Why an act on a job is not possible now. @returns `undefined` when it is */
export function whyNot(act: Act, job: OperatorJob, features: Overview['features']): string | undefined {
  if (!features.audit) return featureWords.audit.lacks
  return job.can[act] ? undefined : refusals[act](job, features)
}

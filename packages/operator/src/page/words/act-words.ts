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
      'The service makes a new job of the same owner with the same input. The vendor charges for it again, and it counts in the budget of the owner.',
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

/** Why each act is refused now. */
const refusals: Readonly<Record<Act, (job: OperatorJob, features: Overview['features']) => string>> = {
  cancel: (job) => (isEnded(job) ? 'The job has ended already.' : 'It is being canceled already.'),
  delete: (job) =>
    isEnded(job) ? 'The job can not be deleted now.' : 'The job has not ended yet. Cancel it first.',
  retry: (job) =>
    job.status === 'failed'
      ? 'The job can not be retried: its input is gone, its model is no longer served, or it is not known whether it was made.'
      : 'Only a failed job can be retried.',
  deliver(job, features) {
    if (!features.webhooks) return featureWords.webhooks.lacks
    if (!job.webhook) return 'The job has no webhook.'
    return isEnded(job) ? 'The webhook does not want this event.' : 'The job has not ended yet.'
  },
}

/** Why an act on a job is not possible now. @returns `undefined` when it is */
export function whyNot(act: Act, job: OperatorJob, features: Overview['features']): string | undefined {
  if (!features.audit) return featureWords.audit.lacks
  return job.can[act] ? undefined : refusals[act](job, features)
}

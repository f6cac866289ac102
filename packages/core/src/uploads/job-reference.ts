import { mayBeJobId } from '../job/job-id.ts'

/** An output of a job that an input refers to. */
export interface JobReference {
  /** The id of the job. */
  readonly jobId: string
  /** Which output of the job, from 0. */
  readonly index: number
}

const scheme = 'job://'
const referenceForm = /^job:\/\/([\w-]+)(?:#(\d{1,4}))?$/
/** The address of an output in the /v1 interface, wherever that is mounted. Its owner may paste it into an input. */
const addressForm = /^https?:\/\/[^?#\s]+\/v1\/files\/(gen_[\w-]+)(?:\?n=(\d{1,4}))?$/

/** Whether a text of an input begins as a reference to an output. The job need not exist. */
export function isJobUrl(text: string): boolean {
  return text.startsWith(scheme)
}

/** Whether a text has the form of the address of an output. It may be one of another service. */
export function isOutputAddress(text: string): boolean {
  return text.startsWith('http') && addressForm.test(text)
}

/** Reads `job://`, the id of a job, and `#` with the number of the output, or the address of an output. Without a number: 0. */
export function readJobReference(text: string): JobReference | undefined {
  const [, jobId, index = '0'] = (isJobUrl(text) ? referenceForm : addressForm).exec(text) ?? []
  return jobId !== undefined && mayBeJobId(jobId) ? { jobId, index: Number(index) } : undefined
}

/** The text by which an input refers to the output. */
export function jobUrl({ jobId, index }: JobReference): string {
  return `${scheme}${jobId}#${index}`
}

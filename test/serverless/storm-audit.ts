import type { Job } from '@genmount/core'
import type { VendorTask } from './task-vendor.ts'

/** A job as it is stored: its `input` is what clients see. */
export interface StoredJob extends Omit<Job, 'input' | 'shownInput'> {
  readonly input: { readonly prompt: string }
}

/** From when to when what worked on jobs was down, and which calls of the vendor were under way. */
export interface TearDown {
  readonly from: number
  readonly to: number
  readonly inside: readonly ('submit' | 'poll')[]
  /** The prompt of the only job that it worked on. @default it may have worked on any */
  readonly prompt?: string
}

interface Findings {
  /** The ids of the jobs whose create was answered. */
  readonly acknowledged: ReadonlySet<string>
  readonly tearDowns: readonly TearDown[]
  readonly tasks: readonly VendorTask[]
  readonly stored: readonly StoredJob[]
  /**
   * So many milliseconds after its task a job ends at the latest.
   * @param torn the tear-downs in the life of the job
   */
  readonly mostLateMs: (torn: readonly TearDown[], task: VendorTask | undefined) => number
}

/** How long the claim of a job that was torn down lasts, in milliseconds. */
export const leaseMs = 30_000

/** So long after the vendor's answer to a submit, the answer is stored for sure, in milliseconds. */
const storedMs = 5000

/** Compares what was acknowledged and paid for with what is stored when all is over. */
export function auditStorm({ acknowledged, tearDowns, tasks, stored, mostLateMs }: Findings) {
  const tasksOf = Map.groupBy(tasks, ({ prompt }) => prompt)
  const breaches: string[] = []
  const lateMs: number[] = []
  const ids = new Set(stored.map(({ id }) => id))
  const prompts = new Set(stored.map(({ input }) => input.prompt))
  for (const id of acknowledged) if (!ids.has(id)) breaches.push(`lost: ${id}`)
  for (const [prompt, { length }] of tasksOf) {
    if (length > 1) breaches.push(`paid ${length} times: ${prompt}`)
    if (!prompts.has(prompt)) breaches.push(`paid for and not there: ${prompt}`)
  }
  for (const job of stored) {
    const { phase, createdAt, completedAt, costUsd, outputs, error, input } = job
    const [task] = tasksOf.get(input.prompt) ?? []
    const what = `${input.prompt} of ${job.model} (${phase}, ${error?.code}, ${JSON.stringify(task)})`
    if (completedAt === undefined) {
      breaches.push(`unfinished: ${what}`)
      continue
    }
    const torn = tearDowns.filter(
      ({ from, to, prompt = input.prompt }) =>
        prompt === input.prompt && to > createdAt && from < completedAt,
    )
    const isDelivered =
      phase === 'completed' && outputs.length === 1 && costUsd === 0.01 && task !== undefined
    if (!isDelivered && !(isAmbiguous(job) && mayBeUnknown(task, torn))) breaches.push(`dropped: ${what}`)
    const ms = upMs(task?.doneAt ?? createdAt, completedAt, torn)
    lateMs.push(ms)
    if (ms > mostLateMs(torn, task)) breaches.push(`late by ${ms} ms: ${what}`)
  }
  return { breaches, lateMs: lateMs.toSorted((a, b) => a - b), ambiguous: stored.filter(isAmbiguous).length }
}

function isAmbiguous({ model, error }: StoredJob): boolean {
  return model === 'plain' && error?.code === 'submit_ambiguous'
}

/** Whether the answer to the submit was lost, by a vendor that is never asked for the task, or by a tear-down. */
function mayBeUnknown(task: VendorTask | undefined, torn: readonly TearDown[]): boolean {
  // Only who has stored the answer can poll the task.
  if (task?.isPolled) return false
  const { losesAnswer = false, answeredAt = Number.POSITIVE_INFINITY } = task ?? {}
  return losesAnswer || torn.some(({ from }) => from < answeredAt + storedMs)
}

/** How long nothing was down between two instants, in milliseconds. */
function upMs(from: number, to: number, torn: readonly TearDown[]): number {
  const downMs = torn.map((down) => Math.max(0, Math.min(to, down.to) - Math.max(from, down.from)))
  return Math.max(0, to - from - downMs.reduce((sum, ms) => sum + ms, 0))
}

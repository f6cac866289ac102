import type { Backend, Job, JobStore } from '@genmount/core'
import { benchProviders, benchService } from '../bench-service.ts'
import { exampleInput, owner } from '../workload.ts'

/** A call of the job store. */
export type StoreCall =
  | { readonly do: 'insert'; readonly job: Job }
  | { readonly do: 'replace'; readonly job: Job; readonly expectedRevision: number }
  | { readonly do: 'get'; readonly id: string }

/** What a service does with the job store for one job. */
export interface ServedLife {
  readonly job: Job
  /** The idempotency key of the request. */
  readonly key: string
  /** In their order. */
  readonly calls: readonly StoreCall[]
}

/** Has a service lead one job with one poll to its end. */
export async function recordLife(backend: Backend): Promise<ServedLife> {
  const calls: StoreCall[] = []
  const { jobs } = backend
  const recording: JobStore = {
    ...jobs,
    insert(job) {
      calls.push({ do: 'insert', job })
      return jobs.insert(job)
    },
    replace(job, expectedRevision) {
      calls.push({ do: 'replace', job, expectedRevision })
      return jobs.replace(job, expectedRevision)
    },
    get(id, owner) {
      calls.push({ do: 'get', id })
      return jobs.get(id, owner)
    },
  }
  const { providers } = benchProviders({ pollAfterMs: 1 })
  const service = benchService({ providers, backend: { ...backend, jobs: recording } })
  const key = crypto.randomUUID()
  const idempotency = { key, scope: 'POST /v1/generate' }
  const { job } = await service.create({ owner, model: 'bench-video', input: exampleInput(), idempotency })
  const ended = await service.waitFor(job.id, owner)
  await service.close()
  if (ended?.phase !== 'completed') throw new Error(`The recorded job is ${ended?.phase}.`)
  return { job, key, calls }
}

/** The same calls for another job, which is created at `createdAt` and has an idempotency key of its own. */
export function sameLife(
  { job, key, calls }: ServedLife,
  id: string,
  createdAt: number,
): readonly StoreCall[] {
  const text = JSON.stringify(calls).replaceAll(job.id, id).replaceAll(key, crypto.randomUUID())
  const same = JSON.parse(text, (_, value: unknown) =>
    typeof value === 'number' && value > 1e12 ? value + createdAt - job.createdAt : value,
  ) as StoreCall[]
  // The service hands the same two objects over in each call, by which the backend knows that it has stored them.
  const { task, input: shown } = (same[0] as { readonly job: Job }).job
  return same.map((call) =>
    call.do === 'get'
      ? call
      : { ...call, job: { ...call.job, ...(call.job.task && { task }), input: shown } },
  )
}

/** Makes the calls one after the other. @throws Error when one of them has another outcome than it had */
export async function live(jobs: JobStore, calls: readonly StoreCall[]): Promise<void> {
  for (const call of calls) await make(jobs, call)
}

/** Makes one call. */
export async function make(jobs: JobStore, call: StoreCall): Promise<void> {
  if (call.do === 'get') await jobs.get(call.id)
  else if (call.do === 'insert') {
    const { outcome } = await jobs.insert(call.job)
    if (outcome !== 'inserted') throw new Error(`Job ${call.job.id} is ${outcome}.`)
  } else if ((await jobs.replace(call.job, call.expectedRevision)) === 'stale')
    throw new Error(`Job ${call.job.id} is stale.`)
}

/** An id with the layout of the service: the instant first, then random digits. */
export function newId(createdAt: number): string {
  const random = crypto.randomUUID().replaceAll('-', '')
  return `gen_${createdAt.toString(16).padStart(12, '0')}${random.slice(12)}`
}

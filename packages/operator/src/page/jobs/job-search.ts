import type { Api } from '../api/api.ts'
import { ApiError } from '../api/api-error.ts'
import type { List, OperatorJob, Overview } from '../api/wire.ts'

/** What the address says of the list: which jobs, and what is searched. */
export interface ListQuery {
  readonly state: string | undefined
  readonly owner: string | undefined
  readonly model: string | undefined
  readonly cursor: string | undefined
}

/** Jobs that were found, and for what was looked. */
export interface FoundJobs extends List<OperatorJob> {
  /** For what was looked, in words. `undefined` when nothing was searched. */
  readonly words?: string
}

const pageLength = '50'
const empty: List<OperatorJob> = { data: [], has_more: false, next_cursor: null }

export const isJobId = (text: string) => /^gen_[\w-]+$/.test(text)

/** Lists jobs. A text that is searched is the id of a job, an owner, or the vendor's id of a task. */
export async function findJobs(
  api: Api,
  text: string,
  { state, owner, model, cursor }: ListQuery,
  features: Overview['features'],
  signal: AbortSignal,
): Promise<FoundJobs> {
  const list = (query: Record<string, string | undefined>) =>
    api.get<List<OperatorJob>>('/jobs', { limit: pageLength, ...query }, signal)
  if (text === '') return list({ state, owner, model, cursor })
  if (isJobId(text)) {
    const job = await api.get<OperatorJob>(`/jobs/${text}`, {}, signal).catch(noneIfUnknown)
    const words = job ? `There is a job with the id ${text}.` : `There is no job with the id ${text}.`
    return { ...empty, data: job ? [job] : [], words }
  }
  const ofTask = cursor === undefined && features.task_ids ? list({ task_id: text, state, model }) : empty
  const [tasks, owned] = await Promise.all([ofTask, list({ owner: text, state, model, cursor })])
  const seen = new Set(tasks.data.map(({ id }) => id))
  const data = [...tasks.data, ...owned.data.filter(({ id }) => !seen.has(id))]
  return { ...owned, data, words: searchWords(text, tasks.data.length, owned.data.length, features) }
}

function searchWords(text: string, tasks: number, owned: number, features: Overview['features']): string {
  const name = text.length > 80 ? `${text.slice(0, 80)}…` : text
  const vendors = features.task_ids ? `the vendor’s id “${name}” (${jobsIn(tasks)}) and for ` : ''
  return `Looked for ${vendors}the owner “${name}” (${jobsIn(owned)}).`
}

const jobsIn = (count: number) => (count === 0 ? 'none' : count === 1 ? '1 job' : `${count} jobs`)

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}

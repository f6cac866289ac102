import type { AnyModels, Client, GenerationProgress, Job } from '@genmount/client'
import { createStore, ownValue, type Store } from '@genmount/page-kit/page'
import type { Input } from '../form/input-of.ts'
import { followJob } from './follow-job.ts'
import { forgetOutputs } from './output.ts'

/** What the page knows about the jobs of its key. */
export interface BoardState {
  /** The newest first. */
  readonly jobs: readonly Job[]
  /** The latest progress reports of running jobs, by job id. */
  readonly news: Readonly<Record<string, GenerationProgress>>
  /** Why the state of some running jobs can't be read at the moment, by job id. */
  readonly lost: Readonly<Record<string, unknown>>
  /** The ids of the jobs on the stage, which are shown large, side by side. */
  readonly stage: readonly string[]
  /** The inputs that this page has sent, by job id. They contain the pictures, which the service does not return. */
  readonly sent: Readonly<Record<string, Input>>
  /** Whether the list has been read at least once. */
  readonly isRead: boolean
  /** The cursor of the next page of older jobs. `null` when there are no older jobs. */
  readonly nextCursor: string | null
  /** Why the list could not be read. */
  readonly error: unknown
}

/** The jobs of a key, kept up to date. */
export interface JobBoard extends Pick<Store<BoardState>, 'state' | 'subscribe'> {
  /** Reads the newest jobs, and follows those that are running. */
  read(): Promise<void>
  /** Reads older jobs. */
  readMore(): Promise<void>
  /**
   * Creates a job for each input, and shows each on the stage as soon as the service has accepted it.
   * @throws the error of the first create that is refused
   */
  create(inputs: readonly (Input & { readonly model: string })[]): Promise<void>
  cancel(job: Job): Promise<void>
  remove(job: Job): Promise<void>
  /** Reads a job, which may be older than the list, and shows it on the stage alone. */
  open(id: string): Promise<void>
  /** Shows a job on the stage, alone or beside the jobs that are already there. */
  show(job: Job, isBeside: boolean): void
  /** Stops following all jobs. The jobs continue. */
  close(): void
  /** Takes a job off the stage. */
  hide(job: Job): void
}

const pageSize = 24

/** @param watcher the client that follows jobs. It needs no retries, because the board itself tries again */
export function createJobBoard(client: Client<AnyModels>, watcher: Client<AnyModels>): JobBoard {
  const store = createStore<BoardState>({
    jobs: [],
    news: {},
    lost: {},
    stage: [],
    sent: {},
    isRead: false,
    nextCursor: null,
    error: undefined,
  })
  const followed = new Set<string>()
  const closing = new AbortController()

  function put(...jobs: readonly Job[]): void {
    const jobsById = new Map(store.state.jobs.map((job) => [job.id, job]))
    for (const job of jobs) jobsById.set(job.id, job)
    store.change({ jobs: [...jobsById.values()].toSorted(newestFirst) })
    for (const job of jobs) if (job.status === 'processing') follow(job)
  }

  function drop(id: string): void {
    void forgetOutputs(client, id)
    const { jobs, stage } = store.state
    store.change({ jobs: jobs.filter((job) => job.id !== id), stage: stage.filter((one) => one !== id) })
  }

  function follow({ id }: Job): void {
    if (followed.has(id)) return
    followed.add(id)
    const onLost = (error: unknown) => {
      if (ownValue(store.state.lost, id) !== error)
        store.change({ lost: { ...store.state.lost, [id]: error } })
    }
    void followJob(watcher, id, {
      onJob: put,
      onNews: (news) => store.change({ news: { ...store.state.news, [id]: news } }),
      onLost,
      onGone: () => drop(id),
      signal: closing.signal,
    }).finally(() => {
      followed.delete(id)
      // A list that was requested before the job ended may have arrived after its end.
      const job = store.state.jobs.find((one) => one.id === id)
      if (job?.status === 'processing' && !closing.signal.aborted) follow(job)
    })
  }

  async function readPage(cursor?: string): Promise<readonly Job[]> {
    try {
      const { data, next_cursor: nextCursor } = await client.listPage({ limit: pageSize, cursor })
      const { isRead, jobs } = store.state
      // If the newest page contains a job that was already known, no job is missing between that page and the known
      // jobs. So `nextCursor` still belongs to the oldest page that was read.
      const isJoined =
        cursor === undefined && isRead && data.some(({ id }) => jobs.some((job) => job.id === id))
      put(...data)
      store.change({ isRead: true, error: undefined, ...(!isJoined && { nextCursor }) })
      return data
    } catch (error) {
      store.change({ isRead: true, error })
      return []
    }
  }

  return {
    get state() {
      return store.state
    },
    subscribe: store.subscribe,
    async read() {
      const isFirst = !store.state.isRead
      const newest = await readPage()
      if (!isFirst || store.state.stage.length > 0) return
      const running = newest.filter(({ status }) => status === 'processing')
      store.change({ stage: (running.length > 0 ? running : newest.slice(0, 1)).map(({ id }) => id) })
    },
    async readMore() {
      const { nextCursor } = store.state
      if (nextCursor !== null) await readPage(nextCursor)
    },
    async create(inputs) {
      const isRunning = (id: string) => store.state.jobs.find((job) => job.id === id)?.status === 'processing'
      const before = store.state.stage.filter(isRunning)
      const created: (string | undefined)[] = inputs.map(() => undefined)
      const made = await Promise.allSettled(
        inputs.map(async (input, place) => {
          const job = await client.create(input)
          const { model: _, ...sent } = input
          store.change({ sent: { ...store.state.sent, [job.id]: sent } })
          put(job)
          created[place] = job.id
          store.change({ stage: [...created.filter((id) => id !== undefined), ...before] })
        }),
      )
      const refused = made.find((one) => one.status === 'rejected')
      if (refused) throw refused.reason
    },
    cancel: async (job) => put(await client.cancel(job)),
    async remove({ id }) {
      await client.delete(id)
      drop(id)
    },
    async open(id) {
      try {
        put(await client.get(id))
        store.change({ stage: [id] })
      } catch (error) {
        store.change({ error })
      }
    },
    show({ id }, isBeside) {
      const others = isBeside ? store.state.stage.filter((one) => one !== id) : []
      store.change({ stage: [...others, id] })
    },
    close: () => closing.abort(),
    hide: ({ id }) => store.change({ stage: store.state.stage.filter((one) => one !== id) }),
  }
}

/** Jobs of the same millisecond are ordered by id, so that they do not change places. */
function newestFirst(a: Job, b: Job): number {
  return b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id)
}

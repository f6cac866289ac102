import { quietLog } from '@genmount/testing'
import {
  type Backend,
  type Clock,
  createGenerationService,
  type FileStore,
  type GenerationService,
  type GenerationServiceOptions,
  type Job,
  type JobStore,
  type Processes,
  type Provider,
} from '@genmount/core'
import { gateOf } from './gate.ts'

/** A store that outlives the processes which use it, as a database does. */
export interface SharedStore {
  /** Makes the backend of another process. It uses this clock, which may belong to the process alone. */
  connect(clock: Clock): Backend
  /** Frees what the store holds. It is called when all backends are closed. */
  close?(): unknown
}

export interface ProcessParts {
  readonly clock: Clock
  readonly store: SharedStore
  readonly provider: Provider
  readonly files: FileStore
  readonly options?: Partial<GenerationServiceOptions>
  /** Whether the processes know which of them have ended, as those over a SQLite file do. @default false */
  readonly knowsEnds?: boolean
  /**
   * Called for every job that this process has stored. The process gets no answer before the function returns
   * or resolves.
   */
  readonly onStored?: ((job: Job, process: MortalProcess) => unknown) | undefined
}

/** A service that acts like a process of its own: it can stand still, die, and be cut off from its stores. */
export interface MortalProcess {
  readonly service: GenerationService
  /** Makes the process stand still. Its timers and the answers to its calls wait until `thaw`. */
  freeze(): void
  /** Lets the process go on. Resolves when it has received everything that has arrived meanwhile. */
  thaw(): Promise<void>
  /** Ends the process. Its calls get no answer any more, and later calls have no effect. */
  kill(): void
  /** Which calls to the job store fail without an effect. With `hanging` they are never answered. */
  storeTrouble: 'none' | 'away' | 'read-only' | 'hanging'
  /** While this is `true`, all calls to the file store fail without an effect. */
  areFilesAway: boolean
  readonly isFrozen: boolean
  readonly isDead: boolean
  /** The calls to the job store that wait for the answer of the store. */
  readonly asked: ReadonlySet<Promise<unknown>>
  /** Closes everything that the process holds, also after its death. */
  disconnect(): Promise<void>
}

/** The ids of the processes that were killed. */
const ended = new Set<string>()

/** Starts a service as one process of several on the store. */
export function startProcess({
  clock,
  store,
  provider,
  files,
  options,
  knowsEnds = false,
  onStored,
}: ProcessParts): MortalProcess {
  const gate = gateOf(clock)
  const backend = store.connect(gate.clock)
  const { through } = gate
  const asked = new Set<Promise<unknown>>()

  async function counted<Result>(answer: Promise<Result>): Promise<Result> {
    asked.add(answer)
    return answer.finally(() => asked.delete(answer))
  }

  function toStore<Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>, isWrite = false) {
    return through(async (...args: Args) => {
      if (mortal.storeTrouble === 'hanging') return new Promise<never>(() => {})
      if (mortal.storeTrouble === 'away' || (isWrite && mortal.storeTrouble === 'read-only'))
        throw new Error('The job store is away.')
      return ask(...args)
    })
  }

  const reading = <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
    toStore((...args: Args) => counted(ask(...args)))
  const writing = <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
    toStore((...args: Args) => counted(ask(...args)), true)

  function toFiles<Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) {
    return through(async (...args: Args) => {
      if (mortal.areFilesAway) throw new Error('The file store is away.')
      return ask(...args)
    })
  }

  const ownId = crypto.randomUUID()
  const known: Processes = { id: ownId, hasEnded: async (id) => ended.has(id), leftBehind: async () => [] }
  const { jobs, signals, processes = knowsEnds ? known : undefined } = backend
  const stored: JobStore['replace'] = async (job, revision) => {
    const outcome = await counted(jobs.replace(job, revision))
    if (outcome === 'replaced') await onStored?.(job, mortal)
    return outcome
  }
  const gated: Backend = {
    ...backend,
    jobs: {
      ...jobs,
      insert: writing(jobs.insert),
      findByIdempotencyKey: reading(jobs.findByIdempotencyKey),
      get: reading(jobs.get),
      replace: toStore(stored, true),
      due: reading(jobs.due),
      expired: reading(jobs.expired),
      delete: writing(jobs.delete),
    },
    signals: { ...signals, subscribe: (jobId, wake) => signals.subscribe(jobId, gate.into(wake)) },
    ...(processes && {
      processes: {
        id: processes.id,
        hasEnded: reading((id: string) => processes.hasEnded(id)),
        leftBehind: reading((limit: number) => processes.leftBehind(limit)),
      },
    }),
    // This does nothing, because `disconnect` closes the backend, also after a death.
    close: through(async () => {}),
  }

  const service = createGenerationService({
    providers: [
      {
        ...provider,
        submit: through(provider.submit),
        poll: through(provider.poll),
        ...(provider.find && { find: through(provider.find) }),
        ...(provider.cancel && { cancel: through(provider.cancel) }),
        ...(provider.readCallback && { readCallback: through(provider.readCallback) }),
      },
    ],
    clock: gate.clock,
    backend: gated,
    files: {
      ...files,
      put: toFiles(files.put),
      ...(files.open && { open: toFiles(files.open) }),
      ...(files.fetch && { fetch: toFiles(files.fetch) }),
      delete: toFiles(files.delete),
    },
    log: quietLog(),
    ...options,
  })

  const mortal: MortalProcess = {
    service,
    freeze: gate.shut,
    thaw: gate.open,
    kill() {
      ended.add(ownId)
      gate.end()
      void backend.scheduler.stop()
    },
    storeTrouble: 'none',
    areFilesAway: false,
    get isFrozen() {
      return gate.isShut
    },
    get isDead() {
      return gate.hasEnded
    },
    asked,
    async disconnect() {
      gate.end()
      await backend.close()
    },
  }
  service.start()
  return mortal
}

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
import { quietLog } from '@genmount/testing'
import { gateOf } from './gate.ts'

/** A store that outlives the processes which use it, as a database does. */
export interface SharedStore {
  /** Makes the backend of another process. It uses this clock, which may belong to the process alone. */
  connect(clock: Clock): Backend
  /** Frees what the store holds. It is called when all backends are closed. */
  close?(): unknown
}

/**
 * Called for every job that a process has stored. The process gets no answer before the function returns or
 * resolves.
 */
export type OnStored = (job: Job, process: MortalProcess) => unknown

export interface ProcessParts {
  readonly clock: Clock
  readonly store: SharedStore
  readonly providers: readonly Provider[]
  readonly files: FileStore
  /** What the service offers of these providers. @default the providers themselves */
  readonly offers?: ((providers: readonly Provider[]) => GenerationServiceOptions['providers']) | undefined
  readonly options: Partial<GenerationServiceOptions>
  /** Whether the processes know which of them have ended, as those over a SQLite file do. @default false */
  readonly knowsEnds?: boolean | undefined
  readonly onStored?: OnStored | undefined
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
  readonly storeCalls: ReadonlySet<Promise<unknown>>
  /** Closes everything that the process holds, also after its death. */
  disconnect(): Promise<void>
}

type Method = (...args: never[]) => Promise<unknown>

/** The part with each of these methods replaced, unless it lacks the method. */
function withMethods<Part extends object>(
  part: Part,
  names: readonly (keyof Part)[],
  replace: (method: Method, name: keyof Part) => Method,
): Part {
  const replaced = names.flatMap((name) => (part[name] ? [[name, replace(part[name] as Method, name)]] : []))
  return { ...part, ...Object.fromEntries(replaced) }
}

const reads = ['findByIdempotencyKey', 'get', 'due', 'expired'] as const
const writes = ['insert', 'replace', 'delete'] as const

/** The ids of the processes that were killed. */
const ended = new Set<string>()

/** Starts a service as one process of several on the store. */
export function startMortalProcess(parts: ProcessParts): MortalProcess {
  const { store, providers, files, offers = (own) => own, options, onStored } = parts
  const gate = gateOf(parts.clock)
  const backend = store.connect(gate.clock)
  const storeCalls = new Set<Promise<unknown>>()

  async function counted<Result>(answer: Promise<Result>): Promise<Result> {
    storeCalls.add(answer)
    return answer.finally(() => storeCalls.delete(answer))
  }

  function toStore(call: Method, isWrite: boolean): Method {
    return gate.through(async (...args: never[]) => {
      if (mortal.storeTrouble === 'hanging') return new Promise<never>(() => {})
      if (mortal.storeTrouble === 'away' || (isWrite && mortal.storeTrouble === 'read-only'))
        throw new Error('The job store is away.')
      return call(...args)
    })
  }
  const asRead = (call: Method): Method => toStore((...args) => counted(call(...args)), false)
  const asWrite = (call: Method): Method => toStore((...args) => counted(call(...args)), true)

  const { jobs, signals } = backend
  const replaceAndTell: JobStore['replace'] = async (job, revision) => {
    const outcome = await counted(jobs.replace(job, revision))
    if (outcome === 'replaced') await onStored?.(job, mortal)
    return outcome
  }
  const ownId = crypto.randomUUID()
  const simulated: Processes = {
    id: ownId,
    hasEnded: async (id) => ended.has(id),
    leftBehind: async () => [],
  }
  const processes = backend.processes ?? (parts.knowsEnds ? simulated : undefined)

  const service = createGenerationService({
    providers: offers(
      providers.map((provider) =>
        withMethods(provider, ['submit', 'poll', 'find', 'cancel', 'readCallback'], gate.through),
      ),
    ),
    clock: gate.clock,
    backend: {
      ...backend,
      jobs: {
        ...withMethods(withMethods(jobs, reads, asRead), writes, asWrite),
        replace: toStore(replaceAndTell, true) as JobStore['replace'],
      },
      signals: { ...signals, subscribe: (jobId, wake) => signals.subscribe(jobId, gate.into(wake)) },
      ...(processes && {
        processes: withMethods(
          { id: processes.id, hasEnded: processes.hasEnded, leftBehind: processes.leftBehind },
          ['hasEnded', 'leftBehind'],
          asRead,
        ),
      }),
      // This does nothing, because `disconnect` closes the backend, also after a death.
      close: gate.through(async () => {}),
    },
    files: withMethods(files, ['put', 'open', 'fetch', 'delete'], (call) =>
      gate.through(async (...args: never[]) => {
        if (mortal.areFilesAway) throw new Error('The file store is away.')
        return call(...args)
      }),
    ),
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
    storeCalls,
    async disconnect() {
      gate.end()
      await backend.close()
    },
  }
  service.start()
  return mortal
}

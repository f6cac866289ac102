import {
  type Backend,
  type Clock,
  createGenerationService,
  type FileStore,
  type GenerationServiceOptions,
  type Job,
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

/** Called for every job that a process has stored. The process gets no answer before the function returns or resolves. */
export type OnStored = (job: Job) => unknown

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

export type MortalProcess = ReturnType<typeof startMortalProcess>

type Method = (...args: never[]) => Promise<unknown>

/** The part with each of these methods replaced, unless it lacks the method. */
function withMethods<Part extends object>(
  part: Part,
  names: readonly (keyof Part)[],
  replace: (method: Method, name: string) => Method,
): Part {
  const replaced = names.flatMap((name) =>
    part[name] ? [[name, replace(part[name] as Method, String(name))]] : [],
  )
  return { ...part, ...Object.fromEntries(replaced) }
}

const reads = ['findByIdempotencyKey', 'get', 'due', 'expired'] as const
const writes = ['insert', 'replace', 'delete'] as const
const never = new Promise<never>(() => {})

/** The ids of the processes that were killed. */
const ended = new Set<string>()

/** Starts a service that acts like a process of its own: it can stand still, die, and be cut off from its stores. */
export function startMortalProcess(parts: ProcessParts) {
  const { store, providers, files, offers = (own) => own, options, onStored } = parts
  const gate = gateOf(parts.clock)
  const backend = store.connect(gate.clock)
  const storeCalls = new Set<Promise<unknown>>()

  const toStore = (call: Method, name: string): Method =>
    gate.through(async (...args: never[]) => {
      const { storeTrouble } = mortal
      if (storeTrouble === 'hanging') return never
      if (storeTrouble === 'away' || (storeTrouble === 'read-only' && writes.some((write) => write === name)))
        throw new Error('The job store is away.')
      const answer = call(...args)
      storeCalls.add(answer)
      const result = await answer.finally(() => storeCalls.delete(answer))
      if (name === 'replace' && result === 'replaced') await onStored?.(args[0] as unknown as Job)
      return result
    })

  const { jobs, signals } = backend
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
      jobs: withMethods(jobs, [...reads, ...writes], toStore),
      signals: { ...signals, subscribe: (jobId, wake) => signals.subscribe(jobId, gate.into(wake)) },
      ...(processes && { processes: withMethods(processes, ['hasEnded', 'leftBehind'], toStore) }),
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

  const mortal = {
    service,
    /** Makes the process stand still. Its timers and the answers to its calls wait until `thaw`. */
    freeze: gate.shut,
    /** Lets the process go on. Resolves when it has received everything that has arrived meanwhile. */
    thaw: gate.open,
    /** Ends the process. Its calls get no answer any more, and later calls have no effect. */
    kill() {
      ended.add(ownId)
      gate.end()
      void backend.scheduler.stop()
    },
    /** Which calls to the job store fail without an effect. With `hanging` they are never answered. */
    storeTrouble: 'none' as 'none' | 'away' | 'read-only' | 'hanging',
    /** While this is `true`, all calls to the file store fail without an effect. */
    areFilesAway: false,
    get isFrozen() {
      return gate.isShut
    },
    get isDead() {
      return gate.hasEnded
    },
    /** The calls to the job store that wait for the answer of the store. */
    storeCalls,
    /** Closes everything that the process holds, also after its death. */
    async disconnect() {
      gate.end()
      await backend.close()
    },
  }
  service.start()
  return mortal
}

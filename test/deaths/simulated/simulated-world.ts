import { callbacks } from '@genmount/core/callbacks'
import { type GenerationServiceOptions, type Job, memoryFileStore, type Provider } from '@genmount/core'
import {
  type FakeProvider,
  fakeProvider,
  type FakeProviderOptions,
  type ManualClock,
  manualClock,
} from '@genmount/testing'
import {
  type MortalProcess,
  type OnStored,
  type ProcessParts,
  type SharedStore,
  startMortalProcess,
} from './mortal-process.ts'

export type OpenStore = () => SharedStore

export interface WorldOptions extends Pick<ProcessParts, 'offers' | 'knowsEnds'> {
  /** The vendor of the only provider. */
  readonly vendor?: FakeProviderOptions
  /** The vendors of several providers, by the names of the providers, in place of `vendor`. */
  readonly vendors?: Readonly<Record<string, FakeProviderOptions>>
  /** Members of the providers that replace those of the fake providers. */
  readonly provider?: Partial<Provider>
  readonly service?: Partial<GenerationServiceOptions>
  /**
   * The longest step in which time passes, in milliseconds. After each step, the world waits for work that does not
   * depend on timers.
   * @default 100
   */
  readonly stepMs?: number
}

/** How one process differs from the others. */
export interface ProcessChanges {
  /** The names of its providers, in their order. @default all providers */
  readonly names?: readonly string[] | undefined
  /** Replaces its providers by others that call them. */
  readonly wrap?: ((provider: Provider) => Provider) | undefined
  /** What its service offers of these providers. @default as the world's option says */
  readonly offers?: ProcessParts['offers']
  /** @default a log that is thrown away */
  readonly log?: GenerationServiceOptions['log']
}

export type SimulatedWorld = ReturnType<typeof startWorld>

const underWay = new Set<Promise<unknown>>()

const { subtle } = crypto
const digest = subtle.digest.bind(subtle)
subtle.digest = (...args) => {
  const computed = digest(...args)
  underWay.add(computed)
  const forget = () => void underWay.delete(computed)
  computed.then(forget, forget)
  return computed
}

/**
 * Resolves when all digests that were requested before are computed. They are computed on other threads, for
 * which a manual clock does not wait: on a busy machine hours of its time could pass meanwhile.
 */
async function digestsDone(): Promise<void> {
  await Promise.allSettled(underWay)
}

/** Starts processes of one service on one store in this process, with their vendors, on one manual clock. */
export function startWorld(openStore: OpenStore, options: WorldOptions = {}) {
  const { vendor: only = {}, vendors: scripts = { fake: only }, stepMs = 100 } = options
  // The service must not pass fractions of a millisecond on to a store, which may refuse them.
  const clock = manualClock(Date.UTC(2026, 0, 1) + 0.37)
  const store = openStore()
  const observer = store.connect(clock)
  const vendors = new Map<string, FakeProvider>()
  for (const [name, script] of Object.entries(scripts))
    vendors.set(name, fakeProvider({ name, clock, ...script }))
  const files = memoryFileStore()
  const processes: MortalProcess[] = []
  const sendsCallbacks = [...vendors.values()].some(({ readCallback }) => readCallback)
  const service = {
    ...(sendsCallbacks && { plugins: [callbacks({ baseUrl: 'https://app.example' })] }),
    ...options.service,
  }

  function vendorOf(name: string): FakeProvider {
    const vendor = vendors.get(name)
    if (!vendor) throw new Error(`There is no vendor ${name}.`)
    return vendor
  }
  const vendor = vendorOf(Object.keys(scripts)[0]!)

  function start(
    onStored?: OnStored,
    { names = [...vendors.keys()], wrap = (own) => own, offers = options.offers, log }: ProcessChanges = {},
  ) {
    const process = startMortalProcess({
      clock,
      store,
      providers: names.map((name) => wrap({ ...vendorOf(name), ...options.provider })),
      files,
      offers,
      options: { ...service, ...(log && { log }) },
      knowsEnds: options.knowsEnds,
      onStored,
    })
    processes.push(process)
    return process
  }

  /** Creates a job through this process. @returns its id */
  async function create({ service }: MortalProcess, model = 'fake-image'): Promise<string> {
    const { job } = await service.create({ owner: 'alice', model, input: { prompt: 'a fox' } })
    return job.id
  }

  /** Reads the job from the store. */
  async function job(id: string): Promise<Job> {
    const stored = await observer.jobs.get(id)
    if (!stored) throw new Error(`There is no job ${id}.`)
    return stored
  }

  const storeCalls = () => processes.flatMap((process) => [...process.storeCalls])

  /** Lets time pass. Calls to the store are answered before the time goes on. */
  async function pass(ms: number): Promise<void> {
    const until = clock.uptime() + ms
    do {
      await digestsDone()
      await clock.advance(Math.min(stepMs, until - clock.uptime()))
      for (let calls = storeCalls(); calls.length > 0; calls = storeCalls()) {
        await Promise.allSettled(calls)
        // The answers may lead to further calls.
        await new Promise((resolve) => setImmediate(resolve))
      }
    } while (clock.uptime() < until)
  }

  /**
   * Lets time pass until the condition is true, at most `limitMs`.
   * @param everyMs the time between two looks at the condition
   * @returns whether it became true
   */
  async function passUntil(
    isSo: () => boolean | Promise<boolean>,
    limitMs = 600_000,
    everyMs = stepMs,
  ): Promise<boolean> {
    for (let passedMs = 0; !(await isSo()); passedMs += everyMs) {
      if (passedMs >= limitMs) return false
      await pass(everyMs)
    }
    return true
  }

  /** Kills all processes, and closes what they hold. */
  async function close(): Promise<void> {
    for (const process of processes) process.kill()
    await Promise.all(processes.map((process) => process.disconnect()))
    await observer.close()
    await store.close?.()
  }

  return {
    clock,
    /** The jobs as they are in the store. */
    jobs: observer.jobs,
    vendor,
    vendorOf,
    /** The processes in the order of their starts, also those that have died. */
    processes,
    start,
    create,
    job,
    pass,
    passUntil,
    callBack: sendCallbacks(clock, vendor),
    close,
  }
}

/**
 * Makes the function that sends the callback about the task of a job as vendors do: ten tries in a minute, one after the
 * other, until one was accepted. `target` says for each try which process it reaches.
 */
function sendCallbacks(clock: ManualClock, vendor: FakeProvider) {
  return (id: string, target: () => MortalProcess) => {
    const call = { isTaken: false, answers: [] as string[] }
    function attempt(number: number): void {
      if (call.isTaken || number > 10) return
      target()
        .service.receiveCallback?.(id, vendor.callbackFor(id))
        .then(
          (isTaken) => {
            call.answers.push(isTaken ? 'taken' : 'not taken')
            call.isTaken ||= isTaken
          },
          () => call.answers.push('failed'),
        )
      clock.after(6000, () => attempt(number + 1))
    }
    attempt(1)
    return call
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers'
import { inspect } from 'node:util'
import {
  type Backend,
  type Clock,
  createGenerationService,
  type GenerationService,
  isFinished,
  type Job,
  memoryBackend,
  type Provider,
} from '@genmount/core'
import { manualClock } from '@genmount/testing'
import type { HostedVendor, Step, VendorCase } from './vendor-case.ts'
import { type Trouble, troubledFetch } from './troubled-fetch.ts'

export interface VendorWorldOptions {
  /** @default in memory; each process gets its own object, and all of them share the same jobs */
  readonly backend?: (clock: Clock) => Backend
  /** How long the model usually takes, if the vendor's case depends on it. */
  readonly typicalMs?: number
  readonly callbackBaseUrl?: string
}

/** The prompt of jobs whose requests meet with trouble. */
const inTrouble = 'a fox in trouble'

/**
 * A service in front of a vendor. Its clock advances whenever no request is under way. Some jobs meet trouble on their
 * way to the vendor, and the other jobs do not.
 */
export async function vendorWorld(
  vendorCase: VendorCase,
  { backend, typicalMs, callbackBaseUrl }: VendorWorldOptions = {},
) {
  const vendor = await vendorCase.start(typicalMs)
  let clock = manualClock()
  const lines: string[] = []
  const note = (...words: unknown[]) =>
    void lines.push(words.map((word) => inspect(word, { depth: 20 })).join())
  const { jobs } = memoryBackend({ clock })
  const askedFor = new AsyncLocalStorage<unknown>()
  const asked: { readonly step: Step; readonly at: number }[] = []
  const troubles: { readonly step: Step; readonly trouble: Trouble; times: number }[] = []

  const wire = await troubledFetch(vendor.fetch, (method, url) => {
    if (askedFor.getStore() !== inTrouble) return undefined
    const step = vendorCase.stepOf(method, url)
    asked.push({ step, at: clock.now() })
    const found = troubles.find((entry) => entry.step === step && entry.times > 0)
    if (found) found.times--
    return found?.trouble
  })

  let underWay = 0
  async function watch<Value>(prompt: unknown, call: () => Promise<Value>): Promise<Value> {
    underWay++
    return askedFor.run(prompt, call).finally(() => underWay--)
  }

  function watched(provider: Provider): Provider {
    const { find, cancel } = provider
    return {
      ...provider,
      submit: (task, call) => watch(task.input['prompt'], () => provider.submit(task, call)),
      poll: (task, call) => watch(task.input['prompt'], () => provider.poll(task, call)),
      ...(find && { find: (task, call) => watch(task.input['prompt'], () => find(task, call)) }),
      ...(cancel && { cancel: (task, call) => watch(task.input['prompt'], () => cancel(task, call)) }),
    }
  }

  const services: GenerationService[] = []
  function startService(): { readonly service: GenerationService; readonly backend: Backend } {
    const own = backend?.(clock) ?? { ...memoryBackend({ clock }), jobs }
    const service = createGenerationService({
      providers: [watched(vendor.connect(wire.fetch))],
      backend: own,
      keepOutputs: 'redirect',
      callbackBaseUrl,
      clock,
      log: { warn: note, error: note },
    })
    service.start()
    services.push(service)
    return { service, backend: own }
  }
  let current = startService()

  async function job(id: string): Promise<Job> {
    const found = await current.backend.jobs.get(id)
    if (found) return found
    throw new Error(`There is no job ${id}.`)
  }

  const create = async (prompt: string) => {
    const { model, input } = vendorCase
    return (await current.service.create({ owner: 'alice', model, input: { ...input, prompt } })).job.id
  }

  /** Waits for the requests that are under way, without advancing the clock. @returns whether all of them have ended */
  async function isQuiet(): Promise<boolean> {
    while (underWay > wire.silent) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(0)
    return underWay <= wire.silent
  }

  return {
    vendor,
    get clock() {
      return clock
    },
    get service() {
      return current.service
    },
    lines,
    asked,
    job,
    /** What goes wrong with the next `times` requests of jobs in trouble. */
    trouble: (step: Step, trouble: Trouble, times = Number.POSITIVE_INFINITY) =>
      void troubles.push({ step, trouble, times }),
    /** Removes the troubles that no request has met yet. */
    calm: () => void troubles.splice(0),
    release: wire.release,
    create: () => create('a fox'),
    createInTrouble: () => create(inTrouble),

    /** Waits for everything that happens without advancing the clock. */
    async settle(): Promise<void> {
      while (!(await isQuiet()));
    },

    /** Advances the clock until all these jobs are as wanted, by one second at a time while an answer is withheld. */
    async until(ids: readonly string[], isWanted: (job: Job) => boolean = isFinished): Promise<Job[]> {
      for (const end = clock.now() + 3 * 60 * 60_000; clock.now() < end;) {
        if (!(await isQuiet())) continue
        const found = await Promise.all(ids.map(job))
        if (found.every(isWanted)) return found
        const dueAt = Math.min(...found.map((job) => (isFinished(job) ? Infinity : (job.dueAt ?? Infinity))))
        await clock.advance(wire.silent > 0 ? 1000 : Math.max(1, dueAt - clock.now()))
      }
      throw new Error(`Not within hours: ${inspect(await Promise.all(ids.map(job)))}`)
    },

    /** Replaces the process: its clock stops, as if it had died, and another process takes its place. */
    restart(): void {
      clock = manualClock(clock.now())
      current = startService()
    },

    async close(): Promise<void> {
      wire.release()
      await Promise.all(services.map((service) => service.close()))
      await Promise.all([wire.close(), vendor.close()])
    },
  }
}

export type VendorWorld = Awaited<ReturnType<typeof vendorWorld>>

/** The secrets of the vendor that a text contains, as they are or URL-encoded. */
export function leaksIn(text: string, { secrets }: HostedVendor): string[] {
  return secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
}

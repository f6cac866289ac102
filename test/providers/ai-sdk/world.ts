import { onTestFinished } from 'vitest'
import {
  createGenerationService,
  type FileFetch,
  type GenerationServiceOptions,
  type Job,
  type JobStore,
  memoryBackend,
  type Provider,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { aiSdkProvider, type AiSdkProviderOptions } from '@genmount/provider-ai-sdk'
import { manualClock } from '@genmount/testing'
import { type Vendor, vendors } from './vendors/vendors.ts'
import { key, vendorServer } from './vendors/vendor-server.ts'

/** The guarded fetch of a world in which loopback is public. */
export const fetchFile: FileFetch = (url, limits) =>
  guardedFetch(url, { ...limits, allowAddress: () => true })

export function vendorOf(model: string): Vendor {
  const vendor = Object.values(vendors).find(({ models }) => model in models('http://127.0.0.1'))
  if (vendor) return vendor
  throw new Error(`No vendor has ${model}.`)
}

/** A vendor on loopback, and processes with services in front of it over one store, on a clock that stands still. */
export async function world(model: string, changes: Partial<AiSdkProviderOptions> = {}) {
  const clock = manualClock()
  const { fake, models } = vendorOf(model)
  const vendor = await vendorServer(fake)
  const { jobs } = memoryBackend({ clock })
  const log: string[] = []
  const note = (...words: unknown[]) => void log.push(words.map(String).join(' '))

  let underWay = 0
  async function watch<Value>(call: Promise<Value>): Promise<Value> {
    underWay++
    return call.finally(() => underWay--)
  }

  function connect(): Provider {
    const provider = aiSdkProvider({ models: models(vendor.origin), fetchFile, secrets: [key], ...changes })
    return {
      ...provider,
      submit: (task, call) => watch(provider.submit(task, call)),
      poll: (task, call) => watch(provider.poll(task, call)),
    }
  }

  function start(options: Partial<GenerationServiceOptions> = {}) {
    let isDead = false
    const mortal =
      <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        isDead ? new Promise(() => {}) : ask(...args)
    const mortalJobs = Object.fromEntries(
      Object.entries(jobs).map(([name, ask]) => [name, mortal(ask)]),
    ) as unknown as JobStore
    const { scheduler, signals } = memoryBackend({ clock })
    const service = createGenerationService({
      providers: [connect()],
      clock,
      log: { warn: note, error: note },
      backend: { durable: true, jobs: mortalJobs, scheduler, signals, close: async () => {} },
      ...options,
    })
    onTestFinished(async () => {
      if (!isDead) await service.close()
    })
    service.start()
    return { service, die: () => void (isDead = true) }
  }
  onTestFinished(() => vendor.close())

  /** The job once `isSo` is true of it. Time stands still while the vendor has something to answer, and wants to. */
  async function until(id: string, isSo: (job: Job) => boolean): Promise<Job> {
    for (const end = clock.now() + 2 * 60 * 60_000; clock.now() < end;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (underWay > vendor.silent) continue
      await clock.advance(0)
      const job = await jobs.get(id)
      if (job && isSo(job)) return job
      const pauseMs = vendor.silent > 0 ? 1000 : Math.max(1, (job?.dueAt ?? 0) - clock.now())
      if (underWay <= vendor.silent) await clock.advance(pauseMs)
    }
    throw new Error(`Not within two hours: ${JSON.stringify(await jobs.get(id))}`)
  }

  return { clock, vendor, jobs, log, start, until }
}

export const hasEnded = ({ phase }: Job) => phase === 'completed' || phase === 'failed'

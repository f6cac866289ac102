import { onTestFinished } from 'vitest'
import { createGenerationService, type FileFetch, type Job, memoryBackend } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { aiSdkProvider, type AiSdkProviderOptions } from '@genmount/provider-ai-sdk'
import { manualClock, quietLog } from '@genmount/testing'
import { watchedCalls } from '../watched-calls.ts'
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

/** A vendor on loopback, and a service in front of it, on a clock that stands still. */
export async function world(model: string, changes: Partial<AiSdkProviderOptions> = {}) {
  const clock = manualClock()
  const { fake, models } = vendorOf(model)
  const vendor = await vendorServer(fake)
  const backend = memoryBackend({ clock })

  const { provider, underWay } = watchedCalls(
    aiSdkProvider({ models: models(vendor.origin), fetchFile, secrets: [key], log: quietLog(), ...changes }),
  )
  const service = createGenerationService({ providers: [provider], clock, log: quietLog(), backend })
  onTestFinished(async () => void (await service.close()))
  service.start()
  onTestFinished(() => vendor.close())

  /** Returns the job once `isSo` is true for it. The clock stands still while the vendor is answering a request. */
  async function until(id: string, isSo: (job: Job) => boolean): Promise<Job> {
    for (const end = clock.now() + 2 * 60 * 60_000; clock.now() < end;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (underWay() > vendor.silent) continue
      await clock.advance(0)
      const job = await backend.jobs.get(id)
      if (job && isSo(job)) return job
      const pauseMs = vendor.silent > 0 ? 1000 : Math.max(1, (job?.dueAt ?? 0) - clock.now())
      if (underWay() <= vendor.silent) await clock.advance(pauseMs)
    }
    throw new Error(`Not within two hours: ${JSON.stringify(await backend.jobs.get(id))}`)
  }

  return { clock, vendor, jobs: backend.jobs, service, until }
}

export const hasEnded = ({ phase }: Job) => phase === 'completed' || phase === 'failed'

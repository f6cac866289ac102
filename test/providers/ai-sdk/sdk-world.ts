import { onTestFinished } from 'vitest'
import type { FileFetch } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { aiSdkProvider, type AiSdkProviderOptions } from '@genmount/provider-ai-sdk'
import { quietLog } from '@genmount/testing'
import { serviceWorld } from '../service-world.ts'
import type { Where } from '../vendor-server.ts'
import { vendorOf } from './vendors.ts'

/** The guarded fetch of a world in which loopback is public. */
export const fetchFile: FileFetch = (url, limits) =>
  guardedFetch(url, { ...limits, allowAddress: () => true })

/** A request to start a task, to poll a task, or to download a file. */
export type SdkStep = 'submit' | 'poll' | 'file'

/** The requests of one kind, for the troubles of a fake. */
export const isFor =
  (step: SdkStep): Where =>
  ({ method, url: { hostname, pathname } }) => {
    const isFile = /media$|delivery/.test(hostname) || pathname.includes('/files/')
    return step === (isFile ? 'file' : method === 'GET' ? 'poll' : 'submit')
  }

/** The fake of a model's vendor, and a service in front of it. */
export async function sdkWorld(model: string, changes: Partial<AiSdkProviderOptions> = {}) {
  const { fake, modelsAt, secret } = vendorOf(model)
  const vendor = await fake()
  onTestFinished(() => vendor.close())
  const { unanswered } = vendor
  const models = modelsAt(vendor.origin)
  const provider = aiSdkProvider({ models, fetchFile, secrets: [secret], log: quietLog(), ...changes })
  const world = serviceWorld(() => [provider], { unanswered })
  onTestFinished(world.close)
  return { ...world, vendor, create: (prompt = 'a fox in the snow') => world.create(model, { prompt }) }
}

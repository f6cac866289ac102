import { onTestFinished } from 'vitest'
import { aiSdkProvider, type AiSdkProviderOptions } from '@genmount/provider-ai-sdk'
import { quietLog } from '@genmount/testing'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { serviceWorld } from '../service-world.ts'
import type { Where } from '../vendor-server.ts'
import { modelsAt, vendorOf } from './vendors.ts'

/** A request to start a task, to poll a task, or to download a file. */
export type SdkStep = 'submit' | 'poll' | 'file'

/** The requests of one kind, for the troubles of a fake. */
export const isFor =
  (step: SdkStep): Where =>
  ({ method, url: { hostname, pathname } }) => {
    const isFile = /media$|delivery/.test(hostname) || pathname.includes('/files/')
    return step === (isFile ? 'file' : method === 'GET' ? 'poll' : 'submit')
  }

/**
 * The fake of a model's vendor, and a service in front of it.
 * @param finish takes what ends both. Tests that run side by side have one each
 */
export async function sdkWorld(
  model: string,
  changes: Partial<AiSdkProviderOptions> = {},
  finish: typeof onTestFinished = onTestFinished,
) {
  const sdkVendor = vendorOf(model)
  const vendor = await sdkVendor.fake()
  const models = modelsAt(sdkVendor, vendor.origin)
  const provider = aiSdkProvider({
    models,
    fetchFile,
    secrets: [sdkVendor.secret],
    log: quietLog(),
    ...changes,
  })
  const world = serviceWorld(() => [provider], { vendor })
  finish(world.close)
  return { ...world, vendor, create: (prompt = 'a fox in the snow') => world.create(model, { prompt }) }
}

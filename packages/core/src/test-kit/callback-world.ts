import type { ServicePlugin } from '@genmount/core'
import { type CallbackMethods, callbacks } from '@genmount/core/callbacks'
import { type FakeProviderOptions, type FakeWorld, fakeWorld, type ProcessChanges } from '@genmount/testing'
import { expect } from 'vitest'
import type { ProviderCall } from '../contracts/provider.ts'
import type { ProviderTask } from '../contracts/provider-task.ts'

/** A service before a vendor that calls back, and the callback URL of each submit. */
export function callbackWorld(fake: FakeProviderOptions, changes: ProcessChanges = {}) {
  const urls: (string | undefined)[] = []
  const submit = (task: ProviderTask, call: ProviderCall) => {
    urls.push(call.callbackUrl)
    return (changes.provider?.submit ?? world.provider.submit)(task, call)
  }
  const plugins = [callbacks({ baseUrl: 'https://app.example/media/' })] as const
  const world: FakeWorld<readonly [ServicePlugin<CallbackMethods>]> = fakeWorld(fake, {
    ...changes,
    plugins,
    provider: { ...changes.provider, submit },
  })
  const { clock, service, provider: vendor } = world
  return {
    clock,
    service,
    fake: vendor,
    jobs: world.jobs,
    urls,
    /** Resolves once the job is submitted, which waits for a hash that takes real time. */
    async create() {
      const submits = urls.length
      const job = await world.create()
      await expect.poll(() => clock.advance(0).then(() => urls.length)).toBe(submits + 1)
      await clock.advance(0)
      return job
    },
    /** The parts of the callback URL of a submit. */
    addressOf(at: number) {
      const [, provider = '', , token = ''] =
        /\/v1\/callbacks\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(urls[at] ?? '') ?? []
      return { provider, token }
    },
  }
}

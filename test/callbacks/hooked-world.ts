import { callbacks } from '@genmount/core/callbacks'
import type { CallbackRequest, Job } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { expect, onTestFinished } from 'vitest'
import { vendorCases } from '../providers/hosted-vendors.ts'
import type { VendorCase } from '../providers/vendor-case.ts'
import { vendorWorld } from '../providers/vendor-world.ts'
import { served } from '../served.ts'

/** Where the vendors find the service. */
export const base = 'https://app.example/media'

export const isRunning = ({ phase }: Pick<Job, 'phase'>) => phase === 'running'

/** The names of the vendors with this kind of webhooks. */
export function vendorsWith(webhooks: VendorCase['webhooks']): string[] {
  return Object.keys(vendorCases).filter((name) => vendorCases[name]?.webhooks === webhooks)
}

/** A service on a socket, before a vendor that sends its webhooks to where it was told. */
export async function silentWorld(name: string) {
  const world = await vendorWorld(vendorCases[name]!, {
    plugins: [callbacks({ baseUrl: base })],
    typicalMs: 60_000,
  })
  const origin = await served((request, response) => {
    // What a proxy in front of the app does.
    request.url = request.url?.replace('/media', '')
    // The service is another one after a restart.
    toNodeHandler(world.service, { authenticate: apiKeys({ alice: 'alice-key' }) })(request, response)
  })
  onTestFinished(() => world.close())
  const webhook = world.vendor.webhook!

  return {
    ...world,
    clock: world.clock,
    webhook,
    polls: () => world.asked.filter(({ step }) => step === 'poll').length,

    /** Posts a webhook, as the vendor would, and waits until its immediate effects are over. @returns the status of the answer */
    async deliver({ headers, body }: CallbackRequest, to = webhook.address() ?? ''): Promise<number> {
      const sentAt = performance.now()
      const address = to.replace('https://app.example', origin)
      const { status } = await fetch(address, { method: 'POST', headers, body: new Uint8Array(body) })
      expect(performance.now() - sentAt).toBeLessThan(5000)
      await world.settle()
      return status
    },
  }
}

/** The same world, in which the vendor has accepted one job. */
export async function hookedWorld(name: string) {
  const world = await silentWorld(name)
  const id = await world.createInTrouble()
  const [job] = await world.until([id], isRunning)
  // The service leaves this much time between two polls.
  await world.clock.advance(2000)
  return { ...world, id, job: job!, address: world.webhook.address() ?? '', stored: () => world.job(id) }
}

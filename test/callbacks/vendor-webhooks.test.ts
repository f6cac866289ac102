import type { CallbackRequest } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { vendorCases } from '../providers/hosted-vendors.ts'
import { vendorWorld, type VendorWorldOptions } from '../providers/vendor-world.ts'
import { served } from '../served.ts'

const base = 'https://app.example/media'
const fiveMinutes = 5 * 60_000

const isRunning = ({ phase }: { readonly phase: string }) => phase === 'running'

/** A service on a socket, before a vendor that has taken one job on and sends its webhooks to where it was told. */
async function hookedWorld(name: string, options: VendorWorldOptions = {}) {
  const world = await vendorWorld(vendorCases[name]!, {
    callbackBaseUrl: base,
    typicalMs: 60_000,
    ...options,
  })
  const origin = await served((request, response) => {
    // What a proxy in front of the app does.
    request.url = request.url?.replace('/media', '')
    handle(request, response)
  })
  const handle = toNodeHandler(world.service, { authenticate: apiKeys({ alice: 'alice-key' }) })
  onTestFinished(() => world.close())

  const id = await world.createInTrouble()
  const [job] = await world.until([id], isRunning)
  // So much time must lie between two polls.
  await world.clock.advance(2000)
  const webhook = world.vendor.webhook!
  const address = webhook.address() ?? ''

  return {
    ...world,
    clock: world.clock,
    id,
    job: job!,
    webhook,
    address,
    stored: () => world.job(id),
    polls: () => world.asked.filter(({ step }) => step === 'poll').length,

    /** Delivered as the vendor would; all that it brings about at once has come about. */
    async deliver({ headers, body }: CallbackRequest, to = address): Promise<number> {
      const sentAt = performance.now()
      const reply = await fetch(to.replace('https://app.example', origin), {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      })
      expect(performance.now() - sentAt).toBeLessThan(1000)
      await world.settle()
      return reply.status
    },
  }
}

const withWebhooks = ['replicate', 'fal', 'bfl']

describe.each(withWebhooks)('%s', (name) => {
  test('a webhook has its job polled and done at once, long before the next poll', async () => {
    const { job, address, webhook, clock, deliver, stored, polls } = await hookedWorld(name)
    expect(address).toMatch(new RegExp(`^${base}/v1/callbacks/${name}/${job.id}/\\w{32,}$`))
    expect(job.dueAt! - clock.now()).toBeGreaterThan(5000)
    webhook.finish()
    expect(await deliver(webhook.signed(Date.now()))).toBe(204)
    expect(await stored()).toMatchObject({ phase: 'completed', outputs: [{}] })
    expect(polls()).toBe(1)
  })

  test.each<[string, (request: CallbackRequest) => CallbackRequest, number]>([
    ['forged: another body', (request) => ({ ...request, body: Buffer.from('{"id":"x"}') }), 0],
    [
      'forged: a space more',
      (request) => ({ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }),
      0,
    ],
    ['unsigned', ({ body }) => ({ headers: {}, body }), 0],
    ['older than five minutes', (request) => request, -fiveMinutes - 2000],
    ['from the future', (request) => request, fiveMinutes + 5000],
  ])('a webhook that is %s changes nothing', async (_what, change, offsetMs) => {
    const { webhook, deliver, stored, polls } = await hookedWorld(name)
    webhook.finish()
    const before = await stored()
    expect(await deliver(change(webhook.signed(Date.now() + offsetMs)))).toBe(404)
    expect([await stored(), polls()]).toEqual([before, 0])
  })

  test('a genuine webhook of one job tells nothing of another', async () => {
    const { id, job, address, webhook, deliver, until, create, polls } = await hookedWorld(name)
    const other = await create()
    await until([other], isRunning)
    webhook.finish()
    const ofOther = webhook.signed(Date.now())
    await deliver(ofOther, address)
    const [after] = await until([id], () => true)
    expect(after).toMatchObject({ phase: 'running', handle: job.handle })
    // It may be a reason to ask, and what it says is none to believe it.
    expect(polls()).toBeLessThanOrEqual(1)
  })

  test('the same webhook ten times over asks once, and after the end never', async () => {
    const { webhook, clock, deliver, stored, polls } = await hookedWorld(name)
    const early = webhook.signed(Date.now())
    for (let times = 0; times < 10; times++) expect(await deliver(early)).toBe(204)
    expect(polls()).toBe(1)
    expect(await stored()).toMatchObject({ phase: 'running' })
    webhook.finish()
    await clock.advance(2000)
    await deliver(webhook.signed(Date.now()))
    const ended = await stored()
    expect(ended.phase).toBe('completed')
    // The earlier one comes last.
    await deliver(early)
    await deliver(webhook.signed(Date.now()))
    expect([await stored(), polls()]).toEqual([ended, 2])
  })

  test('a webhook that a vendor sends too early counts for nothing itself', async () => {
    const { webhook, deliver, stored } = await hookedWorld(name)
    await deliver(webhook.signed(Date.now()))
    expect(await stored()).toMatchObject({ phase: 'running', outputs: [] })
  })
})

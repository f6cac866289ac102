import { describe, expect, onTestFinished, test } from 'vitest'
import { vendorCases } from '../providers/hosted-vendors.ts'
import { silence } from '../providers/troubles.ts'
import { hookedWorld, isRunning, silentWorld, vendorsWith } from './hooked-world.ts'

describe.each(vendorsWith('hints'))('the unsigned webhooks of %s', (name) => {
  test('a webhook to an address without the secret of the job gets 404 and changes nothing', async () => {
    const { id, address, webhook, create, until, deliver, stored, polls } = await hookedWorld(name)
    const other = await create()
    await until([other], isRunning)
    const ofOther = webhook.address()!
    webhook.finish()
    const before = await stored()
    const [, token = ''] = /(\w+)$/.exec(address) ?? []
    const [, otherToken = ''] = /(\w+)$/.exec(ofOther) ?? []
    for (const wrong of ['0'.repeat(64), otherToken, token.slice(1), id])
      expect(await deliver(webhook.signed(Date.now()), address.replace(token, wrong))).toBe(404)
    expect([await stored(), polls()]).toEqual([before, 0])
  })

  test('a webhook with a false body makes the service poll the vendor, and its content is ignored', async () => {
    const { job, deliver, stored, polls } = await hookedWorld(name)
    const lies = {
      id: 'cgt-of-somebody-else',
      status: 'failed',
      type: 'interaction.failed',
      data: { id: 'v1_x' },
    }
    for (const text of [JSON.stringify(lies), 'no JSON', ''])
      expect(await deliver({ headers: {}, body: Buffer.from(text) })).toBe(204)
    expect(await stored()).toMatchObject({ phase: 'running', handle: job.handle, outputs: [] })
    expect(polls()).toBe(1)
  })

  test('a webhook that arrives before the answer to the submit makes the service poll soon after the answer', async () => {
    const world = await silentWorld(name)
    const { webhook, clock, deliver, polls, until, release } = world
    world.trouble('submit', silence, 1)
    const id = await world.createInTrouble()
    await expect.poll(() => world.vendor.taken()).toBe(1)
    webhook.finish()
    expect(await deliver(webhook.signed(Date.now()))).toBe(204)
    expect(await world.job(id)).toMatchObject({ phase: 'submitting', isHinted: true })
    release()
    const [running] = await until([id], ({ phase }) => phase !== 'submitting')
    expect(running!.dueAt! - clock.now()).toBeLessThanOrEqual(1000)
    const [ended] = await until([id])
    expect(ended).toMatchObject({ phase: 'completed', outputs: [{}] })
    expect([polls(), world.vendor.taken()]).toEqual([1, 1])
  })

  test.each([
    ['https://app.example/v1/callbacks/a/b/c', true],
    ['http://app.example/v1/callbacks/a/b/c', false],
    [undefined, false],
  ])('the provider sends the callback address %s to the vendor: %s', async (callbackUrl, isGiven) => {
    const { start, model, input } = vendorCases[name]!
    const vendor = await start()
    onTestFinished(() => vendor.close())
    const task = { jobId: 'job', model, input, clientToken: 'token' }
    await vendor.connect(vendor.fetch).submit(task, { signal: new AbortController().signal, callbackUrl })
    expect(vendor.webhook!.address()).toBe(isGiven ? callbackUrl : undefined)
  })
})

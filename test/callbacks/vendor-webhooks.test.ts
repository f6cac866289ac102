import type { CallbackRequest } from '@genmount/core'
import { describe, expect, test } from 'vitest'
import { base, hookedWorld, isRunning, vendorsWith } from './hooked-world.ts'

const fiveMinutes = 5 * 60_000

describe.each(vendorsWith('signed'))('%s', (name) => {
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

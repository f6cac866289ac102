import type { CallbackRequest } from '@genmount/core'
import { describe, expect, test } from 'vitest'
import { hookedWorld, isRunning, vendorsWith } from './hooked-world.ts'

const fiveMinutes = 5 * 60_000

describe.each(vendorsWith('signed'))('the signed webhooks of %s', (name) => {
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
  ])('a webhook that is %s gets 404 and changes nothing', async (_what, change, offsetMs) => {
    const { webhook, deliver, stored, polls } = await hookedWorld(name)
    webhook.finish()
    const before = await stored()
    expect(await deliver(change(webhook.signed(Date.now() + offsetMs)))).toBe(404)
    expect([await stored(), polls()]).toEqual([before, 0])
  })

  test('a genuine webhook about one job, posted to the address of another, does not change the other job', async () => {
    const { id, job, address, webhook, deliver, until, create, polls } = await hookedWorld(name)
    const other = await create()
    await until([other], isRunning)
    webhook.finish()
    const ofOther = webhook.signed(Date.now())
    await deliver(ofOther, address)
    const [after] = await until([id], () => true)
    expect(after).toMatchObject({ phase: 'running', handle: job.handle })
    // Such a webhook may make the service poll the vendor, but its content is not trusted.
    expect(polls()).toBeLessThanOrEqual(1)
  })

  test('a genuine webhook does not complete a job that the vendor still makes', async () => {
    const { webhook, deliver, stored } = await hookedWorld(name)
    await deliver(webhook.signed(Date.now()))
    expect(await stored()).toMatchObject({ phase: 'running', outputs: [] })
  })
})

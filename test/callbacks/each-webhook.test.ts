import { describe, expect, test } from 'vitest'
import { base, hookedWorld, vendorsWith } from './hooked-world.ts'

const ofJobs = [...vendorsWith('signed'), ...vendorsWith('hints')]

test.each(ofJobs)('%s gets the address of the job for its webhook', async (name) => {
  const { job, address } = await hookedWorld(name)
  expect(address).toMatch(new RegExp(`^${base}/v1/callbacks/[\\w-]+/${job.id}/\\w{32,}$`))
})

describe.each([...ofJobs, ...vendorsWith('account')])('the webhooks of %s', (name) => {
  test('a webhook makes the service poll its job and complete it at once, before the next poll is due', async () => {
    const { job, webhook, clock, deliver, stored, polls } = await hookedWorld(name)
    expect(job.dueAt! - clock.now()).toBeGreaterThan(5000)
    webhook.finish()
    expect(await deliver(webhook.signed(Date.now()))).toBe(204)
    expect(await stored()).toMatchObject({ phase: 'completed', outputs: [{}] })
    expect(polls()).toBe(1)
  })

  test('a webhook that is repeated makes the service poll its job once, and not after the end of the job', async () => {
    const { webhook, clock, deliver, stored, polls } = await hookedWorld(name)
    const early = webhook.signed(Date.now())
    for (let times = 0; times < 30; times++) expect(await deliver(early)).toBe(204)
    expect(polls()).toBe(1)
    expect(await stored()).toMatchObject({ phase: 'running' })
    webhook.finish()
    await clock.advance(2000)
    await deliver(webhook.signed(Date.now()))
    const ended = await stored()
    expect(ended.phase).toBe('completed')
    for (let times = 0; times < 10; times++) expect(await deliver(early)).toBe(204)
    await deliver(webhook.signed(Date.now()))
    expect([await stored(), polls()]).toEqual([ended, 2])
  })
})

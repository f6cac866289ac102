import { describe, expect, test } from 'vitest'
import { signedWebhook } from '../providers/signed-webhook.ts'
import { webhookSecret } from '../providers/openai/fake-responses.ts'
import { base, hookedWorld, isRunning, silentWorld, vendorsWith } from './hooked-world.ts'

const fiveMinutes = 5 * 60_000
const eventAbout = (id: string, type = 'response.completed') =>
  signedWebhook(webhookSecret, { id: 'evt_1', object: 'event', type, data: { id } }, Date.now())

describe.each(vendorsWith('account'))('the webhooks of an account of %s', (name) => {
  test('while webhooks arrive, a job is polled every 30 seconds at most', async () => {
    const { clock, webhook, deliver, createInTrouble, until, asked, vendor } = await hookedWorld(name)
    webhook.finish()
    await deliver(webhook.signed(Date.now()))
    await clock.advance(1000)
    const second = await createInTrouble()
    await until([second], isRunning)
    const before = asked.length
    await clock.advance(29_000)
    expect(asked.length - before).toBeLessThanOrEqual(1)
    expect(vendor.ledger).toHaveLength(2)
  })

  test.each([
    [
      'forged',
      (webhook: ReturnType<typeof eventAbout>) => ({ ...webhook, body: Buffer.from('{"id":"x"}') }),
      0,
    ],
    ['unsigned', ({ body }: ReturnType<typeof eventAbout>) => ({ headers: {}, body }), 0],
    ['older than five minutes', (webhook: ReturnType<typeof eventAbout>) => webhook, -fiveMinutes - 2000],
  ])('a webhook that is %s gets 404, and the vendor is not asked', async (_what, change, offsetMs) => {
    const { webhook, deliver, stored, asked } = await hookedWorld(name)
    webhook.finish()
    const [before, requests] = [await stored(), asked.length]
    expect(await deliver(change(webhook.signed(Date.now() + offsetMs)))).toBe(404)
    expect([await stored(), asked.length]).toEqual([before, requests])
  })

  test('forged webhooks, which anybody can send, are logged once a minute', async () => {
    const { webhook, deliver, lines } = await hookedWorld(name)
    const forged = { ...webhook.signed(Date.now()), body: Buffer.from('{"id":"x"}') }
    const before = lines.length
    for (let times = 0; times < 5; times++) expect(await deliver(forged)).toBe(404)
    expect(lines.slice(before)).toEqual([expect.stringContaining('was not accepted')])
  })

  test('a webhook about what no job has begun, or about no response at all, gets 204 and changes nothing', async () => {
    const { deliver, stored, vendor } = await hookedWorld(name)
    const before = await stored()
    expect(await deliver(eventAbout('resp_of_another_program'))).toBe(204)
    expect(await deliver(eventAbout('batch_1', 'batch.completed'))).toBe(204)
    expect([await stored(), vendor.ledger.length]).toEqual([before, 1])
  })

  test('a submit whose answer was lost is found by the webhook of its response, and is paid once', async () => {
    const { createInTrouble, trouble, until, webhook, deliver, job, vendor } = await silentWorld(name)
    trouble('submit', { after: 'reset' }, 1)
    const id = await createInTrouble()
    await until([id], () => vendor.ledger.length > 0)
    webhook.finish()
    expect(await deliver(webhook.signed(Date.now()))).toBe(204)
    await until([id], ({ phase }) => phase === 'completed')
    expect(await job(id)).toMatchObject({ phase: 'completed', outputs: [{}] })
    expect(vendor.ledger).toHaveLength(1)
  })

  test('another process than the one that has made the submit learns from the vendor whose response it is', async () => {
    const { id, job, webhook, deliver, restart, until, asked } = await hookedWorld(name)
    restart()
    webhook.finish()
    expect(await deliver(webhook.signed(Date.now()))).toBe(204)
    await until([id])
    expect(asked.at(-1)!.at).toBeLessThan(job.dueAt! - 5000)
  })

  test('a provider without such webhooks, and one that is not there, answer 404', async () => {
    const { webhook, deliver } = await hookedWorld(name)
    for (const provider of ['replicate', 'openai', '..%2fjobs'])
      expect(await deliver(webhook.signed(Date.now()), `${base}/v1/callbacks/${provider}`)).toBe(404)
  })
})

import { describe, expect, test } from 'vitest'
import { until } from '../until.ts'
import { type Campaign, startCampaign } from './campaign/campaign.ts'
import { create, idOf } from './campaign/client.ts'
import type { VendorCall } from './vendor/paid-vendor.ts'

/** The services' clocks run at the speed of the system's clock, so a job that waits for its lease to end waits 30 s. */
const speed = 1
/** The promise is one to two seconds. The rest is for a busy machine. */
const promptlyMs = 20_000

/** The vendor leaves calls of this kind without an answer, until `letGo` is called. */
function holding(kind: VendorCall['kind']) {
  let isHolding = true
  const never = new Promise<never>(() => {})
  return {
    delays: { answer: (call: VendorCall) => (isHolding && call.kind === kind ? never : undefined) },
    letGo: () => void (isHolding = false),
  }
}

async function expectSoonDone(campaign: Campaign, jobCount: number): Promise<void> {
  const beganAt = performance.now()
  await until(() => campaign.jobs().filter(({ phase }) => phase === 'completed').length === jobCount)
  expect(performance.now() - beganAt).toBeLessThan(promptlyMs)
  expect(campaign.vendor.ledger).toHaveLength(jobCount)
}

describe.concurrent('long before the lease is over', () => {
  test('a running server takes over the job of a server that was killed in the middle of a poll', async ({
    onTestFinished,
  }) => {
    const { delays, letGo } = holding('poll')
    const campaign = await startCampaign(onTestFinished, { speed, delays })
    const doomed = campaign.start()
    await create(campaign, doomed, { prompt: 'the one', task_ms: 100 })
    await until(() => campaign.vendor.calls.some(({ kind }) => kind === 'poll'))
    const other = campaign.start()
    await other.address
    await doomed.kill()
    letGo()
    await expectSoonDone(campaign, 1)
  })

  test('the next server takes over the job of a server that was killed in the middle of a poll', async ({
    onTestFinished,
  }) => {
    const { delays, letGo } = holding('poll')
    const campaign = await startCampaign(onTestFinished, { speed, delays })
    const doomed = campaign.start()
    await create(campaign, doomed, { prompt: 'the one', task_ms: 100 })
    await until(() => campaign.vendor.calls.some(({ kind }) => kind === 'poll'))
    await doomed.kill()
    letGo()
    await campaign.start().address
    await expectSoonDone(campaign, 1)
  })

  test('the next server takes over forty jobs of a server that was killed in the middle of their submits, if the vendor can be asked', async ({
    onTestFinished,
  }) => {
    const { delays, letGo } = holding('submit')
    const campaign = await startCampaign(onTestFinished, { speed, delays })
    const doomed = campaign.start()
    for (let index = 0; index < 40; index++)
      await create(campaign, doomed, { model: 'find', prompt: `order ${index}`, task_ms: 100 })
    await until(() => campaign.vendor.ledger.length === 40)
    await doomed.kill()
    letGo()
    await campaign.start().address
    await expectSoonDone(campaign, 40)
  })

  test('the next server takes over the jobs of a server that was killed between two polls', async ({
    onTestFinished,
  }) => {
    const campaign = await startCampaign(onTestFinished, { speed })
    const doomed = campaign.start()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(campaign, doomed, { prompt: `order ${index}`, task_ms: 100, poll_after_ms: 5000 }),
      ),
    )
    await until(() => campaign.jobs().every(({ phase }) => phase === 'running'))
    await doomed.kill()
    await campaign.start().address
    await expectSoonDone(campaign, 20)
  })
})

test.concurrent('another running server goes on with the jobs of a server that closes', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed })
  const leaving = campaign.start()
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      create(campaign, leaving, { prompt: `order ${index}`, task_ms: 100, poll_after_ms: 5000 }),
    ),
  )
  const ids = created.map(idOf)
  await until(() => campaign.jobs().every(({ phase }) => phase === 'running'))
  await campaign.start().address
  leaving.tell('close')
  expect(await leaving.ended).toBe(0)
  await expectSoonDone(campaign, 20)
  // Each step was taken once: by the process that closes or by the process that stays.
  expect(
    campaign
      .jobs()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(ids.toSorted())
})

test.concurrent('no other server polls the job of a server that is frozen for a few seconds', async ({
  onTestFinished,
}) => {
  const { delays, letGo } = holding('poll')
  const campaign = await startCampaign(onTestFinished, { speed, delays })
  const frozen = campaign.start()
  const id = idOf(await create(campaign, frozen, { prompt: 'the one', task_ms: 100 }))
  await until(() => campaign.vendor.calls.some(({ kind }) => kind === 'poll'))
  const other = campaign.start()
  await other.address
  await frozen.freeze()
  letGo()
  const polls = () => campaign.vendor.calls.filter(({ kind }) => kind === 'poll').length
  const before = polls()
  await create(campaign, other, { prompt: 'another one', task_ms: 3000, poll_after_ms: 500 })
  await until(() => campaign.jobs().filter(({ phase }) => phase === 'completed').length === 1)
  // The other job takes 3 s. The job of a dead process would have been polled by now.
  expect(
    campaign.vendor.calls.filter(({ kind, prompt }) => kind === 'poll' && prompt === 'the one'),
  ).toHaveLength(before)
  expect(campaign.job(id)).toMatchObject({ phase: 'running', claim: { until: expect.any(Number) } })
  frozen.thaw()
})

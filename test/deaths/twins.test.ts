import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Campaign, startCampaign } from './campaign/campaign.ts'
import { create, idOf, type Reply } from './campaign/client.ts'
import type { StartedServer } from './campaign/started-server.ts'

const wanted = { prompt: 'the one', task_ms: 50 }
const key = { key: 'the key' }

/** Sends 25 creates with the same key to each service, all at the same time. */
function fiftyTwins(campaign: Campaign, services: readonly StartedServer[]): Promise<readonly Reply[]> {
  const each = services.flatMap((service) => Array.from({ length: 25 }, () => service))
  return Promise.all(each.map((service) => create(campaign, service, wanted, key)))
}

/** Sends the create again for as long as the service answers that the key is in progress. */
async function comeBack(campaign: Campaign, service: StartedServer): Promise<Reply> {
  for (;;) {
    const reply = await create(campaign, service, wanted, key)
    if (reply.status !== 409) return reply
    await delay(50)
  }
}

const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true'

test('fifty creates with one idempotency key at two servers make one job that is paid for once, also after both servers were killed', async ({
  onTestFinished,
}) => {
  // A create has 0.9 seconds of the service's clock to be stored. A create that is late is sent again, and its answer is a replay.
  const campaign = await startCampaign(onTestFinished, { speed: 1 })
  const first = [campaign.start(), campaign.start()]
  await Promise.all(first.map(({ address }) => address))
  const replies = await fiftyTwins(campaign, first)
  const conflicts = replies.filter(({ status }) => status === 409)
  for (const { headers } of conflicts) expect(headers.get('retry-after')).toBe('1')
  const answers = replies.filter(({ status }) => status === 202)
  expect(answers.length + conflicts.length).toBe(50)
  // None, if the disk took so long that the first create had no answer and was sent again.
  expect(answers.filter((reply) => !isReplayed(reply)).length).toBeLessThanOrEqual(1)
  const late = await Promise.all(first.map((service) => comeBack(campaign, service)))
  expect(late.map(isReplayed)).toEqual([true, true])
  const ids = new Set([...answers, ...late].map(idOf))
  expect(ids.size).toBe(1)

  // A kill between the claim of the job and its submit would fail it, because this vendor can't say whether it was submitted.
  await expect.poll(() => campaign.vendor.ledger).toHaveLength(1)
  await Promise.all(first.map((service) => service.kill()))
  const second = [campaign.start(), campaign.start()]
  await Promise.all(second.map(({ address }) => address))
  const again = await fiftyTwins(campaign, second)
  expect(again.map((reply) => [reply.status, isReplayed(reply)])).toEqual(again.map(() => [202, true]))
  expect(new Set(again.map(idOf))).toEqual(ids)
  await campaign.settled()
  expect(campaign.vendor.ledger).toHaveLength(1)
  expect(campaign.jobs()).toHaveLength(1)
})

test('each server, and each that starts later, refuses a create that repeats an idempotency key with another body', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed: 20 })
  const [one, other] = [campaign.start(), campaign.start()]
  expect((await create(campaign, one, wanted, key)).status).toBe(202)
  const another = { ...wanted, prompt: 'another one' }
  const refusedBy = async (service: StartedServer) => {
    const { status, text } = await create(campaign, service, another, key)
    expect([status, JSON.parse(text)]).toMatchObject([422, { error: { code: 'idempotency_key_reused' } }])
  }
  await refusedBy(one)
  await refusedBy(other)
  // After the submit, as above.
  await expect.poll(() => campaign.vendor.ledger).toHaveLength(1)
  await Promise.all([one.kill(), other.kill()])
  await refusedBy(campaign.start())
  await campaign.settled()
  expect(campaign.vendor.ledger.map(({ order }) => order.wish.prompt)).toEqual(['the one'])
})

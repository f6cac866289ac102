import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { StartedService } from './world/started-service.ts'
import { idOf, type Reply, startWorld, type World } from './world/world.ts'

const wanted = { prompt: 'the one', task_ms: 50 }
const key = { key: 'the key' }

/** Sends 25 creates with the same key to each service, all at the same time. */
function fiftyTwins(world: World, services: readonly StartedService[]): Promise<readonly Reply[]> {
  const each = services.flatMap((service) => Array.from({ length: 25 }, () => service))
  return Promise.all(each.map((service) => world.create(service, wanted, key)))
}

/** Sends the create again for as long as the service answers that the key is in progress. */
async function comeBack(world: World, service: StartedService): Promise<Reply> {
  for (;;) {
    const reply = await world.create(service, wanted, key)
    if (reply.status !== 409) return reply
    await delay(50)
  }
}

const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true'

test('fifty creates with one key at two processes are one job and paid for once, after both were killed too', async ({
  onTestFinished,
}) => {
  // A create has 0.9 seconds of the service's clock to be stored. A create that is late is sent again, and its answer is a replay.
  const world = await startWorld(onTestFinished, { speed: 1 })
  const first = [world.start(), world.start()]
  await Promise.all(first.map(({ address }) => address))
  const replies = await fiftyTwins(world, first)
  const conflicts = replies.filter(({ status }) => status === 409)
  for (const { headers } of conflicts) expect(headers.get('retry-after')).toBe('1')
  const answers = replies.filter(({ status }) => status === 202)
  expect(answers.length + conflicts.length).toBe(50)
  expect(answers.filter((reply) => !isReplayed(reply))).toHaveLength(1)
  const late = await Promise.all(first.map((service) => comeBack(world, service)))
  expect(late.map(isReplayed)).toEqual([true, true])
  const ids = new Set([...answers, ...late].map(idOf))
  expect(ids.size).toBe(1)

  await Promise.all(first.map((service) => service.kill()))
  const second = [world.start(), world.start()]
  await Promise.all(second.map(({ address }) => address))
  const again = await fiftyTwins(world, second)
  expect(again.map((reply) => [reply.status, isReplayed(reply)])).toEqual(again.map(() => [202, true]))
  expect(new Set(again.map(idOf))).toEqual(ids)
  await world.settled()
  expect(world.vendor.ledger).toHaveLength(1)
  expect(world.jobs()).toHaveLength(1)
})

test('the key with another body is refused by each process, and by those that come after', async ({
  onTestFinished,
}) => {
  const world = await startWorld(onTestFinished)
  const [one, other] = [world.start(), world.start()]
  expect((await world.create(one, wanted, key)).status).toBe(202)
  const another = { ...wanted, prompt: 'another one' }
  const refusedBy = async (service: StartedService) => {
    const { status, text } = await world.create(service, another, key)
    expect([status, JSON.parse(text)]).toMatchObject([422, { error: { code: 'idempotency_key_reused' } }])
  }
  await refusedBy(one)
  await refusedBy(other)
  await Promise.all([one.kill(), other.kill()])
  await refusedBy(world.start())
  await world.settled()
  expect(world.vendor.ledger.map(({ order }) => order.wish.prompt)).toEqual(['the one'])
})

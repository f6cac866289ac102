import type { Runtime } from '../../processes/runtimes.ts'
import type { KillPoint } from '../service/kill-points.ts'
import { quickWish, silentKinds } from '../vendor/task-wish.ts'
import { type Campaign, leaseMs } from './campaign.ts'
import { createJobOn, createKeyedJob, readJob } from './client.ts'
import type { JobObject, Order } from './witness.ts'

/** The order number `index`. The orders are of every kind, and the service dies at each of them. */
function orderNumber(index: number, point: KillPoint): Order {
  // At these points the service dies once for each job, at a file, so each job needs an output of the right
  // kind.
  const only = point.includes('a copy') ? 'url' : point.includes('bytes') ? 'bytes' : undefined
  return {
    owner: index % 4 < 2 ? 'alice' : 'bob',
    model: silentKinds[index % silentKinds.length] ?? 'plain',
    wish: {
      ...quickWish,
      prompt: `order ${index}`,
      // The first poll brings no news, so it would write nothing.
      ...(point === 'after a poll is answered' && { task_ms: 300, poll_after_ms: 1500 }),
      answer_ms: index % 5 === 0 ? 30 : 0,
      outputs: only ? 1 : 1 + (index % 2),
      as: only ?? (index % 3 === index % 2 ? 'bytes' : 'url'),
      fails: !only && index % 7 === 3,
    },
    idempotencyKey: index % 2 === 0 ? `key ${index}` : undefined,
  }
}

/**
 * What a client does when its server has died: it reads its job, or sends the create again if it has an
 * idempotency key.
 */
async function comeBack(campaign: Campaign, address: string, { order, job }: Attempt): Promise<void> {
  if (job) await readJob(campaign, { address, id: job.id, owner: order.owner })
  else if (order.idempotencyKey !== undefined) await createKeyedJob(campaign, address, order)
}

interface Attempt {
  readonly order: Order
  /** The job as the client got it before the server died. */
  readonly job: JobObject | undefined
}

/**
 * Makes the service die at this point for each of `count` jobs, and then lets it recover. Unless the machine
 * is very slow, the last death comes before the lease of the first job is over, so all jobs are recovered
 * together.
 */
export async function dieOverEach(
  campaign: Campaign,
  killAt: KillPoint,
  count: number,
  runtime?: Runtime,
): Promise<void> {
  let last: Attempt | undefined
  for (let index = 0; index < count; index++) {
    const server = campaign.start({ killAt, runtime })
    const address = await server.address
    if (last) await comeBack(campaign, address, last)
    const order = orderNumber(index, killAt)
    const [job] = await Promise.all([createJobOn(campaign, server, order), server.ended])
    last = { order, job }
  }
  campaign.setClock(leaseMs, 20)
  const address = await campaign.start({ runtime }).address
  if (last) await comeBack(campaign, address, last)
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Campaign } from '../campaign/campaign.ts'
import { cancelJob, createJob, deleteJob, readJob, uploadPicture } from '../campaign/client.ts'
import type { StartedServer } from '../campaign/started-server.ts'
import type { JobObject, Order } from '../campaign/witness.ts'
import type { PlannedClient } from './storm-plan.ts'

/**
 * Uploads the picture, if the order has one. Asks one server after the other to create the job until one has acknowledged it,
 * and then until the job has finished. A client whose owner has too little left to spend gives up.
 */
export async function runClient(
  campaign: Campaign,
  servers: readonly StartedServer[],
  client: PlannedClient,
  { givesUp, onUpload }: { readonly givesUp: () => boolean; readonly onUpload: () => void },
): Promise<void> {
  await delay(client.startsAfterMs)
  let { server } = client
  let order: Order = client.order
  let job: JobObject | undefined
  const ask = async <Answer>(talk: (address: string) => Promise<Answer | undefined>) => {
    const address = await servers[server++ % servers.length]?.address.catch(() => undefined)
    return address === undefined ? undefined : talk(address)
  }

  while (client.hasPicture && order.wish.image === undefined) {
    const image = await ask((address) => uploadPicture(campaign, address, order))
    if (image === undefined) await delay(100)
    else {
      onUpload()
      order = { ...order, wish: { ...order.wish, image } }
    }
  }
  for (let retry = 1; !job; retry++) {
    job = await ask((address) => createJob(campaign, address, order, { wait: client.waits }))
    if (job) break
    if (campaign.witness.refused.has(order.wish.prompt)) return
    // Without an idempotency key the client can not know whether there is a job, and a second create would
    // make another job.
    if (!order.idempotencyKey)
      order = { ...order, wish: { ...order.wish, prompt: `${client.order.wish.prompt}, again ${retry}` } }
    await delay(100)
  }
  const place = { id: job.id, owner: order.owner }
  const { change } = client
  if (change === 'cancel') {
    await delay(client.cancelsAfterMs)
    while (!(await ask((address) => cancelJob(campaign, { ...place, address }))) && !givesUp())
      await delay(100)
  }
  while (job?.status !== 'completed' && job?.status !== 'failed' && !givesUp()) {
    await delay(500)
    job = await ask((address) => readJob(campaign, { ...place, address }))
  }
  if (change !== 'delete' || givesUp()) return
  // Not given up, because a delete whose answer is lost may have deleted the job.
  while (!(await ask((address) => deleteJob(campaign, { ...place, address })))) await delay(100)
}

import { createHmac } from 'node:crypto'
import { faultIn } from '../body-schemas.ts'
import { bodyOf } from './bfl-bodies.ts'
import { type Charge, fileReply, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * Black Forest Labs' API. Sources: vercel/ai packages/black-forest-labs/src/black-forest-labs-image-model.test.ts and
 * ...-video-model.test.ts. The answer to a submit with a webhook is AsyncWebhookResponse of BFL's OpenAPI document, as
 * tryAGI/BlackForestLabs@dfc296a has it. The cost is that of a picture of one megapixel by flux-2-pro:
 * docs.bfl.ai/quick_start/pricing, read on 2026-11-23.
 */

export const bflKey = 'k3y-of-the-house:7f3a9c0d51e8'
/** Where its files are. */
export const bflHosts = ['delivery-eu1.bfl.ai']
export const webhookSecret = 'a-secret-of-our-own-7d1e'

/** The outputs of BFL: signed links that expire, as in the AI SDK's black-forest-labs-video-model.test.ts. */
export const sample = 'https://delivery-eu1.bfl.ai/results/it.png?se=2026-11-22&sig=abc'

/** A task that BFL is paid for. */
interface BflTask extends Charge {
  id: string
  pollsLeft: number
}

export const readyTask = (url: unknown) => ({
  id: 'b',
  status: 'Ready',
  result: { sample: url, seed: 7, duration: 3.2 },
})

/**
 * @param polls how many polls find a task unfinished
 * @param isBlind whether polls do not find tasks with a webhook, whose answer has no polling URL
 */
export async function startBfl({ polls = 0, isBlind = false } = {}) {
  const ledger: BflTask[] = []
  const last = () => ledger.at(-1)!

  const server = await vendorServer(
    ({ method, url, headers, json }): VendorReply => {
      if (bflHosts.includes(url.hostname)) return fileReply(url.pathname)
      if (headers['x-key'] !== bflKey) return { status: 401, json: { detail: 'No key.' } }
      const path = url.pathname
      if (method === 'POST') {
        const schema = bodyOf(path.replace('/v1/', ''))
        if (!schema) return { status: 404, json: { detail: 'Not Found' } }
        const fault = faultIn(schema, json())
        // HTTPValidationError of BFL's OpenAPI document.
        if (fault !== undefined)
          return {
            status: 422,
            json: { detail: [{ loc: ['body', fault], msg: 'It is not right.', type: 'x' }] },
          }
        const task = { id: `task-${ledger.length + 1}-7c1f`, path, body: json(), pollsLeft: polls }
        ledger.push(task)
        const { webhook_url } = task.body
        const counted = { id: task.id, cost: 3, input_mp: null, output_mp: 1 }
        const polling_url = `http://${headers['host']}/v1/get_result?id=${task.id}`
        return {
          json: { ...counted, ...(webhook_url ? { status: 'Pending', webhook_url } : { polling_url }) },
        }
      }
      const id = url.searchParams.get('id')
      const task = ledger.find((task) => task.id === id)
      if (!task || (isBlind && task.body['webhook_url']))
        return { json: { id, status: 'Task not found', result: null } }
      return { json: task.pollsLeft-- > 0 ? { id, status: 'Pending', result: null } : readyTask(sample) }
    },
    { hosts: bflHosts },
  )

  return {
    ...server,
    baseUrl: `${server.origin}/v1`,
    ledger,
    forget: () => ledger.forEach((task) => Object.assign(task, { id: 'forgotten' })),
    webhook: {
      finish: () => void (last().pollsLeft = 0),
      address: () => last().body['webhook_url'] as string | undefined,
      /** As black-forest-labs/skills@d0793c8 has it, skills/bfl-api/references/webhook-integration.md. */
      signed(sentAt: number) {
        const result = { sample, prompt: 'a fox', seed: 7 }
        const timestamp = new Date(sentAt).toISOString()
        const body = Buffer.from(JSON.stringify({ id: last().id, status: 'Ready', result, timestamp }))
        const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
        return { headers: { 'x-bfl-signature': `sha256=${signature}` }, body }
      },
    },
  }
}

import { createHmac } from 'node:crypto'
import type { CallbackRequest } from '@genmount/core'
import { blackForestLabs } from '../ai-sdk/vendors/black-forest-labs.ts'
import { key, type VendorFake, vendorServer } from '../ai-sdk/vendors/vendor-server.ts'

export const bflKey = key
export const webhookSecret = 'a-secret-of-our-own-7d1e'

/** The outputs of BFL: signed links that expire. [VAI: black-forest-labs-video-model.test.ts] */
export const sample = 'https://delivery-eu1.bfl.ai/results/it.png?se=2026-11-22&sig=abc'

const fake: VendorFake = {
  ...blackForestLabs,
  poll: (task, isDone) =>
    isDone ? { json: blackForestLabs.film?.(sample) } : blackForestLabs.poll(task, false),
}

/** The fake that the AI SDK's package for Black Forest Labs talks to, whose outputs are https links. */
export async function startBfl() {
  const server = await vendorServer(fake)
  return {
    server,
    ledger: server.ledger,
    baseUrl: `${server.origin}/v1`,

    /** As black-forest-labs/skills@d0793c8 has it, skills/bfl-api/references/webhook-integration.md. */
    webhookOf(id: string, { sentAt = Date.now(), secret = webhookSecret } = {}): CallbackRequest {
      const result = { sample, prompt: 'a fox', seed: 7 }
      const timestamp = new Date(sentAt).toISOString()
      const body = Buffer.from(JSON.stringify({ id, status: 'Ready', result, timestamp }))
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      return { headers: { 'x-bfl-signature': `sha256=${signature}` }, body }
    },

    close: server.close,
  }
}

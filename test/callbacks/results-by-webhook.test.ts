import { callbacks } from '@genmount/core/callbacks'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { createGenerationService } from '@genmount/core'
import { bflProvider } from '@genmount/provider-bfl'
import { manualClock, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { bflKey as token, sample, startBfl, webhookSecret } from '../providers/bfl/bfl-fake.ts'
import { served } from '../served.ts'

const input = { prompt: 'a fox' }

/** A service before a BFL whose polls do not find the task of a job with a webhook. */
async function blindWorld() {
  const bfl = await startBfl({ isBlind: true })
  const clock = manualClock()
  const models = { flux: { endpoint: 'flux-2-pro', outputKind: 'image', price: 0.01 } } as const
  const { baseUrl, fetch } = bfl
  const service = createGenerationService({
    providers: [bflProvider({ token, webhookSecret, models, baseUrl, fetch })],
    plugins: [callbacks({ baseUrl: 'https://app.example' })],
    clock,
    log: quietLog(),
    keepOutputs: 'redirect',
  })
  onTestFinished(async () => void (await bfl.close()))
  const origin = await served(toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) }))
  const { id } = (await service.create({ owner: 'alice', model: 'flux', input })).job
  const read = () => service.get(id, 'alice')
  const pass = async (ms: number) => {
    for (let n = 0; n < 10; n++) {
      await clock.advance(ms / 10)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await expect.poll(async () => (await pass(100), (await read()).phase)).toBe('running')
  const deliver = async (sentAt = Date.now()) => {
    const { headers, body } = bfl.webhook.signed(sentAt)
    const to = bfl.webhook.address()!.replace('https://app.example', origin)
    return (await globalThis.fetch(to, { method: 'POST', headers, body })).status
  }
  return { bfl, read, pass, deliver }
}

test('a job of BFL with a webhook goes on while polls do not find it, and its signed webhook brings the picture and the cost', async () => {
  const { bfl, read, pass, deliver } = await blindWorld()
  await pass(120_000)
  expect(await read()).toMatchObject({ phase: 'running' })
  expect(await deliver()).toBe(204)
  await pass(5000)
  expect(await read()).toMatchObject({ phase: 'completed', outputs: [{ url: sample }] })
  expect(await deliver()).toBe(204)
  expect(bfl.ledger).toHaveLength(1)
})

test('a webhook of BFL with a forged signature is 404 and brings no picture', async () => {
  const { bfl, read, pass, deliver } = await blindWorld()
  const { body } = bfl.webhook.signed(Date.now())
  bfl.webhook.signed = () => ({ headers: { 'x-bfl-signature': `sha256=${'0'.repeat(64)}` }, body })
  expect(await deliver()).toBe(404)
  await pass(5000)
  expect(await read()).toMatchObject({ phase: 'running', outputs: [] })
})

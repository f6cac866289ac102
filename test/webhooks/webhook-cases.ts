import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { signedWebhooks } from '@genmount/webhooks'
import { listen } from '../loopback.ts'

const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const baseUrl = 'https://app.example/media'
const order = { owner: 'alice', model: 'fake-image', input: { prompt: 'a kite' } }

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 15_000
  while (!(await isTrue())) {
    assert.ok(Date.now() < giveUpAt, 'nothing has happened within 15 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Whole services that send real requests. The same on Node, Deno and Bun. */
export const webhookCases = {
  async 'a job that ends is posted to its receiver, which verifies it with standardwebhooks'() {
    const received: { readonly text: string; readonly headers: Record<string, string> }[] = []
    const receiver = await listen((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      request.on('end', () => {
        received.push({ text, headers: request.headers as Record<string, string> })
        response.writeHead(received.length === 1 ? 500 : 200).end('thanks')
      })
    })
    const service = createGenerationService({
      providers: [fakeProvider()],
      log: quietLog(),
      webhooks: signedWebhooks({
        baseUrl,
        secretsOf: async () => [secret],
        fetch: (url, init) => fetch(url.replace('https://receiver.example', receiver.origin), init),
      }),
    })
    const { job } = await service.create({ ...order, webhook: { url: 'https://receiver.example/hook' } })
    await until(() => received.length === 2)
    const bodies = received.map(({ text, headers }) => new Webhook(secret).verify(text, headers))
    assert.equal((bodies[1] as { data: { id: string } }).data.id, job.id)
    assert.deepEqual(bodies[0], bodies[1])
    assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id'])
    const statuses = async () =>
      (await service.deliveries(job.id, 'alice'))?.attempts?.map(({ status }) => status)
    await until(async () => (await statuses())?.length === 2)
    assert.deepEqual(await statuses(), [500, 200])
    await service.close()
    await receiver.stop()
  },

  async 'a receiver whose name leads to a private address gets nothing, and the owner reads why'() {
    const connections: unknown[] = []
    const receiver = await listen((request) => void connections.push(request))
    const { port } = new URL(receiver.origin)
    const webhooks = signedWebhooks({ baseUrl, secretsOf: () => secret })
    const service = createGenerationService({
      providers: [fakeProvider()],
      log: quietLog(),
      // As if the name had had a public address when the job was created.
      webhooks: { ...webhooks, refusal: () => undefined },
    })
    const url = `https://127.0.0.1:${port}/hook`
    const { job } = await service.create({ ...order, webhook: { url } })
    const deliveries = () => service.deliveries(job.id, 'alice')
    await until(async () => (await deliveries())?.attempts?.length === 1)
    const { attempts, dueAt } = (await deliveries()) ?? {}
    assert.match(attempts?.[0]?.error ?? '', /must have a public address/)
    assert.equal(dueAt, undefined)
    assert.deepEqual(connections, [])
    await service.close()
    await receiver.stop()
  },
}

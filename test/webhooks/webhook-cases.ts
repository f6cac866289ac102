import assert from 'node:assert/strict'
import { webhooks } from '@genmount/core/webhooks'
import { Webhook } from 'standardwebhooks'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { signedWebhooks, type SignedWebhooksOptions } from '@genmount/webhooks'
import { createGuardedPost } from '../../packages/guarded-fetch/src/node/guarded-fetch.ts'
import { postThrough } from '../../packages/webhooks/src/webhooks/post-through.ts'
import { httpAnswer, loopbackOrigin } from '../guarded-fetch/loopback-origin.ts'
import { testCertificate } from '../guarded-fetch/test-certificate.ts'
import { listen } from '../loopback.ts'
import { until } from '../until.ts'

const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const baseUrl = 'https://app.example/media'
const orderWith = (url: string) => ({
  owner: 'alice',
  model: 'fake-image',
  input: { prompt: 'a kite', webhook_url: url },
})

/** A service that signs its webhooks with these options. */
const serviceWith = (options: Partial<SignedWebhooksOptions>) =>
  createGenerationService({
    providers: [fakeProvider()],
    log: quietLog(),
    plugins: [webhooks(signedWebhooks({ baseUrl, secretsOf: () => secret, ...options }))],
  })

/** Whole services that send real requests. The same on Node, Deno and Bun. */
export const webhookCases = {
  async 'a webhook about a job that has ended is signed as standardwebhooks expects, and is sent again after a 500'() {
    const received: { readonly text: string; readonly headers: Record<string, string> }[] = []
    const receiver = await listen((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      request.on('end', () => {
        received.push({ text, headers: request.headers as Record<string, string> })
        response.writeHead(received.length === 1 ? 500 : 200).end('thanks')
      })
    })
    const service = serviceWith({
      secretsOf: async () => [secret],
      fetch: (url, init) => fetch(url.replace('https://receiver.example', receiver.origin), init),
    })
    const { job } = await service.create(orderWith('https://receiver.example/hook'))
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

  async 'a webhook to a name with a private address is not sent, and its owner reads why in the deliveries'() {
    const connections: unknown[] = []
    const receiver = await listen((request) => void connections.push(request))
    const { port } = new URL(receiver.origin)
    const sender = signedWebhooks({ baseUrl, secretsOf: () => secret })
    const service = createGenerationService({
      providers: [fakeProvider()],
      log: quietLog(),
      // As if the name had had a public address when the job was created.
      plugins: [webhooks({ ...sender, refusal: () => undefined })],
    })
    const url = `https://127.0.0.1:${port}/hook`
    const { job } = await service.create(orderWith(url))
    const deliveries = () => service.deliveries(job.id, 'alice')
    await until(async () => (await deliveries())?.attempts?.length === 1)
    const { attempts, dueAt } = (await deliveries()) ?? {}
    assert.match(attempts?.[0]?.error ?? '', /must have a public address/)
    assert.equal(dueAt, undefined)
    assert.deepEqual(connections, [])
    await service.close()
    await receiver.stop()
  },

  async 'with allowLoopback, a webhook reaches http://localhost, and neither another private address nor a public name that leads to loopback'() {
    const received: string[] = []
    const receiver = await listen((request, response) => {
      received.push(String(request.headers.host))
      response.end()
    })
    const { port } = new URL(receiver.origin)
    const sender = signedWebhooks({ baseUrl, secretsOf: () => secret, allowLoopback: true })
    const log = quietLog()
    const service = createGenerationService({ providers: [fakeProvider()], log, plugins: [webhooks(sender)] })
    const { job } = await service.create(orderWith(`http://localhost:${port}/hook`))
    await until(() => received.length === 1)
    assert.deepEqual(received, [`localhost:${port}`])
    assert.equal(log.lines.filter((line) => line.includes('allowLoopback')).length, 1)
    for (const url of ['http://10.0.0.1/hook', 'https://10.0.0.1/hook', 'http://a.test/hook'])
      await assert.rejects(service.create(orderWith(url)), /webhook_url must/)
    // A public name that leads to this machine, and localhost as a name of another machine.
    const lookUp = async (name: string) => [
      { address: name === 'localhost' ? '10.0.0.1' : '127.0.0.1', family: 4 as const },
    ]
    const post = postThrough({ allowLoopback: true, post: createGuardedPost({ lookUp }) })
    const posting = { body: '', headers: {}, signal: new AbortController().signal, owner: 'alice', now: 0 }
    for (const host of [`a.test:${port}`, `localhost:${port}`]) {
      const answer = await post(`http://${host}/hook`, posting)
      assert.match('error' in answer ? answer.error : '', /is refused: only hosts with a public address/)
    }
    await until(async () => (await service.deliveries(job.id, 'alice'))?.attempts?.length === 1)
    assert.equal(received.length, 1)
    await service.close()
    await receiver.stop()
  },

  async 'each attempt of a webhook connects to the address that it has checked, and stops when the name gets a private address'() {
    // 127.0.0.1 plays the public internet, and the rest of loopback the place that must not be reached.
    await using receiver = await loopbackOrigin((socket) => socket.end(httpAnswer(500, {}, '')), {
      tls: true,
    })
    const answers = ['127.0.0.1', '127.0.0.1', '127.0.0.2']
    const lookups: string[] = []
    const post = createGuardedPost({
      ca: testCertificate.cert,
      async lookUp() {
        const address = answers[Math.min(lookups.length, answers.length - 1)] ?? ''
        lookups.push(address)
        return [{ address, family: 4 }]
      },
    })
    const service = serviceWith({
      async fetch(url, { body, headers: sent, signal }) {
        const allowAddress = (address: string) => address === '127.0.0.1'
        const guard = { allowAddress, timeoutMs: 60_000 }
        const { status, headers } = await post(url, { body, headers: sent, signal, ...guard })
        return new Response(null, { status, headers })
      },
    })
    const { job } = await service.create(orderWith(`https://a.test:${receiver.port}/hook`))
    const deliveries = () => service.deliveries(job.id, 'alice')
    await until(async () => (await deliveries())?.attempts?.length === 3)
    const { attempts, dueAt } = (await deliveries()) ?? {}
    assert.deepEqual(
      attempts?.map(({ status }) => status),
      [500, 500, undefined],
    )
    assert.equal(dueAt, undefined)
    // One look-up for each try: nothing is looked up a second time between the check and the connection.
    assert.deepEqual(lookups, answers)
    assert.deepEqual(receiver.connections, ['127.0.0.1', '127.0.0.1'])
    await service.close()
  },
}

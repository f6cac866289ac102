import { moderation } from '@genmount/core/moderation'
import { webhooks } from '@genmount/core/webhooks'
import { limits } from '@genmount/core/limits'
import { connect } from 'node:net'
import { uploads } from '@genmount/core/uploads'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGenerationService, type Provider } from '@genmount/core'
import { toFetchHandler } from '@genmount/fetch-handler'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { fakeProvider, fakeWebhooks, quietLog } from '@genmount/testing'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { listen, type LoopbackServer } from '../loopback.ts'

/** How often each property is tried, as a part of the whole. The deep suite tries all. */
const budget = Number(process.env['FUZZ_BUDGET'] ?? 0.2)
const runs = (numRuns: number) => ({ numRuns: Math.ceil(numRuns * budget) })
const key = 'key-of-alice-which-nobody-may-see'
const log = quietLog()

/** A provider with the real models and their schemas, whose jobs all fail. */
const procedural = proceduralProvider({ allowSimulation: true })
const idle: Provider = {
  ...procedural,
  submit: async () => ({ state: 'failed', code: 'provider_failed', message: 'Nobody draws here.' }),
}
const service = createGenerationService({
  providers: [idle, fakeProvider()],
  log,
  waitBudgetMs: 50,
  plugins: [
    uploads({ maxBytes: 200 }),
    limits(
      async () => ({
        requestsPerMinute: 1_000_000,
        spendUsdPerDay: 1_000_000,
        runningJobs: 1_000_000,
        storedBytes: 1e12,
      }),
      { reserveUsd: { 'fake-image': 0.01, 'fake-video': 0.01 } },
    ),
    webhooks(fakeWebhooks()),
    moderation({ input: async () => 'allowed' as const, outputs: () => 'allowed' }),
  ],
})
const options = {
  authenticate: apiKeys({ alice: key }),
  openapi: openapiDocument(),
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 1000,
}
const handle = toFetchHandler(service, options)
let server: LoopbackServer

beforeAll(async () => {
  server = await listen(toNodeHandler(service, options))
})

afterAll(async () => {
  await service.close()
  await server.stop()
})

/** Every answer is looked at: no 500, no key, no stack. */
function inspect(status: number, text: string): void {
  expect(status, text).toBeLessThan(500)
  expect(text).not.toContain(key)
  expect(text).not.toMatch(/\bat .+\.ts:\d+/)
}

async function ask(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  more: Record<string, string> = {},
) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more }
  const reply = await handle(new Request(`http://host${path}`, { method, headers, body: body ?? null }))
  const text = await reply.text()
  inspect(reply.status, text)
  return { status: reply.status, text }
}

/** Any of the words of these lines. */
const words = (...lines: readonly string[]) => fc.constantFrom(...lines.flatMap((line) => line.split(' ')))

const models = service.models.map(({ id }) => id)
const paths = ['/v1/generate', '/v1/images/generations', '/v1/video/generations']
const text = fc.string({ unit: 'binary', maxLength: 40 })
const loneSurrogate = fc.constantFrom('\ud800', 'a\udfffb', '\udc00\ud800')
const wild = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  text,
  loneSurrogate,
  fc.double(),
  fc.constantFrom(Number.MAX_VALUE, -0, 2 ** 53),
)
const fields = words(
  'prompt image aspect_ratio resolution num_outputs seed format duration fps simulate_latency_ms simulate_error',
  'delay_ms webhook_url webhook_events',
)
const images = fc.constantFrom(
  'data:',
  'data:,',
  'data:image/png;base64,%%%',
  'data:image/png;base64,iVBORw0KGgo=',
  'http://127.0.0.1/',
  'file:///etc/passwd',
  'https://user:pass@host/',
  'upload://',
  'upload://up_0199a0b1c2d3ffffffffffffffffffffffffffffffff.png',
  'upload://up_zz/../..%00',
  'https://receiver.example/410',
)
const input = fc.dictionary(fc.oneof(fields, text), fc.oneof(wild, images), {
  maxKeys: 8,
})

describe('no answer is a 500 or shows a key or a stack trace', () => {
  test('when a client posts any JSON to a create endpoint', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
      await ask('POST', path, JSON.stringify(value))
    })
    await fc.assert(property, runs(500))
  })

  test('when a client creates a job with any values in the fields of a model', async () => {
    const model = fc.constantFrom(...models)
    const property = fc.asyncProperty(fc.constantFrom(...paths), model, input, async (path, id, values) => {
      await ask('POST', path, JSON.stringify({ prompt: 'a', ...values, model: id }))
    })
    await fc.assert(property, runs(1000))
  })

  test('when a client uploads any bytes with any content type', async () => {
    const beginning = fc.constantFrom('', '\x89PNG\r\n\x1a\n', 'RIFF', '\0\0\0\x1cftyp', 'ID3', '\xff')
    const type = fc.constantFrom('image/png', 'application/json', 'multipart/form-data', '', 'a/b; c="')
    const rest = fc.uint8Array({ maxLength: 300, size: 'max' })
    const seen = new Set<number>()
    const property = fc.asyncProperty(beginning, rest, type, async (start, bytes, contentType) => {
      const body = new Uint8Array(Buffer.concat([Buffer.from(start, 'latin1'), bytes]))
      const { status } = await ask('POST', '/v1/uploads', body, { 'content-type': contentType })
      seen.add(status)
    })
    await fc.assert(property, { numRuns: 500, examples: [['', new Uint8Array(), 'image/png']] })
    expect([...seen].toSorted()).toEqual([201, 400, 413, 415])
  })

  test('when a client posts any bytes to a create endpoint', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      await ask('POST', '/v1/generate', new Uint8Array(bytes))
    })
    await fc.assert(property, runs(500))
  })

  test('when a client requests any path with any query and header', async () => {
    const awkward = words('%00 %E0%A4%A .. %2e%2e // ? # % ; \\ %C0%AF { |')
    const segment = words(
      'v1 jobs files outputs generate gen_0 cancel deliveries n=1 wait=true models fake-image events openapi.json',
      '%2F __proto__',
    )
    const path = fc.array(fc.oneof(awkward, segment, fc.webSegment()), { maxLength: 8 })
    const value = fc.string({ maxLength: 60 }).map((raw) => raw.replace(/[^\x20-\x7e]/g, ''))
    const name = words(
      'prefer idempotency-key range content-type content-encoding last-event-id host x-forwarded-host accept',
    )
    const method = words('GET HEAD OPTIONS POST PUT DELETE PATCH')
    const property = fc.asyncProperty(
      method,
      path,
      fc.boolean(),
      name,
      value,
      async (verb, parts, isBare, header, content) => {
        const target = `/v1/${parts.join(isBare ? '' : '/')}`.replaceAll(/[\s#]/g, '')
        await raw(
          `${verb} ${target} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n${header}: ${content}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
        )
      },
    )
    await fc.assert(property, runs(500))
  })

  test('when a client requests any model by its id', async () => {
    const id = fc.oneof(
      text,
      fc.constantFrom('__proto__', 'constructor', '.', '..', '/', '%', '%00', ...models),
    )
    const property = fc.asyncProperty(id, fc.boolean(), async (name, isEncoded) => {
      const segment = isEncoded ? encodeURIComponent(name.toWellFormed()) : name
      const { status } = await ask('GET', `/v1/models/${segment}`)
      if (isEncoded && models.includes(name)) expect(status).toBe(200)
    })
    await fc.assert(property, runs(500))
  })

  test('when a client lists jobs with any filters', async () => {
    const name = fc.oneof(
      words('limit cursor status model output_kind created_after created_before metadata __proto__'),
      text.map((key) => `metadata[${key}]`),
      text,
    )
    const value = fc.oneof(
      text,
      fc.integer({ min: -5, max: 200 }).map(String),
      fc.date().map((date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString())),
      words('failed video fake-image 9999-12-31T23:59:59.999-23:59 0000-01-01T00:00:00Z'),
      text.map((id) => btoa(encodeURIComponent(id.toWellFormed()))),
    )
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 4 })
    const property = fc.asyncProperty(pairs, async (filters) => {
      const query = new URLSearchParams(filters.map((pair) => pair.map((part) => part.toWellFormed())))
      await ask('GET', `/v1/jobs?${query}`)
    })
    await fc.assert(property, runs(1000))
  })

  test('when a client creates a job with any metadata', async () => {
    const metadata = fc.oneof(
      fc.dictionary(fc.oneof(text, loneSurrogate), fc.oneof(text, loneSurrogate), { maxKeys: 18 }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const property = fc.asyncProperty(metadata, async (content) => {
      await ask(
        'POST',
        '/v1/generate',
        JSON.stringify({ model: 'fake-image', prompt: 'a', metadata: content }),
      )
    })
    await fc.assert(property, runs(300))
  })

  test('when clients cancel, delete and read a job at the same time', async () => {
    const job = fc.record({
      model: fc.constant('fake-image'),
      prompt: fc.constant('a'),
      delay_ms: fc.constantFrom(0, 1, 60_000),
    })
    const line = words('POST/cancel DELETE GET HEAD DELETE/cancel GET/cancel HEAD/events')
    const lines = fc.array(line, { minLength: 1, maxLength: 8 })
    const property = fc.asyncProperty(job, lines, wild, async (body, requests, content) => {
      const made = await ask('POST', '/v1/generate', JSON.stringify(body))
      const { id } = JSON.parse(made.text) as { id: string }
      const text = JSON.stringify(content)
      await Promise.all(
        requests.map((one) => {
          const [method = '', below = ''] = one.split(/(?=\/)/)
          return ask(
            method,
            `/v1/jobs/${id}${below}`,
            method === 'GET' || method === 'HEAD' ? undefined : text,
          )
        }),
      )
    })
    await fc.assert(property, runs(200))
  })

  test('when a client requests the events of a job with any Last-Event-ID', async () => {
    const made = await ask(
      'POST',
      '/v1/generate?wait=true',
      JSON.stringify({ model: 'fake-image', prompt: 'a' }),
    )
    const { id } = JSON.parse(made.text) as { id: string }
    const printable = fc.string({ maxLength: 200 }).map((raw) => raw.replace(/[^\x20-\x7e]/g, ''))
    const property = fc.asyncProperty(printable, async (seenId) => {
      const { text } = await ask('GET', `/v1/jobs/${id}/events`, undefined, { 'last-event-id': seenId })
      expect(text).toContain('event: done')
    })
    await fc.assert(property, runs(300))
  })

  test.each<[string, string]>([
    ['a list of half a million zeros', `{"model":"fake-image","prompt":[${'0,'.repeat(500_000)}0]}`],
    ['100,000 data URIs', JSON.stringify({ model: 'fake-image', prompt: Array(100_000).fill('data:,a') })],
  ])('when a client posts %s, which is refused with 400', async (_what, body) => {
    expect((await ask('POST', '/v1/generate', body)).status).toBe(400)
  })

  test('the log has no error and no key after any of these requests', () => {
    expect(log.lines.filter((line) => line.includes(key))).toEqual([])
    // All accepted jobs fail, and the log has a line for each of them.
    const expected =
      /^genmount keeps jobs in memory|^Provider fake|^Job \S+ .* failed as (provider_failed|canceled)/
    expect(log.lines.filter((line) => !expected.test(line))).toEqual([])
  })
})

/** Sends the text as it is, and gives the whole answer. */
async function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(request)
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  inspect(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 400), answer)
  return answer
}

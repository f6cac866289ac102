import { PassThrough, type Writable } from 'node:stream'
import { Hono } from 'hono'
import { streamHandle } from 'hono/aws-lambda'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toFetchHandler } from '@genmount/fetch-handler'
import { fakeFile } from '@genmount/testing'
import { httpSuiteService } from '@genmount/testing/http'
import { httpApi, type LambdaRequest } from './lambda-events.ts'
import { suiteOptions } from './suite-options.ts'

/** A function of AWS Lambda that writes its answer to a stream. */
type StreamingHandler = (event: object, stream: Writable, context: object) => Promise<void>

interface Head {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

const suite = httpSuiteService()
const heads: Head[] = []
let handler: StreamingHandler

beforeAll(() => {
  // Lambda's runtime provides this global to functions. https://docs.aws.amazon.com/lambda/latest/dg/response-streaming.html
  vi.stubGlobal('awslambda', {
    streamifyResponse: (streaming: StreamingHandler) => streaming,
    HttpResponseStream: {
      from(stream: Writable, head: Head) {
        heads.push(head)
        return stream
      },
    },
  })
  const fetch = toFetchHandler(suite.service, suiteOptions(suite))
  const app = new Hono().all('/v1/*', (context) => fetch(context.req.raw))
  handler = streamHandle(app) as unknown as StreamingHandler
})

afterAll(async () => {
  vi.unstubAllGlobals()
  await suite.service.close()
})

async function streamed(request: LambdaRequest) {
  const headers = { authorization: `Bearer ${suite.keys.alice}`, 'content-type': 'application/json' }
  const stream = new PassThrough()
  const pieces: Buffer[] = []
  stream.on('data', (piece: Buffer) => void pieces.push(piece))
  await handler(httpApi.eventOf({ ...request, headers }), stream, {})
  return { head: heads.pop(), pieces, bytes: Buffer.concat(pieces) }
}

const pathOf = (url = '') => new URL(url).pathname

async function jobOf(input: object, query = '') {
  const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite', ...input })
  const { bytes } = await streamed({ method: 'POST', target: `/v1/generate${query}`, body })
  return JSON.parse(bytes.toString())
}

test('on AWS Lambda with streamHandle of hono/aws-lambda, an output arrives byte for byte', async () => {
  const job = await jobOf({}, '?wait=true')
  const redirect = await streamed({ target: pathOf(job.data[0].url) })
  const { head, bytes } = await streamed({ target: pathOf(redirect.head?.headers['location']) })
  expect(bytes).toEqual(Buffer.from(fakeFile('image').bytes))
  expect(head).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'image/png', 'content-length': String(bytes.length) },
  })
})

test('on AWS Lambda with streamHandle of hono/aws-lambda, the events of a job are sent while it runs', async () => {
  const job = await jobOf({ delay_ms: 200 })
  const { head, pieces, bytes } = await streamed({ target: `/v1/jobs/${job.id}/events` })
  expect(head?.statusCode).toBe(200)
  expect(pieces[0]?.toString()).toContain('"status":"processing"')
  expect(pieces.length).toBeGreaterThan(1)
  expect(bytes.toString()).toContain('"status":"completed"')
})

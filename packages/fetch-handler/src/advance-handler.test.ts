import { createGenerationService, GenerationError } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { advanceHandler } from '@genmount/fetch-handler'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'

const secret = 'secret-of-the-cron-1'
const url = 'https://app.test/cron'

function setUp(options: Partial<Parameters<typeof advanceHandler>[1]> = {}) {
  const service = createGenerationService({
    providers: [fakeProvider()],
    log: quietLog(),
    plugins: [advance()],
  })
  onTestFinished(async () => void (await service.close()))
  return { service, handle: advanceHandler(service, { secret, ...options }) }
}

const call = (authorization?: string, method = 'GET') =>
  new Request(url, { method, headers: authorization === undefined ? {} : { authorization } })

test('a cron with the secret takes a job that nobody asks for to its end, and hears when to call again', async () => {
  const { service, handle } = setUp()
  const input = { prompt: 'a kite', delay_ms: 300 }
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input })
  const answers: { steps: number; next_at: string | null }[] = []
  do {
    const response = await handle(call(`Bearer ${secret}`, answers.length % 2 === 0 ? 'GET' : 'POST'))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    answers.push((await response.json()) as (typeof answers)[number])
    const next = answers.at(-1)!.next_at
    if (next !== null) await new Promise((resolve) => setTimeout(resolve, Date.parse(next) - Date.now()))
  } while (answers.at(-1)!.next_at !== null && answers.length < 50)
  expect(answers.at(-1)).toEqual({ steps: expect.any(Number), next_at: null })
  expect((await service.get(job.id, 'alice')).phase).toBe('completed')
})

test.each([
  ['no secret', undefined, 401, 'missing_api_key'],
  ['another secret', `Bearer ${secret}x`, 401, 'invalid_api_key'],
  ['two secrets', `Bearer ${secret}, Bearer ${secret}`, 401, 'invalid_api_key'],
])('a call with %s takes no step and is refused', async (_what, authorization, status, code) => {
  const { service, handle } = setUp()
  let calls = 0
  const spied = advanceHandler({ ...service, advance: async () => ({ steps: ++calls }) }, { secret })
  for (const one of [handle, spied]) {
    const response = await one(call(authorization))
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }])
  }
  expect(calls).toBe(0)
})

test('a call with another method than GET and POST is refused', async () => {
  const { handle } = setUp()
  expect((await handle(call(`Bearer ${secret}`, 'PUT'))).status).toBe(405)
})

test('a call while the store fails is answered with an error that tells nothing of the cause, which is logged', async () => {
  const { service } = setUp()
  const log = quietLog()
  const failing = async () => Promise.reject(new Error('connection to 10.0.0.7 refused'))
  const handle = advanceHandler({ ...service, log, advance: failing }, { secret })
  const response = await handle(call(`Bearer ${secret}`))
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('10.0.0.7')])
  expect(log.lines.join()).toContain('10.0.0.7')
})

test('a call while the store is unavailable is answered with 503, and the log has the error', async () => {
  const { service } = setUp()
  const log = quietLog()
  const unavailable = new GenerationError('store_unavailable', 'The job store is unavailable.')
  const handle = advanceHandler(
    { ...service, log, advance: async () => Promise.reject(unavailable) },
    { secret },
  )
  expect((await handle(call(`Bearer ${secret}`))).status).toBe(503)
  expect(log.errors).toHaveLength(1)
})

test.each([[undefined], [''], ['short'], ['has spaces in it, and commas']])(
  'the secret %j is refused when the handler is made, without being repeated',
  (wrong) => {
    expect(() => setUp({ secret: wrong })).toThrow(
      /^advanceHandler: secret must be at least 16 characters of a bearer token, such as process.env.CRON_SECRET/,
    )
  },
)

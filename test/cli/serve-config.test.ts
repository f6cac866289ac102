import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serve } from '@genmount/cli'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'
import { startServe } from './genmount.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const appOrigin = 'http://app.example:5173'

/** Starts the server with these fields in its configuration file, and a key. */
async function serveWith(config: object) {
  const cwd = temporaryFolder()
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const file = { port, baseUrl, apiKeys: { alice: 'key-of-alice' }, ...config }
  writeFileSync(join(cwd, 'genmount.json'), JSON.stringify(file))
  const { server } = await startServe(['-c', 'genmount.json'], { cwd })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(baseUrl + path, { ...init, headers: { authorization: 'Bearer key-of-alice', ...init.headers } })
  const post = (body: object) =>
    ask('/v1/generate?wait=true', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'procedural-image', prompt: 'a kite', resolution: '480p', ...body }),
    })
  return { server, ask, post }
}

test('genmount serve sends signed webhooks with the secrets of its configuration file, and says at SIGTERM that it stops', async () => {
  const received: { body: string; headers: Record<string, string> }[] = []
  const receiver = await served(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers as Record<string, string> })
    response.end()
  })
  const webhooks = { secrets: { alice: ['whsec_' + 'a'.repeat(44), secret] }, allowLoopback: true }
  const { server, post } = await serveWith({ webhooks })
  const job = (await (await post({ webhook_url: `${receiver}/hook` })).json()) as { id: string }
  await until(() => received.length === 1)
  const { body, headers } = received[0]!
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'job.completed',
    data: { id: job.id },
    outputs: { data: [{ content_type: 'image/png' }] },
  })
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.output).toMatch(
    /\nSIGTERM: the server takes no new jobs, and stops when .*\nThe server has stopped\.\n/,
  )
})

test('genmount serve lets the pages of other origins in that its configuration file lists, and no others', async () => {
  const { ask } = await serveWith({ cors: { origins: [appOrigin] } })
  const allowed = async (origin: string) =>
    (await ask('/v1/models', { headers: { origin } })).headers.get('access-control-allow-origin')
  expect([await allowed(appOrigin), await allowed('http://evil.example')]).toEqual([appOrigin, null])
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: appOrigin, 'access-control-request-method': 'POST' },
  }
  expect((await ask('/openai/v1/models', preflight)).headers.get('access-control-allow-origin')).toBe(
    appOrigin,
  )
})

test('the access log of genmount serve has a line of JSON for each request, and no key, query or token', async () => {
  const { server, ask, post } = await serveWith({ accessLog: true })
  const created = await post({})
  const { data } = (await created.json()) as { data: { url: string }[] }
  const file = await ask(new URL(data[0]!.url).pathname, { redirect: 'manual' })
  const output = new URL(file.headers.get('location')!)
  await (await ask(output.pathname + output.search)).arrayBuffer()
  expect((await ask('/healthz?secret=of-the-query')).status).toBe(200)
  await server.heard(/"path":"\/healthz"/)
  const entries = server.output
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(entries).toMatchObject([
    { method: 'POST', path: '/v1/generate', status: 200, request_id: created.headers.get('x-request-id') },
    { method: 'GET', path: new URL(data[0]!.url).pathname, status: 302 },
    { method: 'GET', path: '/v1/outputs/...', status: 200, is_aborted: false },
    { method: 'GET', path: '/healthz', status: 200 },
  ])
  for (const { time, duration_ms: duration } of entries) {
    expect(new Date(time).toISOString()).toBe(time)
    expect(duration).toBeGreaterThanOrEqual(0)
  }
  expect(entries[0].duration_ms).toBeGreaterThan(20)
  for (const hidden of ['key-of-alice', 'of-the-query', output.pathname.split('/').at(-1)!])
    expect(JSON.stringify(entries)).not.toContain(hidden)
})

test('genmount serve has its metrics for Prometheus at a port of their own, and frees it when it ends', async () => {
  const metricsPort = await freePort()
  const { server, post } = await serveWith({ metrics: { port: metricsPort } })
  expect((await post({})).status).toBe(200)
  const metrics = () => fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  const shown = await (await metrics()).text()
  expect(shown).toMatch(/^genmount_job_transitions_total\{.*genmount_job_phase="completed".*\} 1$/m)
  expect(shown).toMatch(
    /^gen_ai_client_operation_duration\w*_count\{.*gen_ai_request_model="procedural-image"/m,
  )
  expect(shown).toMatch(/^genmount_store_reachable.* 1$/m)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await expect(metrics()).rejects.toThrow()
})

test('genmount serve has the routes and the page of operators for the keys of its configuration file, and without them has none', async () => {
  const { server, ask, post } = await serveWith({ operatorKeys: { maria: 'key-of-maria' } })
  const { id } = (await (await post({})).json()) as { id: string }
  const maria = { headers: { authorization: 'Bearer key-of-maria' } }
  expect(await (await ask('/v1/operator', maria)).json()).toMatchObject({ operator: 'maria', status: 'ok' })
  expect(await (await ask('/v1/operator/jobs', maria)).json()).toMatchObject({
    data: [{ id, owner: 'alice' }],
  })
  const page = await ask('/operator', {})
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Operator</title>')])
  expect(server.output).toMatch(/Operators see and steer it at http:\S+\/operator,/)
  expect((await ask('/v1/operator')).status).toBe(403)
  expect((await ask('/v1/jobs', maria)).status).toBe(401)
  expect(server.output).not.toContain('key-of-maria')
  const without = await serveWith({})
  expect((await without.ask('/v1/operator')).status).toBe(404)
  expect((await without.ask('/operator')).status).toBe(404)
})

test.each([
  [{ maria: 'a b' }, /operatorKeys in genmount.json must be operator:key pairs/],
  [
    { maria: 'key-of-alice' },
    /operatorKeys in genmount.json must have other keys than apiKeys in genmount.json/,
  ],
])('genmount serve does not start with the operator keys %j', async (operatorKeys, words) => {
  const configFile = join(temporaryFolder(), 'genmount.json')
  writeFileSync(configFile, JSON.stringify({ port: 0, apiKeys: { alice: 'key-of-alice' }, operatorKeys }))
  await expect(serve({ env: {}, configFile })).rejects.toThrow(words)
})

import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { expectHandOver, keptAlive, promisedMs } from './hand-over.ts'
import { servedHosted } from './hosted-server.ts'
import { listening, signalled } from './standalone-server.ts'

test('a standalone server answers twenty who wait with 202 after SIGTERM, finishes a slow download, hands its jobs to the server beside it, and exits with 0', async () => {
  await expectHandOver('SIGTERM')
})

/** Opens a connection and sends nothing. */
function silent(port: string): void {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
}

test('a standalone server ends within ten seconds after SIGTERM while clients hold idle connections', async () => {
  const server = await listening({})
  silent(server.port)
  await keptAlive(`${server.baseUrl}/healthz`)
  const { exit, tookMs } = await signalled(server.process, 'SIGTERM')
  expect(exit).toBe(0)
  expect(tookMs).toBeLessThan(promisedMs)
})

test('GET /healthz of the standalone server answers ok to everybody, and SIGINT ends the server with 0', async () => {
  const { process: server, baseUrl } = await listening({})
  const reply = await fetch(`${baseUrl}/healthz`)
  expect([reply.status, await reply.text()]).toEqual([200, 'ok'])
  expect((await signalled(server, 'SIGINT')).exit).toBe(0)
})

/** Starts a standalone server and a fake of fal that never answers, and creates a job that waits for fal. */
async function stuckServer() {
  const hosted = await servedHosted('standalone-node', { FAL_ANSWERS: 'never', STOP_WITHIN_MS: '6000' })
  const body = JSON.stringify({ model: 'flux-schnell', prompt: 'a' })
  const url = `${hosted.baseUrl}/v1/generate`
  const created = await fetch(`${url}?wait=true`, {
    method: 'POST',
    headers: { ...hosted.headers, prefer: 'wait=1' },
    body,
  })
  const job = await created.json()
  const attempt = () => askOnce(url, 'POST', hosted.headers, body)
  return { ...hosted, job, attempt }
}

/** Sends one request on a new connection. @returns the answer */
function askOnce(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Pick<IncomingMessage, 'statusCode' | 'headers'> & { readonly text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: new Agent({ keepAlive: true }) }, (reply) => {
      text(reply).then(
        (all) => resolve({ statusCode: reply.statusCode, headers: reply.headers, text: all }),
        reject,
      )
    })
      .on('error', reject)
      .end(body)
  })
}

test('while a provider does not answer, a server after SIGTERM answers creates with 503 and reads with the job, closes each connection, and exits with 0', async () => {
  const { server, baseUrl, headers, job, attempt } = await stuckServer()
  const ended = signalled(server, 'SIGTERM')
  await expect.poll(async () => (await attempt()).statusCode).toBe(503)
  const refused = await attempt()
  expect(refused.headers).toMatchObject({ 'retry-after': '3', connection: 'close' })
  expect(JSON.parse(refused.text).error.code).toBe('shutting_down')
  const seen = await askOnce(`${baseUrl}/v1/jobs/${job.id}`, 'GET', headers)
  expect([seen.statusCode, seen.headers.connection, JSON.parse(seen.text).id]).toEqual([200, 'close', job.id])
  const { exit, tookMs } = await ended
  expect(exit).toBe(0)
  expect(tookMs).toBeLessThan(promisedMs)
})

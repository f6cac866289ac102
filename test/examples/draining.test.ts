import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { runtimes } from '../processes/runtimes.ts'
import { create, headers, listening, read, temporaryFolder } from './standalone-server.ts'
import { repo, start, type Started } from './started-server.ts'

const image = { model: 'procedural-image', prompt: 'a quiet forest', resolution: '480p' }
/** A server must end within this many milliseconds after the signal: Docker kills its container then. */
const promisedMs = 10_000

/** Sends the signal. @returns the exit code, and how many milliseconds the process needed to end */
async function signalled(
  { process: child, exited }: Pick<Started, 'process' | 'exited'>,
  signal: NodeJS.Signals,
) {
  const from = performance.now()
  child.kill(signal)
  const code = await exited
  return { code, tookMs: performance.now() - from }
}

/** Opens a connection, sends one request, reads the answer, and keeps the connection open. */
async function keptAlive(url: string) {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  await new Promise<void>((resolve, reject) => {
    const read = (reply: IncomingMessage) => void text(reply).then(() => resolve(), reject)
    get(url, { agent, headers }, read).on('error', reject)
  })
}

/** Opens a connection and sends nothing. */
function silent(port: string): void {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
}

/** Replaces a job's file by one of so many bytes that no socket can buffer them. */
async function enlargeFile(folder: string, id: string, bytes: number): Promise<void> {
  const database = new DatabaseSync(join(folder, 'jobs.db'), { readOnly: true })
  const { job } = database.prepare('SELECT job FROM jobs WHERE id = ?').get(id) as { job: string }
  database.close()
  const { fileKey } = JSON.parse(job).outputs[0]
  await diskFiles({ folder: join(folder, 'outputs') }).put(fileKey, new Uint8Array(bytes), 'image/png')
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s to the standalone example', (signal) => {
  test('answers twenty who wait with 202, finishes a slow download, hands its jobs to the server beside it, and ends with exit code 0', async () => {
    const env = { DATA_DIR: temporaryFolder(), ALLOW_SIMULATION: '1' }
    const leaving = await listening(env)
    const staying = await listening(env)
    const { job: made } = await create(`${leaving.baseUrl}/v1/generate?wait=true`, image)
    const fileBytes = 24 * 1024 * 1024
    await enlargeFile(env.DATA_DIR, made.id, fileBytes)
    const { headers: redirect } = await fetch(made.data[0].url, { headers, redirect: 'manual' })
    const download = await new Promise<IncomingMessage>((resolve) =>
      get(redirect.get('location') ?? '', resolve),
    )
    await keptAlive(`${leaving.baseUrl}/healthz`)

    const slow = { ...image, simulate_latency_ms: 3000 }
    const { job: running } = await create(`${leaving.baseUrl}/v1/generate`, slow)
    const waiting = Array.from({ length: 20 }, () => create(`${leaving.baseUrl}/v1/generate?wait=true`, slow))
    const database = new DatabaseSync(join(env.DATA_DIR, 'jobs.db'), { readOnly: true })
    const count = database.prepare('SELECT count(*) AS jobs FROM jobs')
    await expect.poll(() => count.get()?.['jobs']).toBe(22)
    database.close()

    const ended = signalled(leaving, signal)
    for (const { status, job } of await Promise.all(waiting))
      expect([status, job.status]).toEqual([202, 'processing'])
    // The client continues to read after 2 s. By then everything else in the server has ended.
    await delay(2000)
    let received = 0
    for await (const chunk of download) received += (chunk as Buffer).length
    expect(received).toBe(fileBytes)
    const { code, tookMs } = await ended
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(promisedMs)

    const url = `${staying.baseUrl}/v1/jobs/${running.id}`
    await expect.poll(async () => (await read(url)).status).toBe('completed')
  })
})

test('a connection on which nobody asks does not hold the standalone example for ten seconds', async () => {
  const server = await listening({})
  silent(server.port)
  await keptAlive(`${server.baseUrl}/healthz`)
  const { code, tookMs } = await signalled(server, 'SIGTERM')
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(promisedMs)
})

test('GET /healthz of the standalone example says whether to send requests, to everybody, and nothing else', async () => {
  const { baseUrl } = await listening({})
  const reply = await fetch(`${baseUrl}/healthz`)
  expect([reply.status, await reply.text()]).toEqual([200, 'ok'])
})

/** Starts the example with hosted providers and a fake of fal that never answers a submit. */
async function stuckServer() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-draining-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const server = start(
    [
      ...runtimes.node,
      '--import',
      join(import.meta.dirname, 'vendors-on-loopback.ts'),
      join(repo, 'examples/hosted-providers/server.ts'),
    ],
    { PORT: '0', CLIENT_KEY: 'dev-key', JOBS_FILE: join(folder, 'jobs.db'), FAL_ANSWERS: 'never' },
  )
  const [, port = ''] = await server.heard(/listens on \S+:(\d+)\n/)
  const { job } = await create(
    `http://127.0.0.1:${port}/v1/generate?wait=true`,
    { model: 'flux-schnell', prompt: 'a' },
    { prefer: 'wait=1' },
  )
  return { ...server, job, port, baseUrl: `http://127.0.0.1:${port}` }
}

/** Sends one request on a new connection. @returns the answer */
function askOnce(
  url: string,
  method: string,
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

describe('while a provider does not answer', () => {
  test('SIGTERM has creates answered 503 and reads with the job, each on a connection that ends, until exit code 0', async () => {
    const server = await stuckServer()
    const ended = signalled(server, 'SIGTERM')
    const body = JSON.stringify({ model: 'flux-schnell', prompt: 'a' })
    const attempt = () => askOnce(`${server.baseUrl}/v1/generate`, 'POST', body)
    await expect.poll(async () => (await attempt()).statusCode).toBe(503)
    const refused = await attempt()
    expect(refused.headers).toMatchObject({ 'retry-after': '3', connection: 'close' })
    expect(JSON.parse(refused.text).error.code).toBe('shutting_down')
    const seen = await askOnce(`${server.baseUrl}/v1/jobs/${server.job.id}`, 'GET')
    expect([seen.statusCode, seen.headers.connection, JSON.parse(seen.text).id]).toEqual([
      200,
      'close',
      server.job.id,
    ])
    const { code, tookMs } = await ended
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(promisedMs)
  })

  test('a second signal ends the process at once', async () => {
    const server = await stuckServer()
    server.process.kill('SIGTERM')
    const attempt = () =>
      askOnce(`${server.baseUrl}/v1/generate`, 'POST', JSON.stringify({ model: 'flux-schnell', prompt: 'a' }))
    await expect.poll(async () => (await attempt()).statusCode).toBe(503)
    server.process.kill('SIGINT')
    await server.exited
    expect(server.process.signalCode).toBe('SIGINT')
  })
})

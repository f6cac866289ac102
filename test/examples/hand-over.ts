import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { temporaryFolder } from '../temporary-folder.ts'
import { create, headers, listening, read, signalled } from './standalone-server.ts'

const image = { model: 'procedural-image', prompt: 'a quiet forest', resolution: '480p' }
/** A server must end within this many milliseconds after the signal: Docker kills its container then. */
export const promisedMs = 10_000

/** Opens a connection, sends one request, reads the answer, and keeps the connection open. */
export async function keptAlive(url: string) {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const [reply] = await once(get(url, { agent, headers }), 'response')
  await text(reply)
}

/** Replaces a job's file by one of so many bytes that no socket can buffer them. */
async function enlargeFile(folder: string, id: string, bytes: number): Promise<void> {
  const database = new DatabaseSync(join(folder, 'jobs.db'), { readOnly: true })
  const { job } = database.prepare('SELECT job FROM jobs WHERE id = ?').get(id) as { job: string }
  database.close()
  const { fileKey } = JSON.parse(job).outputs[0]
  await diskFiles({ folder: join(folder, 'outputs') }).put(fileKey, new Uint8Array(bytes), 'image/png')
}

/**
 * Sends a signal to one of two standalone servers while twenty clients wait and one downloads slowly. Expects that all of
 * them get their answers, and that the other server goes on with the jobs.
 */
export async function expectHandOver(signal: NodeJS.Signals): Promise<void> {
  const env = { DATA_DIR: temporaryFolder(), ALLOW_SIMULATION: '1' }
  const leaving = await listening(env)
  const staying = await listening(env)
  const { job: made } = await create(`${leaving.baseUrl}/v1/generate?wait=true`, image)
  const fileBytes = 24 * 1024 * 1024
  await enlargeFile(env.DATA_DIR, made.id, fileBytes)
  const { headers: redirect } = await fetch(made.data[0].url, { headers, redirect: 'manual' })
  const [download] = await once(get(redirect.get('location') ?? ''), 'response')
  await keptAlive(`${leaving.baseUrl}/healthz`)

  const slow = { ...image, simulate_latency_ms: 3000 }
  const { job: running } = await create(`${leaving.baseUrl}/v1/generate`, slow)
  const waiting = Array.from({ length: 20 }, () => create(`${leaving.baseUrl}/v1/generate?wait=true`, slow))
  const jobs = `${staying.baseUrl}/v1/jobs`
  await expect.poll(async () => (await read(`${jobs}?limit=100`)).data.length).toBe(22)

  const ended = signalled(leaving.process, signal)
  for (const { status, job } of await Promise.all(waiting))
    expect([status, job.status]).toEqual([202, 'processing'])
  // The client continues to read after 2 s. By then everything else in the server has ended.
  await delay(2000)
  expect((await buffer(download)).length).toBe(fileBytes)
  const { exit, tookMs } = await ended
  expect(exit).toBe(0)
  expect(tookMs).toBeLessThan(promisedMs)

  await expect.poll(async () => (await read(`${jobs}/${running.id}`)).status).toBe('completed')
}

import { createHash } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create, headers, linesOfFailure, listening, read } from '../../examples/standalone-server.ts'
import { repo } from '../../processes/repo.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { briefRefusals, expectRefusal } from './refused-folders.ts'

const image = { model: 'procedural-image', prompt: 'a quiet forest', resolution: '480p' }
const film = { model: 'procedural-video', prompt: 'the sea', resolution: '480p', duration: 1, fps: 12 }

/** A command that runs a program without root's right to write to every folder. It is empty if the user is not root. */
const asOrdinaryUser =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : []

async function digestOf(url: string): Promise<string> {
  const reply = await fetch(url, { headers })
  expect(reply.status).toBe(200)
  return createHash('sha256')
    .update(new Uint8Array(await reply.arrayBuffer()))
    .digest('hex')
}

async function finished(url: string) {
  await expect
    .poll(async () => (await read(url)).status, { timeout: 60_000, interval: 100 })
    .toBe('completed')
  return read(url)
}

test('a video job of a killed server with DATA_DIR goes on after the next start, with the bytes that it would have had', async () => {
  const env = { DATA_DIR: join(temporaryFolder(), 'made/for/it'), ALLOW_SIMULATION: '1' }
  const killed = await listening(env)
  const slow = { ...film, simulate_latency_ms: 3000 }
  // The submit ends within this second. The job's next step follows after the simulated latency.
  const { status, job } = await create(`${killed.baseUrl}/v1/generate`, slow, { prefer: 'wait=1' })
  expect([status, job.status]).toEqual([202, 'processing'])
  await killed.process.kill()

  const { baseUrl } = await listening({ ...env, PORT: killed.port })
  const resumed = await finished(job.urls.get)
  expect(resumed).toMatchObject({ created_at: job.created_at, started_at: job.started_at })
  expect(Date.parse(resumed.completed_at) - Date.parse(job.started_at)).toBeGreaterThanOrEqual(3000)

  const { job: fresh } = await create(`${baseUrl}/v1/generate?wait=true`, film)
  expect(await digestOf(resumed.data[0].url)).toBe(await digestOf(fresh.data[0].url))
})

test('a finished job, its idempotency key, its file and its links are the same after a server with DATA_DIR is killed and started', async () => {
  const env = { DATA_DIR: join(temporaryFolder(), 'data') }
  const killed = await listening(env)
  const key = { 'idempotency-key': 'the-one' }
  const { job } = await create(`${killed.baseUrl}/v1/generate?wait=true`, image, key)
  const redirect = await fetch(job.data[0].url, { headers, redirect: 'manual' })
  const link = redirect.headers.get('location') ?? ''
  const digest = await digestOf(link)
  await killed.process.kill()

  const { baseUrl } = await listening({ ...env, PORT: killed.port })
  expect(await read(job.urls.get)).toEqual(job)
  expect((await create(`${baseUrl}/v1/generate`, image, key)).job).toEqual(job)
  expect(await digestOf(link)).toBe(digest)
  expect(await digestOf(job.data[0].url)).toBe(digest)
})

test('a server answers waiting requests within 5 s of SIGTERM, and their jobs complete after the next start', async () => {
  const env = { DATA_DIR: temporaryFolder(), ALLOW_SIMULATION: '1' }
  const stopped = await listening(env)
  const slow = { ...image, simulate_latency_ms: 5000 }
  const waiting = create(`${stopped.baseUrl}/v1/generate?wait=true`, slow)
  // When this later request has been answered, the server has also received the one that waits.
  await read(`${stopped.baseUrl}/v1/jobs/gen_0`)
  const stoppedAt = Date.now()
  stopped.process.child.kill('SIGTERM')
  const { status, job } = await waiting
  expect(Date.now() - stoppedAt).toBeLessThan(5000)
  expect([status, job.status]).toEqual([202, 'processing'])
  expect(await stopped.process.ended).toBe(0)

  await listening({ ...env, PORT: stopped.port })
  expect(await finished(job.urls.get)).toMatchObject({ id: job.id, created_at: job.created_at })
})

test('two servers that start at once with one new DATA_DIR serve the same jobs, files and links', async () => {
  const env = { DATA_DIR: join(temporaryFolder(), 'data') }
  const [one, other] = await Promise.all([listening(env), listening(env)])
  const { job } = await create(`${one.baseUrl}/v1/generate`, image)
  const seen = await finished(`${other.baseUrl}/v1/jobs/${job.id}`)
  const redirect = await fetch(seen.data[0].url, { headers, redirect: 'manual' })
  const link = redirect.headers.get('location') ?? ''
  expect(link).toContain(other.baseUrl)
  expect(await digestOf(link.replace(other.baseUrl, one.baseUrl))).toBe(await digestOf(link))
  for (const server of [one, other]) {
    server.process.child.kill('SIGTERM')
    expect(await server.process.ended).toBe(0)
  }
})

test('the server prints the folder of DATA_DIR, and only its own user can read that folder', async () => {
  const folder = join(temporaryFolder(), 'data')
  const { process } = await listening({ DATA_DIR: relative(repo, folder) })
  await process.heard(/curl/)
  expect(process.output).toContain(`Jobs and files are kept in ${folder}\n`)
  expect(process.output).not.toContain('memory')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'link-secret')).mode & 0o777).toBe(0o600)
})

// The deep suite has more things that no folder of jobs can be.
describe('the server prints one line and ends with exit code 1 when DATA_DIR', () => {
  test.each(Object.entries(briefRefusals))('%s', async (_what, prepare) => {
    await expectRefusal(prepare(temporaryFolder()))
  })

  test('is a folder that its user may not write to', async () => {
    const folder = join(temporaryFolder(), 'data')
    mkdirSync(folder, { mode: 0o555 })
    expect(await linesOfFailure({ DATA_DIR: folder }, [], asOrdinaryUser)).toEqual([
      `DATA_DIR can't be used: Files in ${folder}: permission is missing (EACCES). Let the user of this process write there, or choose another folder.`,
    ])
  })

  test('is set beside MAX_JOBS, which limits the jobs in memory', async () => {
    expect(await linesOfFailure({ DATA_DIR: temporaryFolder(), MAX_JOBS: '10' })).toEqual([
      expect.stringMatching('^MAX_JOBS must not .*DATA_DIR'),
    ])
  })
})

describe('on a Node without node:sqlite', () => {
  const without = ['--no-experimental-sqlite']

  test('the server with DATA_DIR prints one line that names Node 22.13, and ends with exit code 1', async () => {
    expect(await linesOfFailure({ DATA_DIR: temporaryFolder() }, without)).toEqual([
      expect.stringMatching('^The backend is not ready: .*node:sqlite.*Node 22.13'),
    ])
  })

  test('the server without DATA_DIR serves jobs', async () => {
    const { baseUrl } = await listening({}, without)
    const { status } = await create(`${baseUrl}/v1/generate?wait=true`, image)
    expect(status).toBe(200)
  })
})

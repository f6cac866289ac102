import { createHash } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { create, headers, listening, read, startStandalone, temporaryFolder } from './standalone-server.ts'

const image = { model: 'procedural-image', prompt: 'a quiet forest', resolution: '480p' }
const film = { model: 'procedural-video', prompt: 'the sea', resolution: '480p', duration: 1 }

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

test('with DATA_DIR a video goes on where its server was killed, and gets the bytes that it would have had', async () => {
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

test('with DATA_DIR a finished job, its key, its file and the links to it are the same after a SIGKILL', async () => {
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

test('SIGTERM answers who waits soon, and the job is done after the next start', async () => {
  const env = { DATA_DIR: temporaryFolder() }
  const stopped = await listening(env)
  const waiting = create(`${stopped.baseUrl}/v1/generate?wait=true`, { ...film, duration: 3 })
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

test('two servers that are started at once on one new DATA_DIR serve the same jobs, files and links', async () => {
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

test('it says where it keeps things, which only its user can read', async () => {
  const folder = join(temporaryFolder(), 'data')
  const { process: server } = await listening({ DATA_DIR: relative(repo, folder) })
  await server.heard(/curl/)
  expect(server.output).toContain(`Jobs and files are kept in ${folder}\n`)
  expect(server.output).not.toContain('memory')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'link-secret')).mode & 0o777).toBe(0o600)
})

describe('a DATA_DIR that can not be used is one clear line for each part of it, and exit code 1', () => {
  const put = (path: string, text: string) => (writeFileSync(path, text), path)
  const cases: Record<string, (folder: string) => string> = {
    'a file': (folder) => put(join(folder, 'data'), ''),
    'where the system makes no folders': () => '/proc/genmount/data',
    'a folder within a file': (folder) => join(put(join(folder, 'file'), ''), 'data'),
    'another database': (folder) => (put(join(folder, 'jobs.db'), 'no database at all'.repeat(100)), folder),
    'no place for outputs': (folder) => (put(join(folder, 'outputs'), ''), folder),
    'a secret that anybody could guess': (folder) => (put(join(folder, 'link-secret'), 'me'), folder),
    'a folder in the place of the database': (folder) => (mkdirSync(join(folder, 'jobs.db')), folder),
  }
  test.each(Object.entries(cases))('%s', async (_name, prepare) => {
    const folder = prepare(temporaryFolder())
    const server = startStandalone({ DATA_DIR: folder })
    expect(await server.ended).toBe(1)
    expect(server.output.trim().split('\n')).toEqual([
      expect.stringMatching(`^(DATA_DIR can't be used|The (backend|file store) is not ready): .*${folder}`),
    ])
  })

  test('a folder that this user may not write to', async () => {
    const folder = join(temporaryFolder(), 'data')
    mkdirSync(folder, { mode: 0o555 })
    const server = startStandalone({ DATA_DIR: folder }, [], asOrdinaryUser)
    expect(await server.ended).toBe(1)
    expect(server.output.trim()).toBe(
      `DATA_DIR can't be used: Files in ${folder}: permission is missing (EACCES). Let the user of this process write there, or choose another folder.`,
    )
  })

  test('MAX_JOBS beside it, which is a bound on memory', async () => {
    const server = startStandalone({ DATA_DIR: temporaryFolder(), MAX_JOBS: '10' })
    expect(await server.ended).toBe(1)
    expect(server.output.trim().split('\n')).toEqual([expect.stringMatching('^MAX_JOBS must not .*DATA_DIR')])
  })
})

describe('on a runtime without node:sqlite', () => {
  const without = ['--no-experimental-sqlite']

  test('DATA_DIR is one clear line and exit code 1', async () => {
    const server = startStandalone({ DATA_DIR: temporaryFolder() }, without)
    expect(await server.ended).toBe(1)
    expect(server.output.trim().split('\n')).toEqual([
      expect.stringMatching('^The backend is not ready: .*node:sqlite.*Node 22.13'),
    ])
  })

  test('all else works', async () => {
    const server = startStandalone({}, without)
    const [, baseUrl] = await server.heard(/listens on (\S+)\n/)
    const { status } = await create(`${baseUrl}/v1/generate?wait=true`, image)
    expect(status).toBe(200)
  })
})

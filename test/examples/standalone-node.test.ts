import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { create, startServer, temporaryFolder } from './standalone-server.ts'
import { repo, start } from './started-server.ts'

test('npm start runs this server', () => {
  const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))
  expect(scripts.start).toBe('node --conditions=@genmount/source examples/standalone-node/server.ts')
})

test(
  'it says where it is and where its page is, what it makes, that everybody knows its key, and a curl line that works when pasted',
  { tags: ['needs/curl'] },
  async () => {
    const server = startServer({})
    const [, baseUrl] = await server.heard(/listens on (http:\/\/127\.0\.0\.1:\d+)\n/)
    const [curl] = await server.heard(/curl .*(?=\n)/)
    expect(server.said()).toContain('procedural-image, procedural-video, esrgan-x2, esrgan-x4\n')
    expect(server.said()).toContain('API_KEYS is not set')
    expect(server.said()).toContain(`Open ${baseUrl}/ in a browser`)
    const page = await fetch(`${baseUrl}/`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('dev-key')
    expect(server.said()).toContain('lost when this process ends')
    expect(server.said()).toContain('kept in memory; set DATA_DIR')
    const { stdout } = spawnSync('sh', ['-c', `${curl} --silent`], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      data: [{ url: expect.stringContaining(`${baseUrl}/v1/files/`) }],
    })
  },
)

test('where the provider that enlarges is not installed it says so, and does all else', async () => {
  const hidden = `import { registerHooks } from 'node:module'
    registerHooks({
      resolve: (name, context, next) => next(name.replace('provider-esrgan', 'no-such-package'), context),
    })`
  const server = startServer({}, ['--import', `data:text/javascript,${encodeURIComponent(hidden)}`])
  const [, baseUrl] = await server.heard(/listens on (\S+)\n/)
  await server.heard(/curl/)
  expect(server.said()).toContain('Models: procedural-image, procedural-video\n')
  expect(server.said()).toContain('Install @genmount/provider-esrgan')
  const url = `${baseUrl}/v1/generate?wait=true`
  const { status, job } = await create(url, { model: 'procedural-image', prompt: 'a', resolution: '480p' })
  expect([status, job.status]).toEqual([200, 'completed'])
})

test('a picture that was uploaded can be the input of a job, also after a restart', async () => {
  const folder = temporaryFolder()
  const first = startServer({ DATA_DIR: folder })
  const [, firstUrl] = await first.heard(/listens on (\S+)\n/)
  const authorization = 'Bearer dev-key'
  const made = await create(`${firstUrl}/v1/generate?wait=true`, {
    model: 'procedural-image',
    prompt: 'a',
    resolution: '480p',
  })
  const picture = await fetch(made.job.data[0].url, { headers: { authorization } })
  const body = await picture.arrayBuffer()
  const uploaded = await fetch(`${firstUrl}/v1/uploads`, { method: 'POST', headers: { authorization }, body })
  expect(uploaded.status).toBe(201)
  const { url, content_type } = (await uploaded.json()) as { url: string; content_type: string }
  expect(content_type).toBe('image/png')
  first.process.kill('SIGKILL')
  await first.exited

  const second = startServer({ DATA_DIR: folder })
  const [, secondUrl] = await second.heard(/listens on (\S+)\n/)
  const edited = await create(`${secondUrl}/v1/generate?wait=true`, {
    model: 'procedural-image',
    prompt: 'b',
    image: url,
    resolution: '480p',
  })
  expect([edited.status, edited.job.status, edited.job.input.image]).toEqual([200, 'completed', url])
})

test('a variable that is probably misspelt is named, and its value is not', async () => {
  const server = startServer({ API_KEY: 'alice:s3cret-1', DATADIR: 's3cret-2', REDIS_PORT: '1' })
  await server.heard(/curl/)
  const warnings = server.said().match(/^Warning: .*read.*$/gm)
  expect(warnings).toEqual([
    'Warning: API_KEY is set, but this server does not read it; did you mean API_KEYS?',
    'Warning: DATADIR is set, but this server does not read it; did you mean DATA_DIR?',
  ])
  expect(server.said()).not.toContain('s3cret')
})

test('it never prints a key that was set', async () => {
  const server = startServer({ API_KEYS: 'alice:s3cret-of-alice,bob:s3cret-of-bob' })
  const [, baseUrl] = await server.heard(/listens on (\S+)/)
  await server.heard(/KEY_OF_alice/)
  const ask = (key: string) =>
    fetch(`${baseUrl}/v1/jobs/gen_0`, { headers: { authorization: `Bearer ${key}` } })
  expect((await ask('s3cret-of-bob')).status).toBe(404)
  expect(await (await fetch(`${baseUrl}/`)).text()).not.toMatch(/s3cret|dev-key/)
  expect((await ask('dev-key')).status).toBe(401)
  expect(server.said()).not.toContain('s3cret')
  expect(server.said()).not.toContain('Warning')
})

describe('SIGTERM', () => {
  test('ends it with exit code 0, and answers who waits', async () => {
    const server = startServer({ ALLOW_SIMULATION: '1' })
    const [, baseUrl] = await server.heard(/listens on (\S+)/)
    const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'procedural-image', prompt: 'a', simulate_latency_ms: 60_000 })
    const created = await fetch(`${baseUrl}/v1/generate`, { method: 'POST', headers, body })
    expect(created.status).toBe(202)
    const waiting = fetch(`${baseUrl}/v1/generate?wait=true`, { method: 'POST', headers, body })
    // When this later request has been answered, the server has also received the one that waits.
    await fetch(`${baseUrl}/v1/jobs/gen_0`, { headers })
    server.process.kill('SIGTERM')
    const answer = await waiting
    expect(answer.status).toBe(202)
    expect(await answer.json()).toMatchObject({ status: 'processing' })
    expect(await server.exited).toBe(0)
  })
})

describe('what it can not start with is one clear line and exit code 1', () => {
  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['API_KEYS', 'alice'],
    ['API_KEYS', 'alice:a,alice:b'],
    ['HOST', '192.0.2.1'],
    ['HOST', 'no-such-host.invalid'],
    ['BASE_URL', 'example.org'],
    ['BASE_URL', 'https://example.org/v1'],
    ['WAIT_BUDGET_MS', '-1'],
    ['MAX_JOBS', '0'],
    ['ALLOW_SIMULATION', 'yes'],
    ['DATABASE_URL', 'localhost'],
    ['REDIS_URL', 'localhost:6379'],
    ['S3_ENDPOINT', 'minio'],
  ])('%s=%s', async (name, value) => {
    const server = startServer({ [name]: value })
    expect(await server.exited).toBe(1)
    expect(server.said().trim().split('\n')).toEqual([expect.stringMatching(`^${name} must`)])
  })

  test.each([
    [
      { DATABASE_URL: 'postgres://localhost/jobs' },
      'DATABASE_URL needs a place for the files that all nodes share',
    ],
    [{ REDIS_URL: 'redis://localhost' }, 'REDIS_URL only wakes the jobs of a database'],
    [{ S3_BUCKET: 'outputs', DATA_DIR: 'data' }, 'S3_BUCKET needs S3_ACCESS_KEY_ID'],
    [
      { S3_BUCKET: 'outputs', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
      'S3_BUCKET keeps only the files',
    ],
  ])('%o alone', async (env, message) => {
    const server = startServer(env)
    expect(await server.exited).toBe(1)
    expect(server.said().trim().split('\n')).toEqual([expect.stringContaining(message)])
  })

  test('a bucket of no possible name, which is not blamed on DATA_DIR', async () => {
    const server = startServer({
      DATA_DIR: temporaryFolder(),
      S3_BUCKET: '../outputs',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    })
    expect(await server.exited).toBe(1)
    expect(server.said().trim().split('\n')).toEqual(['s3Files: bucket must be the name of a bucket.'])
  })

  test('a database that is not there, although its connection to Redis would go on', async () => {
    const server = startServer({
      DATABASE_URL: 'postgres://127.0.0.1:1/jobs',
      REDIS_URL: 'redis://127.0.0.1:1',
      DATA_DIR: temporaryFolder(),
    })
    expect(await server.exited).toBe(1)
    const lines = server.said().trim().split('\n')
    expect(lines.filter((line) => !line.startsWith('Redis: '))).toEqual([
      expect.stringMatching('^The backend is not ready: '),
    ])
  })

  test('a taken port', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void holder.close())
    await new Promise((resolve) => holder.once('listening', resolve))
    const server = startServer({ PORT: String((holder.address() as AddressInfo).port) })
    expect(await server.exited).toBe(1)
    expect(server.said().trim().split('\n')).toEqual([expect.stringContaining('The port is taken')])
  })
})

test('the demo makes an image and a video over HTTP, kills the server meanwhile, enlarges the image, names the files, and ends well', async () => {
  const folder = temporaryFolder()
  const TMPDIR = join(folder, 'tmp')
  mkdirSync(TMPDIR)
  const env = { TMPDIR, MAX_JOBS: '5', DATA_DIR: join(folder, 'not-this'), FAL_KEY: 'can not be one' }
  const demo = start([...runtimes.node, join(repo, 'examples/standalone-node/demo.ts')], env, folder)
  expect(await demo.exited, demo.said()).toBe(0)
  expect(demo.said().trim()).toMatch(/npm start, and open http:\/\/127\.0\.0\.1:3000\/ in a browser\.$/)
  const image = readFileSync(join(folder, 'demo-output/image.png'))
  const video = readFileSync(join(folder, 'demo-output/video.mp4'))
  const enlarged = readFileSync(join(folder, 'demo-output/image-enlarged.png'))
  for (const file of [image, enlarged])
    expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(sizeOfPng(enlarged)).toEqual(sizeOfPng(image).map((side) => side * 2))
  expect(video.subarray(4, 8).toString('latin1')).toBe('ftyp')
  expect(demo.said()).toMatch(
    /saved demo-output\/image\.png .*killed.*started again.*video processing for \d+ s.*saved demo-output\/video\.mp4 .*saved demo-output\/image-enlarged\.png /s,
  )
  // The demo deletes its own temporary files.
  expect(readdirSync(folder).toSorted()).toEqual(['demo-output', 'tmp'])
  expect(readdirSync(join(folder, 'demo-output')).toSorted()).toEqual([
    'image-enlarged.png',
    'image.png',
    'video.mp4',
  ])
  expect(readdirSync(TMPDIR)).toEqual([])
})

const sizeOfPng = (file: Buffer) => [file.readUInt32BE(16), file.readUInt32BE(20)]

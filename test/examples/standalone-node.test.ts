import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@genmount/cli'
import { describe, expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runDemo } from './run-demo.ts'
import {
  create,
  envWithBundle,
  headers,
  linesOfFailure,
  listening,
  startStandalone,
  startWithEsrgan,
} from './standalone-server.ts'

test('npm start runs the standalone server', () => {
  const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))
  expect(scripts.start).toBe('exec node --conditions=@genmount/source examples/standalone-node/server.ts')
})

test(
  'the standalone server prints its address, its page, its models, that its key is public, and a curl line that works when pasted',
  { tags: ['needs/curl'] },
  async () => {
    const server = startWithEsrgan()
    const [, baseUrl] = await server.heard(/listens on (http:\/\/127\.0\.0\.1:\d+)\n/)
    const [curl] = await server.heard(/curl .*(?=\n)/)
    expect(server.output).toContain('procedural-image, procedural-video, esrgan-x2, esrgan-x4\n')
    expect(server.output).toContain('API_KEYS is not set')
    expect(server.output).toContain(`Open ${baseUrl}/ in a browser`)
    const page = await fetch(`${baseUrl}/`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('dev-key')
    expect(server.output).toContain('lost when this process ends')
    expect(server.output).toContain('kept in memory; set DATA_DIR')
    expect(JSON.parse(await outputOf(['sh', '-c', `${curl} --silent`]))).toMatchObject({
      status: 'completed',
      data: [{ url: expect.stringContaining(`${baseUrl}/v1/files/`) }],
    })
  },
)

test('the standalone server without @genmount/provider-esrgan says that it is not installed, and serves all other models', async () => {
  const { process: server, baseUrl } = await listening({})
  await server.heard(/curl/)
  expect(server.output).toContain('Models: procedural-image, procedural-video\n')
  expect(server.output).toContain('Install @genmount/provider-esrgan')
  const url = `${baseUrl}/v1/generate?wait=true`
  const { status, job } = await create(url, { model: 'procedural-image', prompt: 'a', resolution: '480p' })
  expect([status, job.status]).toEqual([200, 'completed'])
})

test('a picture that was uploaded to the standalone server can be the input of a job after a restart', async () => {
  const folder = temporaryFolder()
  const { process: first, baseUrl: firstUrl } = await listening({ DATA_DIR: folder })
  const { authorization } = headers
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
  await first.kill()

  const { baseUrl: secondUrl } = await listening({ DATA_DIR: folder })
  const edited = await create(`${secondUrl}/v1/generate?wait=true`, {
    model: 'procedural-image',
    prompt: 'b',
    image: url,
    resolution: '480p',
  })
  expect([edited.status, edited.job.status, edited.job.input.image]).toEqual([200, 'completed', url])
})

test('the standalone server warns of a variable that is probably misspelt, by its name and without its value', async () => {
  const server = await startStandalone({ API_KEY: 'alice:s3cret-1', DATADIR: 's3cret-2', REDIS_PORT: '1' })
  await server.heard(/curl/)
  const warnings = server.output.match(/^Warning: .*read.*$/gm)
  expect(warnings).toEqual([
    'Warning: API_KEY is set, but this server does not read it; did you mean API_KEYS?',
    'Warning: DATADIR is set, but this server does not read it; did you mean DATA_DIR?',
  ])
  expect(server.output).not.toContain('s3cret')
})

test('the standalone server never prints an API key that was set', async () => {
  const server = await startStandalone({ API_KEYS: 'alice:s3cret-of-alice,bob:s3cret-of-bob' })
  const [, baseUrl] = await server.heard(/listens on (\S+)/)
  await server.heard(/KEY_OF_alice/)
  const ask = (key: string) =>
    fetch(`${baseUrl}/v1/jobs/gen_0`, { headers: { authorization: `Bearer ${key}` } })
  expect((await ask('s3cret-of-bob')).status).toBe(404)
  expect(await (await fetch(`${baseUrl}/`)).text()).not.toMatch(/s3cret|dev-key/)
  expect((await ask('dev-key')).status).toBe(401)
  expect(server.output).not.toContain('s3cret')
  expect(server.output).not.toContain('Warning')
})

/** Settings that are wrong by themselves. `npm start` prints the message, and nothing has been started yet. */
const wrongSettings: readonly (readonly [env: Readonly<Record<string, string>>, message: string | RegExp])[] =
  [
    ...(
      [
        ['PORT', 'eighty'],
        ['PORT', '70000'],
        ['API_KEYS', 'alice'],
        ['API_KEYS', 'alice:a,alice:b'],
        ['BASE_URL', 'example.org'],
        ['BASE_URL', 'https://example.org/v1'],
        ['WAIT_BUDGET_MS', '-1'],
        ['STOP_WITHIN_MS', '2999'],
        ['MAX_JOBS', '0'],
        ['ALLOW_SIMULATION', 'yes'],
        ['DATABASE_URL', 'localhost'],
        ['REDIS_URL', 'localhost:6379'],
        ['S3_ENDPOINT', 'minio'],
      ] as const
    ).map(([name, value]) => [{ [name]: value }, new RegExp(`^${name} must`)] as const),
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
  ]

test.each(wrongSettings)(
  'the standalone server does not start with %o, and says why in one line',
  async (env, message) => {
    const { message: line } = await serve({ env: { PORT: '0', ...env } }).then(
      () => new Error('It has started.'),
      (error: Error) => error,
    )
    expect(line).toMatch(message)
    expect(line).not.toContain('\n')
  },
)

// The deep suite has a wrong host, a wrong bucket and a port that is taken.
describe('the standalone server exits with 1 and prints one line that says why', () => {
  test('when PORT is eighty', async () => {
    expect(await linesOfFailure({ PORT: 'eighty' })).toEqual([expect.stringMatching('^PORT must')])
  })

  test('when its database is not there, though its connection to Redis would go on', async () => {
    const lines = await linesOfFailure({
      DATABASE_URL: 'postgres://127.0.0.1:1/jobs',
      REDIS_URL: 'redis://127.0.0.1:1',
      DATA_DIR: temporaryFolder(),
    })
    expect(lines.filter((line) => !line.startsWith('Redis: '))).toEqual([
      expect.stringMatching('^The backend is not ready: '),
    ])
  })
})

test('npm run demo makes an image and a video over HTTP, kills its server meanwhile, names the files, and exits with 0', async () => {
  const { output, folder } = await runDemo(await envWithBundle())
  expect(output).toMatch(
    /saved demo-output\/image\.png .*killed.*started again.*video processing for \d+ s.*saved demo-output\/video\.mp4 /s,
  )
  expect(readdirSync(folder).toSorted()).toEqual(['image.png', 'video.mp4'])
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { repo, start } from './started-server.ts'

const server = join(repo, 'examples/hosted-providers/server.ts')
const withFakes = ['--import', join(import.meta.dirname, 'vendors-on-loopback.ts')]

async function startExample(env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-hosted-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const started = start([...runtimes.node, ...withFakes, server], {
    PORT: '0',
    CLIENT_KEY: 'key-of-app',
    JOBS_FILE: join(folder, 'jobs.db'),
    ...env,
  })
  const [, port] = await started.heard(/listens on http:\/\/127\.0\.0\.1:(\d+)\n/)
  async function make(body: Readonly<Record<string, unknown>>) {
    const headers = { authorization: 'Bearer key-of-app', 'content-type': 'application/json' }
    const url = `http://127.0.0.1:${port}/v1/generate?wait=true`
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  return { started, make }
}

test('one key makes the images and videos of three vendors, with their costs', async () => {
  const { make } = await startExample()
  const prompt = 'a lighthouse'
  const [flux, film, picture] = await Promise.all([
    make({ model: 'flux-schnell', prompt }),
    make({ model: 'veo-3.1', prompt, duration: 4 }),
    make({ model: 'gpt-image-2', prompt }),
  ])
  for (const job of [flux, film, picture]) expect(job).toMatchObject({ status: 'completed', error: null })
  expect([flux.output_kind, film.output_kind, picture.output_kind]).toEqual(['image', 'video', 'image'])
  expect(Math.min(flux.cost_usd, film.cost_usd, picture.cost_usd)).toBeGreaterThan(0)
})

test.each([
  ['is busy', '429'],
  ['does not accept our key', '401'],
  ['wants money', '402'],
])('where one vendor %s, the model that another serves too is made there', async (_what, status) => {
  const { started, make } = await startExample({ FAL_ANSWERS: status })
  const job = await make({ model: 'flux-schnell', prompt: 'a lighthouse' })
  expect(job).toMatchObject({ status: 'completed', error: null, cost_usd: 0.003 })
  expect(started.said()).toContain('replicate/flux-schnell is next')
})

test('a key for the clients that is missing is named', async () => {
  const started = start([...runtimes.node, server], { FAL_KEY: 'a:b' })
  expect(await started.exited).toBe(1)
  expect(started.said()).toMatch(/^Set CLIENT_KEY /)
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { repo, start } from './started-server.ts'

const file = (example: string) => join(repo, 'examples', example, 'server.ts')

const examples = {
  'express-app': {
    command: [...runtimes.node, file('express-app')],
    env: { PORT: '0' },
    port: /port: (\d+)/,
    mount: '/media',
  },
  'fetch-deno': {
    command: [
      runtimes.deno[0],
      'serve',
      '--allow-all',
      '--conditions=@genmount/source',
      '--host=127.0.0.1',
      '--port=0',
      file('fetch-deno'),
    ],
    env: {},
    port: /http:\/\/127\.0\.0\.1:(\d+)/,
    mount: '',
  },
  'fetch-bun': {
    command: [...runtimes.bun, file('fetch-bun')],
    env: { PORT: '0' },
    port: /http:\/\/[^:]+:(\d+)/,
    mount: '',
  },
} as const

describe.each(Object.entries(examples))('%s', (_name, { command, env, port, mount }) => {
  test('starts with the command of its README, and makes an image that its client can fetch', async () => {
    const server = start(command as readonly [string, ...string[]], env)
    const [, number] = await server.heard(port)
    const baseUrl = `http://127.0.0.1:${number}${mount}`
    const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'procedural-image', prompt: 'a quiet forest', resolution: '480p' })
    const created = await fetch(`${baseUrl}/v1/generate?wait=true`, { method: 'POST', headers, body })
    const job = await created.json()
    expect([created.status, job.status, job.urls?.get]).toEqual([
      200,
      'completed',
      `${baseUrl}/v1/jobs/${job.id}`,
    ])
    const image = await fetch(job.data[0].url, { headers })
    expect(image.headers.get('content-type')).toBe('image/png')
    expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })

  test('SIGTERM has those who wait answered with 202, and ends it with exit code 0', async () => {
    const server = start(command as readonly [string, ...string[]], env)
    const [, number] = await server.heard(port)
    const baseUrl = `http://127.0.0.1:${number}${mount}`
    const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
    const long = { model: 'procedural-video', prompt: 'the sea', resolution: '1080p', duration: 10 }
    const create = (query: string) =>
      fetch(`${baseUrl}/v1/generate${query}`, { method: 'POST', headers, body: JSON.stringify(long) })
    const { id } = await (await create('')).json()
    const waiting = create('?wait=true')
    // When this later request has been answered, the server has also received the one that waits.
    await fetch(`${baseUrl}/v1/jobs/${id}`, { headers })
    const signalledAt = performance.now()
    server.process.kill('SIGTERM')
    expect((await waiting).status).toBe(202)
    expect(await server.exited).toBe(0)
    expect(performance.now() - signalledAt).toBeLessThan(10_000)
  })
})

test('the Express app keeps its own pages', async () => {
  const { command, env, port } = examples['express-app']
  const server = start(command as readonly [string, ...string[]], env)
  const [, number] = await server.heard(port)
  expect(await (await fetch(`http://127.0.0.1:${number}/`)).text()).toContain('pages of its own')
})

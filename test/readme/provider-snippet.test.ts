import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { manualClock, providerSuite, quietLog } from '@genmount/testing'
import { served } from '../served.ts'
import { printedBy } from '../processes/run-program.ts'
import { runtimes, type Runtime } from '../processes/runtimes.ts'
import { acmeProvider as hostedAcmeProvider } from './acme-hosted-provider.ts'
import { acmeProvider } from './acme-provider.ts'
import { codeBlocks } from './code-blocks.ts'

const model = { size: '1024x1024' }
/** The providers that READMEs show, each beside a copy of it that is imported here. */
const shown = {
  'packages/docs/pages/write-a-provider.md': {
    copy: 'acme-provider.ts',
    connect: (baseUrl: string) => acmeProvider('secret-key', baseUrl),
  },
  'packages/vendor-http/README.md': {
    copy: 'acme-hosted-provider.ts',
    connect: (baseUrl: string) =>
      hostedAcmeProvider({ token: 'secret-key', baseUrl, models: { 'acme-image': model } }),
  },
}

const snippetIn = (page: string) =>
  codeBlocks('ts').find(({ readme, code }) => readme === page && code.includes('function acmeProvider'))
    ?.code ?? ''

/** What the README's provider talks to: takes a task, is busy once, and has it done when asked for the second time. */
async function startAcme() {
  const calls: string[] = []
  const baseUrl = await served((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const isBusy = calls.length === 1
    const task =
      calls.length < 4 ? { id: 7 } : { status: 'done', url: 'https://cdn.acme.example/7.png', price: 0.04 }
    response.writeHead(isBusy ? 429 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(task))
  })
  return { calls, baseUrl }
}

test('the provider that the page on providers shows has at most 32 lines', () => {
  expect(snippetIn('packages/docs/pages/write-a-provider.md').split('\n').length).toBeLessThanOrEqual(32)
})

test.each(Object.entries(shown))(
  'the provider that %s shows makes a picture',
  async (readme, { copy, connect }) => {
    expect(snippetIn(readme)).toBe(readFileSync(join(import.meta.dirname, copy), 'utf8'))

    const { calls, baseUrl } = await startAcme()
    const clock = manualClock()
    const service = createGenerationService({ providers: [connect(baseUrl)], clock, log: quietLog() })
    const { job } = await service.create({ owner: 'alice', model: 'acme-image', input: { prompt: 'a kite' } })
    await expect
      .poll(() => clock.advance(1000).then(() => service.get(job.id, 'alice')))
      .toMatchObject({
        phase: 'completed',
        costUsd: 0.04,
        outputs: [{ url: 'https://cdn.acme.example/7.png' }],
      })
    expect(calls).toEqual([
      'POST /tasks Bearer secret-key',
      'POST /tasks Bearer secret-key',
      'GET /tasks/7 Bearer secret-key',
      'GET /tasks/7 Bearer secret-key',
    ])
    await service.close()
  },
)

/** Acme as it documents itself: a task is done when it is asked for the third time. */
async function startWholeAcme(): Promise<string> {
  const polls: number[] = []
  return served((request, response) => {
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== 'Bearer secret-key') return void say(401, { message: 'No.' })
    if (request.method === 'POST') return void say(200, { id: String(polls.push(0) - 1) })
    const id = Number(request.url?.split('/').at(-1))
    if (polls[id] === undefined) return void say(404, { message: 'No such task.' })
    const isDone = ++polls[id] > 2
    say(
      200,
      isDone ? { status: 'done', url: 'https://cdn.acme.example/7.png', price: 0.04 } : { status: 'busy' },
    )
  })
}

describe.each(Object.entries(shown))(
  'the provider that %s shows keeps the contract',
  (_readme, { connect }) => {
    const suite = providerSuite(
      async () => ({
        provider: (baseUrl) => connect(baseUrl),
        vendor: await startWholeAcme(),
        secrets: ['secret-key'],
        fetch: async () => new Response('a picture'),
        unknownHandle: '404',
      }),
      [{ model: 'acme-image', input: { prompt: 'a kite' } }],
    )
    for (const [name, run] of Object.entries(suite)) test(name, run)
  },
)

test.each(Object.keys(runtimes) as Runtime[])(
  "on %s the README's provider asks for a task once, though the connection breaks before the answer",
  async (runtime) => {
    const posted: unknown[] = []
    const baseUrl = await served(async (request) => {
      posted.push(await json(request))
      request.socket.resetAndDestroy()
    })
    const script = new URL('submit-once.ts', import.meta.url)
    expect(await printedBy(runtime, script, { env: { ACME_URL: baseUrl } })).toBe('threw')
    expect(posted).toEqual([{ prompt: 'a kite' }])
  },
)

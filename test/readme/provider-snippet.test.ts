import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createGenerationService, type Provider } from '@genmount/core'
import { manualClock, providerSuite, quietLog } from '@genmount/testing'
import { served } from '../served.ts'
import { printedBy } from '../processes/run-program.ts'
import { runtimes, type Runtime } from '../processes/runtimes.ts'
import { codeBlocks } from './code-blocks.ts'
import { readerFolder } from './reader-folder.ts'

type MakeProvider = (options: never, baseUrl: string) => Provider

/** The providers that READMEs show, with the options of each. */
const shown = {
  'packages/docs/pages/write-a-provider.md': () => 'secret-key',
  'packages/provider-kit/README.md': (baseUrl: string) => ({
    token: 'secret-key',
    baseUrl,
    models: { 'acme-image': { size: '1024x1024' } },
  }),
}

const snippetIn = (page: string) =>
  codeBlocks('ts').find(({ readme, code }) => readme === page && code.includes('function acmeProvider'))
    ?.code ?? ''

const folder = readerFolder({
  'package.json': { type: 'module' },
  ...Object.fromEntries(Object.keys(shown).map((page) => [fileOf(page), snippetIn(page)])),
})

function fileOf(page: string): string {
  return `${page.replaceAll(/\W/g, '-')}.ts`
}

/** Each page, and how the provider that it shows is connected to a server. */
const connections = await Promise.all(
  Object.entries(shown).map(async ([page, optionsFor]) => {
    const code: { readonly acmeProvider: MakeProvider } = await import(join(folder, fileOf(page)))
    const connect = (baseUrl: string) => code.acmeProvider(optionsFor(baseUrl) as never, baseUrl)
    return [page, connect] as const
  }),
)

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

test('the provider on the page about writing a provider has at most 33 lines', () => {
  expect(snippetIn('packages/docs/pages/write-a-provider.md').split('\n').length).toBeLessThanOrEqual(33)
})

test.each(connections)('the provider that %s shows makes a picture', async (_page, connect) => {
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
})

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

describe.each(connections)('the provider that %s shows keeps the contract of providers', (_page, connect) => {
  const suite = providerSuite(
    async () => ({
      provider: (baseUrl) => connect(baseUrl),
      vendor: await startWholeAcme(),
      secrets: ['secret-key'],
      fetch: async () => new Response('a picture'),
      unknownHandle: '404',
    }),
    [{ model: 'acme-image', input: { prompt: 'a kite' } }],
    { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
  )
  for (const [name, run] of Object.entries(suite)) test(name, run)
})

test.each(Object.keys(runtimes) as Runtime[])(
  'on %s the provider on the page about writing a provider submits a task once when the connection breaks before the answer',
  async (runtime) => {
    const posted: unknown[] = []
    const baseUrl = await served(async (request) => {
      posted.push(await json(request))
      request.socket.resetAndDestroy()
    })
    const script = new URL('submit-once.ts', import.meta.url)
    const page = 'packages/docs/pages/write-a-provider.md'
    expect(await printedBy(runtime, script, { args: [join(folder, fileOf(page)), baseUrl] })).toBe('threw')
    expect(posted).toEqual([{ prompt: 'a kite' }])
  },
)

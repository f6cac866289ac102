import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { fakeProvider } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { vendorCases } from './hosted-vendors.ts'
import type { Step, VendorCase } from './vendor-case.ts'
import { inWords, saying } from './troubles.ts'
import type { Trouble } from './vendor-server.ts'
import { leaksIn, vendorWorld } from './vendor-world.ts'

/** Texts with our key that a vendor, a proxy in front of it or the network may return. */
function echoes(
  { error, ended, failed, isDurable }: VendorCase,
  key: string,
): readonly (readonly [Step, Trouble | Error])[] {
  const words = `Authorization: Bearer ${key} was refused, x-goog-api-key: ${key}.`
  const headers = { 'x-echo': key, 'www-authenticate': `Bearer realm="${key}"` }
  const elsewhere = saying(307, error(words), { location: `https://elsewhere.example/?key=${key}` })
  const unreachable = new TypeError(
    `request to https://vendor.example/?key=${encodeURIComponent(key)} failed`,
    {
      cause: Object.assign(new Error(`connect ECONNREFUSED (Key ${key})`), {
        code: 'ECONNREFUSED',
        syscall: 'connect',
      }),
    },
  )
  const broken = new Error(`socket hang up: ${key}`)
  const steps = new Set<Step>(['submit', isDurable ? 'poll' : 'submit', ended('').step])
  const outcomes = [ended(`https://files.example/a.png?key=${key}`), ended(key), failed?.(words)]
  return [
    ...[...steps].flatMap((step) => [
      ...[401, 422, 429, 500].map((status) => [step, saying(status, error(words), headers)] as const),
      [step, saying(500, words, headers)] as const,
      [step, elsewhere] as const,
      [step, unreachable] as const,
      [step, broken] as const,
    ]),
    ...outcomes.flatMap((words) => (words ? [[words.step, inWords(words)] as const] : [])),
  ] satisfies readonly (readonly [Step, Trouble | Error])[]
}

test.each(Object.entries(vendorCases))(
  '%s: a key that the vendor echoes is in no job, no URL, no row of the store and no line of the log',
  async (_name, vendorCase) => {
    const folder = await mkdtemp(join(tmpdir(), 'genmount-'))
    const file = join(folder, 'jobs.db')
    const world = await vendorWorld(vendorCase, { backend: (clock) => sqliteBackend({ file, clock }) })
    onTestFinished(async () => rm(folder, { recursive: true }))
    const handle = toFetchHandler(world.service, { authenticate: apiKeys({ alice: 'alice-key' }) })
    const read = async (path: string) => {
      const headers = { authorization: 'Bearer alice-key' }
      const reply = await handle(new Request(`http://app.example/v1/${path}`, { headers }))
      return [reply.status, [...reply.headers], await reply.text()]
    }

    const shown: unknown[] = []
    const key = world.vendor.secrets.join(' ')
    for (const [step, trouble] of echoes(vendorCase, key)) {
      world.trouble(step, trouble, 1)
      const id = await world.createInTrouble()
      await world.until([id])
      world.calm()
      shown.push(await read(`jobs/${id}`), await read(`files/${id}`))
    }
    await world.close()

    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
    )
    expect(files.join().includes('gen_')).toBe(true)
    expect(leaksIn(files.join(), world.vendor)).toEqual([])
    expect(leaksIn(JSON.stringify(shown), world.vendor)).toEqual([])
    expect(world.lines.filter((line) => leaksIn(line, world.vendor).length > 0)).toEqual([])
    expect(JSON.stringify([shown, world.lines])).toContain('[secret]')
  },
)

test("what looks like a key in an error of the app's own provider is in no job and no line of the log", async () => {
  const key = 'sk-live-0123456789abcdef'
  const lines: string[] = []
  const note = (...words: unknown[]) => void lines.push(inspect(words, { depth: 20 }))
  const cause = new Error(`GET https://me:${key}@vendor.example/?api_key=${key}`)
  const provider: Provider = {
    ...fakeProvider(),
    async submit({ input }) {
      if (input['prompt'] === 'fail')
        return { state: 'failed', code: 'provider_rejected', message: `No access with Bearer ${key}.` }
      throw new Error(`401 for {"Authorization":"Bearer ${key}"}`, { cause })
    },
  }
  const service = createGenerationService({ providers: [provider], log: { warn: note, error: note } })
  onTestFinished(async () => void (await service.close()))
  const run = async (prompt: string) => {
    const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt } })
    return job.id
  }
  const failed = await service.waitFor(await run('fail'), 'alice')
  expect(failed.error?.message).toBe('No access with Bearer [secret].')
  await run('throw')
  await expect.poll(() => lines.join()).toContain('401 for')
  expect(lines.join()).not.toContain(key)
})

test.each(Object.entries(vendorCases))(
  '%s: the owner of a job is not sent to the vendor',
  async (_name, { start, model, input }) => {
    const vendor = await start()
    onTestFinished(() => vendor.close())
    const sent: string[] = []
    const provider = vendor.connect(async (given, init) => {
      const request = new Request(given, init)
      sent.push(`${request.url} ${inspect([...request.headers])} ${await request.clone().text()}`)
      return vendor.fetch(request)
    })
    onTestFinished(async () => provider.close?.())
    const call = { signal: new AbortController().signal, callbackUrl: 'https://app.example/v1/callbacks/a' }
    const task = { jobId: 'job', model, input, clientToken: '0123456789abcdef', owner: 'owners-mark' }
    const report = await provider.submit(task, call)
    const handle = report.state === 'running' ? report.handle : null
    if (report.state === 'running') await provider.poll({ ...task, handle }, call)
    await provider.find?.(task, call).catch(() => {})
    await provider.cancel?.({ ...task, handle }, call).catch(() => {})
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.join('\n')).not.toContain('owners-mark')
  },
)

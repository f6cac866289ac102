import { callbacks } from '@genmount/core/callbacks'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { unknownTasks } from '@genmount/cli'
import {
  type Backend,
  createGenerationService,
  type JobStore,
  type Json,
  memoryBackend,
  type Provider,
} from '@genmount/core'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { fakeProvider, quietLog } from '@genmount/testing'
import { nodeOn } from '../backend-postgres/two-nodes.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { models } from '../providers/comfyui/comfyui-world.ts'
import { fakeComfyui } from '../providers/comfyui/fake-comfyui.ts'
import { startReplicate, token, webhookSecret } from '../providers/replicate/fake-replicate.ts'
import { providerAt } from '../providers/replicate/replicate-world.ts'
import { serviceWorld } from '../providers/service-world.ts'
import { always } from '../providers/vendor-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount } from './genmount.ts'

const since = Date.UTC(2020, 0)
const { signal } = new AbortController()

/** A service with Replicate, which takes two predictions to a page, and ComfyUI. Its jobs can be copied away. */
async function begin(onSubmit: (copy: () => void) => void = () => {}) {
  const folder = temporaryFolder()
  const replicate = await startReplicate({ now: () => world.clock.now() })
  const comfyui = await fakeComfyui({ runMs: 1 })
  replicate.listing.pageSize = 2
  const watched: typeof fetch = (input, init) => {
    if (init?.method === 'POST') onSubmit(copy)
    return fetch(input, init)
  }
  const providers = [
    providerAt(replicate.baseUrl, { fetch: watched, webhookSecret }),
    comfyuiProvider({ baseUrl: comfyui.origin, fetch: watched, models }),
  ]
  const options = {
    keepOutputs: 'redirect',
    plugins: [callbacks({ baseUrl: 'https://app.example' })],
  } as const
  const worldOn = (file: string, startAt?: number) => {
    const backend = () => sqliteBackend({ file: join(folder, file) })
    return serviceWorld(() => providers, { ...options, backend, ...(startAt && { startAt }) })
  }
  const world = worldOn('live.db')
  onTestFinished(async () => {
    await world.close()
    await Promise.all([replicate.close(), comfyui.close()])
  })

  function copy(): void {
    const database = new DatabaseSync(join(folder, 'live.db'))
    database.exec(`VACUUM INTO '${join(folder, 'jobs.db')}'`)
    database.close()
  }

  return {
    ...world,
    replicate,
    comfyui,
    copy,
    finish: async (...names: string[]) =>
      world.until(await Promise.all(names.map((model) => world.create(model)))),
    /** A service that continues with the copy after so many hours. */
    serveCopy(hours: number) {
      const again = worldOn('jobs.db', world.clock.now() + hours * 3_600_000)
      onTestFinished(again.close)
      return again
    },
    async compare() {
      const backend = sqliteBackend({ file: join(folder, 'jobs.db') })
      onTestFinished(() => backend.close())
      return unknownTasks({ providers, jobs: backend.jobs, since, signal })
    },
    /** Runs the command on the copy. */
    async reconcile(...args: string[]) {
      const painter = { model: 'acme/painter', outputKind: 'image', price: 0.001 }
      const image = { ...models['comfy-image'], inputs: { prompt: { node: '6', field: 'text' } } }
      const config = {
        dataDir: '.',
        providers: {
          replicate: { token, baseUrl: replicate.baseUrl, models: { painter } },
          comfyui: { baseUrl: comfyui.origin, models: { image } },
          procedural: true,
        },
      }
      writeFileSync(join(folder, 'genmount.json'), JSON.stringify(config))
      return genmount(['reconcile', '-c', 'genmount.json', '--since', '2020-01-01', ...args], { cwd: folder })
    },
  }
}

test('after a return to an older copy, genmount reconcile names each task that no job knows once, with its cost', async () => {
  const { finish, create, finished, copy, reconcile, replicate, comfyui } = await begin()
  await finish('painter', 'painter', 'versioned', 'comfy-image')
  const start = async () => finished(await create('painter'), ({ phase }) => phase === 'running')
  await start()
  copy()
  const known = [...replicate.ledger, ...comfyui.ledger]
  await finish('painter', 'painter', 'film', 'comfy-image')
  await start()
  const unknown = [...replicate.ledger, ...comfyui.ledger].filter((id) => !known.includes(id))
  // Made by others: on Replicate's web page, and on that of ComfyUI.
  const [latest] = [...replicate.predictions.values()].slice(-1)
  replicate.predictions.set('elsewhere', { ...latest!, id: 'elsewhere', source: 'web' })
  await fetch(`${comfyui.origin}/prompt`, {
    method: 'POST',
    body: JSON.stringify({ prompt: [...comfyui.workflows.values()][0], client_id: 'page' }),
  })

  const { exit, stdout, stderr } = await reconcile('--json')
  const tasks: Record<string, unknown>[] = JSON.parse(stdout)
  expect(exit).toBe(0)
  expect(stderr).toContain("Can't list tasks: procedural\n")
  expect(unknown).toHaveLength(5)
  expect(tasks.map(({ task }) => /[\w-]{20,}/.exec(String(task))?.[0]).toSorted()).toEqual(unknown.toSorted())
  const figures = tasks.map(({ provider, model, state, cost_usd: cost }) => [provider, model, state, cost])
  expect(figures.toSorted()).toEqual(
    [
      ['comfyui', null, 'succeeded', null],
      ['replicate', 'acme/film', 'succeeded', null],
      ['replicate', 'acme/painter', 'running', null],
      ['replicate', 'acme/painter', 'succeeded', 0.004485],
      ['replicate', 'acme/painter', 'succeeded', 0.004485],
    ].toSorted(),
  )
  const rows = (await reconcile()).stdout.trim().split('\n')
  expect(rows).toHaveLength(5)
  expect(rows.join('\n')).toMatch(/^replicate\tpainter\w+\tacme\/painter\t\S+Z\tsucceeded\t0\.004485\t/m)
})

test('genmount reconcile names a vendor that can not be asked, lists the tasks of the others, and ends with exit code 1', async () => {
  const { finish, copy, reconcile, replicate, comfyui } = await begin()
  copy()
  await finish('comfy-image')
  replicate.trouble(
    (request) => request.url.pathname === '/v1/predictions',
    always({ instead: { status: 503 } }),
  )
  const { exit, stdout, stderr } = await reconcile('--json')
  expect(JSON.parse(stdout)).toMatchObject([{ provider: 'comfyui', state: 'succeeded' }])
  expect(stdout).toContain(comfyui.ledger[0])
  expect([exit, stderr]).toEqual([
    1,
    expect.stringMatching(/"replicate could not list its tasks: .*status 503/),
  ])
})

test('genmount reconcile refuses a folder without a database, in which no task would be known', async () => {
  const { reconcile } = await begin()
  const { exit, stdout, stderr } = await reconcile()
  expect([exit, stdout, stderr]).toEqual([1, '', expect.stringMatching(/has no jobs\.db\./)])
})

test('a task of a job that was just being submitted is reported with its job, which takes it on, however late', async () => {
  for (const [model, hours] of [
    ['painter', 100],
    ['comfy-image', 0],
  ] as const) {
    let isCopied = false
    const { finish, compare, serveCopy, replicate, comfyui } = await begin((copy) => {
      if (!isCopied) copy()
      isCopied = true
    })
    const [job] = await finish(model)
    const { tasks, jobsWithoutTask } = await compare()
    expect(tasks).toMatchObject([{ job: job!.id, jobState: 'submitting', state: 'succeeded' }])
    expect(jobsWithoutTask).toEqual([])
    const again = serveCopy(hours)
    expect(await again.finished(job!.id)).toMatchObject({ phase: 'completed' })
    expect([...replicate.ledger, ...comfyui.ledger]).toHaveLength(1)
    expect((await compare()).tasks).toEqual([])
  }
})

test('a job that was just being submitted is named when the list of the vendor does not show whose tasks it has', async () => {
  let isCopied = false
  const { finish, compare, replicate } = await begin((copy) => {
    if (!isCopied) copy()
    isCopied = true
  })
  replicate.listing.show = ({ webhook: _, ...shown }) => shown
  const [job] = await finish('painter')
  const { tasks, jobsWithoutTask } = await compare()
  expect(tasks).toMatchObject([{ handle: job!.handle, job: undefined, costUsd: 0.004485 }])
  expect(jobsWithoutTask).toEqual([job!.id])
})

test.each<[string, () => Backend | Promise<Backend>]>([
  ['in memory', () => memoryBackend()],
  ['in SQLite', () => sqliteBackend({ file: join(temporaryFolder(), 'jobs.db') })],
  ['in Postgres', async () => nodeOn(await databaseOfFile()).backend],
])(
  'jobs %s know the tasks of those that run, wait for a later step or have finished, whoever owns them',
  async (_where, open) => {
    const backend = await open()
    await backend.ready?.()
    const fake = fakeProvider({
      behave: [{ delayMs: 0 }, { delayMs: 3_600_000 }, { delayMs: 0 }, { delayMs: 3_600_000 }],
    })
    const handles: Json[] = []
    const provider: Provider = {
      ...fake,
      async submit(task, call) {
        const report = await fake.submit(task, call)
        if (report.state === 'running') handles.push(report.handle)
        return report
      },
      async *list() {
        for (const handle of [...handles, 'elsewhere', 'elsewhere']) yield { handle, state: 'running' }
      },
    }
    const service = createGenerationService({ providers: [provider], backend, log: quietLog() })
    onTestFinished(async () => void (await service.close()))
    service.start()
    for (const owner of ['alice', 'bob', 'alice', 'bob'])
      await service.create({ owner, model: 'fake-image', input: { prompt: 'a fox' } })
    await vi.waitFor(
      async () => expect(await backend.jobs.costs!({ from: 0, to: 2 ** 52, limit: 9 })).toHaveLength(2),
      60_000,
    )
    await vi.waitFor(() => expect(handles).toHaveLength(4), 60_000)
    const costs: JobStore['costs'] = (query) => backend.jobs.costs!({ ...query, limit: 1 })
    const jobs = { ...backend.jobs, costs }
    const { tasks } = await unknownTasks({ providers: [provider], jobs, since, signal })
    expect(tasks).toMatchObject([{ provider: 'fake', handle: 'elsewhere' }])
  },
)

test('the tasks of a ComfyUI are listed beyond the first hundred of its history', async () => {
  const { finish, comfyui, compare, copy } = await begin()
  copy()
  await finish('comfy-image')
  const [prompt] = comfyui.workflows.values()
  for (let count = 0; count < 120; count++) {
    const prompt_id = crypto.randomUUID()
    const body = JSON.stringify({ prompt, prompt_id, client_id: prompt_id })
    await fetch(`${comfyui.origin}/prompt`, { method: 'POST', body })
  }
  await vi.waitFor(async () => {
    const { tasks } = await compare()
    const ended = tasks.filter(({ state }) => state === 'succeeded')
    expect(ended.map(({ clientToken }) => clientToken)).toEqual(comfyui.ledger)
  }, 60_000)
})

test('tasks from before the given instant are not reported, even if the vendor ignores the limit', async () => {
  const { finish, clock, replicate, copy } = await begin()
  copy()
  await finish('painter')
  await clock.advance(60_000)
  // A random pause may have left the clock between two milliseconds, and vendors report whole ones.
  const from = Math.floor(clock.now())
  await finish('painter')
  const provider = providerAt(replicate.baseUrl, {
    fetch: (input, init) => fetch(String(input).replace('created_after', 'x'), init),
  })
  const handles: Json[] = []
  for await (const { handle } of provider.list!(from, signal)) handles.push(handle)
  expect(handles).toEqual(replicate.ledger.slice(1))
})

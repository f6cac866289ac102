import {
  createGenerationService,
  type GenerationService,
  type JobStore,
  type Json,
  type JsonObject,
  memoryBackend,
  type Provider,
  type ServicePlugin,
} from '@genmount/core'
import { type Limits, limits, type LimitsMethods } from '@genmount/core/limits'
import { usage } from '@genmount/core/usage'
import { webhooks } from '@genmount/core/webhooks'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { operator } from '@genmount/operator'
import { toOperatorNodeHandler } from '@genmount/operator/page'
import { type FakeInput, fakeProvider, fakeWebhooks, quietLog } from '@genmount/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { openTab } from '../browsers/open-tab.ts'
import { served } from '../served.ts'
import { until } from '../until.ts'

export const operatorKey = 'maria-operator-key-0123'
export const clientKey = 'alice-key-0123456789'

/** An owner who would like to run a script, to turn the text around and to break the layout. */
export const hostileOwner = `<img src=x onerror="document.title='attacked'">\u202e\u2066${'W'.repeat(600)}`
export const hostileWords = `<script>document.title='attacked'</script>\u202e${'W'.repeat(300)}`

interface WorldOptions {
  /** The limits of all owners. @default 50 US dollars a day */
  readonly most?: Limits
  readonly plugins?: readonly ServicePlugin[]
  /** Changes the job store. */
  readonly jobs?: (jobs: JobStore) => JobStore
}

const authenticate = apiKeys({ maria: operatorKey })

/** The fake provider, whose vendor calls its tasks `task-1`, `task-2` and so on. */
function providerWithTaskIds(): Provider {
  const fake = fakeProvider({ cancel: true })
  const named = <Report extends object>(report: Report): Report =>
    'handle' in report
      ? {
          ...report,
          handle: {
            ...(report.handle as JsonObject),
            id: `task-${(report.handle as JsonObject)['fakeTask']}`,
          },
        }
      : report
  const unnamed = <Task extends { readonly handle: Json }>(task: Task): Task => ({
    ...task,
    handle: { fakeTask: (task.handle as JsonObject)['fakeTask'] },
  })
  return {
    ...fake,
    submit: async (...submit) => named(await fake.submit(...submit)),
    poll: async (task, ...rest) => named(await fake.poll(unnamed(task), ...rest)),
    cancel: async (task, ...rest) => fake.cancel!(unnamed(task), ...rest),
  }
}

/** A service with all that operators use, and the page beside it. */
export async function serveOperator({
  plugins,
  most = { balance: false, spendUsdPerDay: 50 },
  jobs = (store) => store,
}: WorldOptions = {}) {
  const backend = memoryBackend()
  const service = createGenerationService({
    providers: [providerWithTaskIds()],
    log: quietLog(),
    backend: { ...backend, jobs: jobs(backend.jobs) },
    plugins: plugins ?? [
      limits(most, { reserveUsd: { 'fake-image': 0.05 } }),
      usage(),
      webhooks(fakeWebhooks()),
      operator({ authenticate }),
    ],
  }) as GenerationService & LimitsMethods
  onTestFinished(async () => void (await service.close()))
  const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: clientKey }) })
  const page = toOperatorNodeHandler()
  // A test may put a server in the place of the service that does something else.
  const gate = { answer: undefined as number | undefined }
  const origin = await served((req, res) =>
    page(req, res, () => (gate.answer === undefined ? handler(req, res) : res.writeHead(gate.answer).end())),
  )
  async function create(input: Partial<FakeInput> & { readonly webhook_url?: string } = {}, owner = 'alice') {
    const { job } = await service.create({
      owner,
      keyId: 'key-1',
      model: 'fake-image',
      input: { prompt: 'a fox', ...input } as never,
    })
    return job
  }
  /** Waits until a job is in a phase, and returns it. */
  async function inPhase(id: string, owner: string, phase: string) {
    await until(async () => (await service.get(id, owner)).phase === phase)
    return service.get(id, owner)
  }
  return { origin, service, gate, create, inPhase }
}

export type OperatorWorld = Awaited<ReturnType<typeof serveOperator>>

/** Jobs in each state that the page shows in its own way. */
export async function createEachState({ create, inPhase }: OperatorWorld) {
  const running = await create({ delay_ms: 600_000 })
  const failed = await create({ fail: 'provider_rejected', fail_message: hostileWords })
  const completed = await create({ num_outputs: 2 })
  const owing = await create({ webhook_url: 'https://receiver.example/503' })
  const hostile = await create({ prompt: hostileWords.repeat(20), delay_ms: 600_000 }, hostileOwner)
  await Promise.all([
    inPhase(running.id, 'alice', 'running'),
    inPhase(failed.id, 'alice', 'failed'),
    inPhase(completed.id, 'alice', 'completed'),
    inPhase(owing.id, 'alice', 'completed'),
    inPhase(hostile.id, hostileOwner, 'running'),
  ])
  return { running, failed, completed, owing, hostile }
}

/** Opens the page and types the key. */
export async function openOperator({ origin }: { readonly origin: string }, options?: BrowserContextOptions) {
  const tab = await openTab(origin, options)
  tab.page.setDefaultTimeout(12_000)
  await tab.page.goto(`${origin}/operator`)
  await typeKey(tab.page, operatorKey)
  await tab.page.getByRole('navigation', { name: 'Places' }).waitFor()
  return { ...tab, ...placesOf(tab.page, origin) }
}

export async function typeKey(page: Page, key: string): Promise<void> {
  await page.getByLabel("Operator's key").fill(key)
  await page.keyboard.press('Enter')
}

function placesOf(page: Page, origin: string) {
  const go = async (hash: string) => {
    await page.goto(`${origin}/operator${hash}`)
  }
  return {
    go,
    place: (name: string) => page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name }),
    list: (name: string) =>
      page.getByRole('navigation', { name: 'Lists of jobs' }).getByRole('link', { name }),
    row: (id: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: id }) }),
    dialog: page.getByRole('dialog'),
    /** Opens the dialog of an act on the job that is shown, gives the reason and does it. */
    async act(name: string, reason = 'The owner asked for it.') {
      await page.getByRole('button', { name, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').fill(reason)
      await dialog.getByRole('button', { name, exact: true }).click()
    },
  }
}

import { memoryBackend } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { webhooks } from '@genmount/core/webhooks'
import { operator } from '@genmount/operator'
import { fakeModels, fakeProvider, fakeWebhooks, manualClock, refused } from '@genmount/testing'
import { expect, test } from 'vitest'
import { type OperatedChanges, operated, operatorKeys } from './operated.ts'

type SetUp = ReturnType<typeof operated>

const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

/** What a job waits for, as the operator sees it. */
async function waits({ ask }: SetUp, id: string): Promise<string | null> {
  return (await ask(`GET /v1/operator/jobs/${id}`)).json.waits_for
}

/** A way to bring a job into a state in which it waits, and what is then said of it. */
interface Case {
  readonly says: string
  readonly changes?: OperatedChanges
  /** @returns the id of the job that waits */
  readonly bring: (setUp: SetUp) => Promise<string>
}

const create = async ({ create: make, clock }: SetUp, input: object = {}, ms = 2000) => {
  const { id } = await make(input)
  await clock.advance(ms)
  return id
}
/** Creates a job, and lets time pass until a try of it has failed for this reason. */
async function createUntil(setUp: SetUp, why: string): Promise<string> {
  const id = await create(setUp, {}, 0)
  for (let n = 0; n < 2000; n++) {
    const { json } = await setUp.ask(`GET /v1/operator/jobs/${id}`)
    if (json.setback?.why === why && !json.waits_for.startsWith('A process')) break
    await setUp.clock.advance(200)
  }
  return id
}
const always = (behaviour: object): OperatedChanges => ({ provider: { behave: () => behaviour } })
const fullFiles = {
  put: () => Promise.reject(new Error('The disk is full.')),
  open: async () => undefined,
  delete: async () => {},
}

const cases: Readonly<Record<string, Case>> = {
  'for its vendor': {
    says: `^Waits for fake to make it; the last poll was at ${instant}, and the next poll is at ${instant}\\.$`,
    bring: (setUp) => create(setUp, { delay_ms: 600_000 }),
  },
  'for a place at its provider': {
    says: '^Waits for a place at fake, where 2 steps wait\\.$',
    changes: { options: { providers: [hangingProvider(1)] } },
    async bring(setUp) {
      await create(setUp, {}, 0)
      const id = await create(setUp, {}, 0)
      await create(setUp, {}, 500)
      return id
    },
  },
  'for the breaker of its provider': {
    says: '^The breaker of fake is open: it gets no new jobs until it answers again\\.$',
    changes: always({ submit: 'server_error' }),
    async bring(setUp) {
      for (let n = 0; n < 6; n++) await create(setUp)
      return create(setUp)
    },
  },
  'until a busy provider is tried again': {
    says: `^Tried again at ${instant}, because fake was busy\\.$`,
    changes: always({ submit: refused(60_000) }),
    bring: (setUp) => create(setUp),
  },
  'until an unreached provider is tried again': {
    says: `^Tried again at ${instant}, because fake was not reached\\.$`,
    changes: always({ submit: 'connection_refused' }),
    bring: (setUp) => create(setUp, {}, 20_000),
  },
  'until a provider that has not answered a poll is polled again': {
    says: `^Tried again at ${instant}, because fake has not answered\\.$`,
    changes: always({ delayMs: 600_000, poll: 'server_error' }),
    bring: (setUp) => create(setUp, {}, 20_000),
  },
  'until a provider that did not know the task is polled again': {
    says: `^Tried again at ${instant}, because fake did not know the task\\.$`,
    changes: always({ delayMs: 600_000, poll: { report: { state: 'unknown', message: 'No such task.' } } }),
    bring: (setUp) => create(setUp, {}, 20_000),
  },
  'until a provider that refuses the account is asked again': {
    says: `^Tried again at ${instant}, because fake has refused the account of this service\\.$`,
    changes: { options: { providers: [refusingProvider()] } },
    bring: (setUp) => create(setUp, {}, 20_000),
  },
  'for a claim of another process': {
    says: `^A process submits it to fake; no other takes it before ${instant}\\.$`,
    changes: always({ submit: 'hang' }),
    bring: (setUp) => create(setUp, {}, 500),
  },
  'for the end of a task that is to be canceled': {
    says: `^Waits for fake to end the task, which is to be canceled; asked again (now|at ${instant})\\.$`,
    changes: { options: { providers: [uncancelableProvider()] } },
    async bring(setUp) {
      const id = await create(setUp)
      const canceling = setUp.service.cancel(id, 'alice')
      await setUp.clock.advance(5000)
      await canceling
      return id
    },
  },
  'for news of a submit whose outcome is unknown': {
    says: `^(Waits for news whether fake has taken it on; looked for again|Tried again) (now|at ${instant})`,
    changes: {
      provider: {
        find: 'list',
        behave: () => ({ answer: 'reset', delayMs: 600_000, listedAfterMs: 90_000 }),
      },
    },
    bring: (setUp) => create(setUp, {}, 5000),
  },
  'for an output of another job': {
    says: `^Waits for an output of another job; looked for again (now|at ${instant})\\.$`,
    changes: {
      plugins: [uploads({ baseUrl: 'https://media.test' }), operator({ authenticate: operatorKeys })],
    },
    async bring(setUp) {
      const first = await create(setUp, { delay_ms: 600_000 })
      return create(setUp, { image: `job://${first}` })
    },
  },
  'for its webhook to be delivered': {
    says: `^Waits for its webhook to be delivered, at ${instant}; \\d+ tries have failed\\.$`,
    bring: (setUp) => create(setUp, { webhook_url: 'https://receiver.example/503' }, 120_000),
  },
  'for a try of its webhook that is under way': {
    says: `^Its webhook is being delivered; the next try is at ${instant} at the latest\\.$`,
    changes: {
      plugins: [
        webhooks(fakeWebhooks(() => new Promise(() => {}))),
        operator({ authenticate: operatorKeys }),
      ],
    },
    bring: (setUp) => create(setUp, { webhook_url: 'https://receiver.example/' }, 3000),
  },
  'for its outputs to be stored': {
    says: `^A process stores its outputs; no other takes it before ${instant}\\.$`,
    changes: { options: { files: fullFiles } },
    bring: (setUp) => create(setUp, {}, 20_000),
  },
  'until a file that could not be read is tried again': {
    says: `^Tried again at ${instant}, because a file could not be stored or read\\.$`,
    changes: {
      plugins: [
        { name: 'late files', attach: () => ({ submitInput: async () => ({ later: { why: 'files' } }) }) },
        operator({ authenticate: operatorKeys }),
      ],
    },
    bring: (setUp) => create(setUp, {}, 20_000),
  },
  'until a provider that has reported no output is polled again': {
    says: `^Tried again at ${instant}, because fake has reported no output\\.$`,
    changes: always({ delayMs: 1000, outputs: [] }),
    bring: (setUp) => createUntil(setUp, 'no_output'),
  },
}

/** A provider whose submits never end, with this many places. */
function hangingProvider(maxConcurrentJobs: number) {
  return { ...fakeProvider({ behave: () => ({ submit: 'hang' }) }), maxConcurrentJobs }
}

/** A provider that answers no first submit, and then refuses the account. */
function refusingProvider() {
  let submits = 0
  const submit = async () => {
    if (submits++ === 0) throw Object.assign(new Error('reset'), { cause: { code: 'ECONNRESET' } })
    const refusal = { state: 'failed', code: 'provider_rejected', message: 'No credit.' } as const
    return { ...refusal, isAccountAtFault: true }
  }
  return { ...fakeProvider(), dedupesSubmits: true, submit }
}

/** A provider whose tasks go on although they are canceled. */
function uncancelableProvider() {
  const running = async () => ({ state: 'running' as const, handle: 'task-1' })
  return { ...fakeProvider(), submit: running, poll: running, cancel: async () => {} }
}

test.each(Object.entries(cases))(
  'operators read that a job waits %s',
  async (_, { says, changes, bring }) => {
    const setUp = operated(changes)
    const id = await bring(setUp)
    expect(await waits(setUp, id)).toMatch(new RegExp(says))
  },
)

test('a finished job waits for nothing', async () => {
  const setUp = operated()
  expect(await waits(setUp, await create(setUp, {}, 10_000))).toBeNull()
})

const otherModels = fakeModels.map((model) => ({ ...model, id: `other-${model.id}` }))

test('a job of a model that this process does not serve waits for one that does', async () => {
  const clock = manualClock()
  const backend = memoryBackend({ clock })
  const first = operated({ ...always({ submit: refused(60_000) }), backend, options: { clock } })
  const { id } = await first.create()
  await clock.advance(2000)
  const second = operated({
    backend,
    jobs: first.jobs,
    options: { clock, providers: [fakeProvider({ name: 'other', models: otherModels })] },
  })
  await clock.advance(5000)
  expect(await waits(second, id)).toMatch(
    /^(Tried again at|Waits for a process that serves fake-image; this one does not\.)/,
  )
})

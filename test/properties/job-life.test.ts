import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallbackRequest, GenerationService, Job, JobPhase } from '@genmount/core'
import { createGenerationService, isFinished, memoryFileStore } from '@genmount/core'
import {
  type FakeBehaviour,
  type FakeFault,
  fakeProvider,
  lost,
  manualClock,
  refused,
} from '@genmount/testing'
import { type MortalBackend, survivingStore } from './mortal-backend.ts'

const quiet = { warn() {}, error() {} }

/** The abstract model: where a job may go from where it is. */
const allowed: Record<JobPhase, readonly JobPhase[]> = {
  accepted: ['submitting'],
  submitting: ['submitting', 'accepted', 'running', 'collecting', 'failed'],
  running: ['running', 'collecting', 'failed'],
  collecting: ['collecting', 'completed', 'failed'],
  completed: [],
  failed: [],
}

const fault = fc.constantFrom<FakeFault>(
  'reset',
  'connection_refused',
  'server_error',
  'hang',
  refused(),
  refused(7000),
  {
    report: { state: 'dreaming' },
  },
)
/** A provider that takes a task on and says that it has not would be lying: nobody can guard against that. */
const unknownOutcome = fc.constantFrom<FakeFault>('reset', 'server_error', 'hang', {
  report: { state: 'dreaming' },
})
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 3 })

const behaviour: fc.Arbitrary<FakeBehaviour> = fc
  .record({
    submit: optional(fault),
    answer: optional(unknownOutcome),
    poll: optional(fc.array(fc.oneof(fault, fc.constant(lost)), { maxLength: 3 })),
    delayMs: optional(fc.integer({ min: 0, max: 90_000 })),
    failure: optional(fc.constant({ code: 'content_policy' } as const)),
    pollAfterMs: optional(fc.integer({ min: -5, max: 20_000 })),
  })
  .map((entries) => Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)))

/** Each is given to one of the two processes that serve one store. */
type Command = { readonly node: number } & (
  | { readonly do: 'create'; readonly attempts: readonly FakeBehaviour[]; readonly key: number | undefined }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'read' | 'wait' | 'callback' | 'forged callback'; readonly job: number }
  | { readonly do: 'restart' | 'crash' | 'a day later' }
)

const node = fc.nat(1)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      node,
      do: fc.constant('create' as const),
      attempts: fc.array(behaviour, { maxLength: 3 }),
      key: optional(fc.nat(2)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      node,
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.nat(2000), fc.nat(60_000)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      node,
      do: fc.constantFrom('read', 'wait', 'callback', 'forged callback'),
      job: fc.nat(9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ node, do: fc.constantFrom('restart', 'crash', 'a day later') }) },
)

const capabilities = fc.constantFrom({}, { dedupesSubmits: true }, { find: true }, { sendCallback: true })

interface Node {
  readonly backend: MortalBackend
  readonly service: GenerationService
}

/** What a client is told or not told is not what is looked at here. */
function unwatched(request: Promise<unknown>): void {
  request.catch(() => {})
}

async function run(
  commands: readonly Command[],
  { sendCallback, ...offers }: { sendCallback?: boolean },
): Promise<void> {
  const clock = manualClock()
  const store = survivingStore(clock)
  const scripts = new Map<string, readonly FakeBehaviour[]>()
  const callbacks: [string, CallbackRequest][] = []
  const provider = fakeProvider({
    ...offers,
    ...(sendCallback && {
      sendCallback: (jobId: string, request: CallbackRequest) => callbacks.push([jobId, request]),
    }),
    clock,
    latencyMs: 150,
    behave: ({ input }, attempt) => scripts.get(String(input['prompt']))?.[attempt - 1] ?? {},
  })
  const created: Job[] = []
  const ends = new Map<string, Job>()
  const breaches: string[] = []

  const { replace } = store.jobs
  store.jobs.replace = async (next, expectedRevision) => {
    const before = await store.jobs.get(next.id)
    const outcome = await replace(next, expectedRevision)
    if (outcome === 'stale' || !before) return outcome
    if (!allowed[before.phase].includes(next.phase)) breaches.push(`${before.phase} -> ${next.phase}`)
    if (next.revision !== before.revision + 1)
      breaches.push(`revision ${before.revision} -> ${next.revision}`)
    if (isFinished(next)) ends.set(next.id, next)
    return outcome
  }

  const files = memoryFileStore()
  const boot = () => {
    const backend = store.process()
    const service = createGenerationService({
      providers: [provider],
      clock,
      backend,
      files,
      log: quiet,
      retentionDays: 1,
      deadlineMs: 300_000,
    })
    service.start()
    return { backend, service }
  }
  const nodes: [Node, Node] = [boot(), boot()]

  async function obey(step: Command): Promise<void> {
    const { service, backend } = nodes[step.node as 0 | 1]
    const id = 'job' in step ? (created[step.job]?.id ?? 'gen_0') : 'gen_0'
    switch (step.do) {
      case 'create': {
        const prompt = step.key === undefined ? `job ${scripts.size}` : `key ${step.key}`
        scripts.set(prompt, step.attempts)
        const idempotency =
          step.key === undefined ? {} : { idempotency: { key: String(step.key), scope: 's' } }
        const request = { owner: 'alice', model: 'fake-image', input: { prompt }, ...idempotency }
        // Awaited, because hashing the key is work outside of the clock's reach.
        const { job, replayed } = await service.create(request)
        if (!replayed) created.push(job)
        return clock.advance(0)
      }
      case 'pass':
        return clock.advance(step.ms)
      case 'a day later':
        clock.set(clock.now() + 86_400_000)
        return clock.advance(10_000)
      case 'read':
        unwatched(service.get(id, 'alice'))
        return clock.advance(200)
      case 'wait':
        unwatched(service.waitFor(id, 'alice'))
        return clock.advance(200)
      case 'callback': {
        const [jobId, request] = callbacks.at(-1 - step.job) ?? []
        if (jobId && request) unwatched(service.receiveCallback(jobId, request))
        return clock.advance(200)
      }
      case 'forged callback': {
        const forged = { headers: {}, body: new TextEncoder().encode('{"handle":"mine"}') }
        unwatched(service.receiveCallback(id, forged))
        return clock.advance(0)
      }
      case 'restart': {
        const closed = service.close()
        await clock.advance(90_000)
        await closed
        break
      }
      case 'crash':
        backend.kill()
    }
    nodes[step.node as 0 | 1] = boot()
  }

  for (const step of commands) {
    await obey(step)
    for (const [id, end] of ends) {
      const now = await store.jobs.get(id)
      if (now) expect(now).toEqual(end)
    }
  }
  await clock.advance(900_000)
  const paid = Map.groupBy(provider.ledger, ({ jobId }) => jobId)
  await Promise.all(nodes.map(({ service }) => service.close()))

  expect(breaches).toEqual([])
  for (const { id } of created) {
    const end = ends.get(id)
    expect(end, `job ${id} has an end`).toBeDefined()
    expect(paid.get(id)?.length ?? 0).toBeLessThanOrEqual(1)
    if (end?.phase === 'completed') {
      expect(end.outputs.length).toBeGreaterThan(0)
      expect(end.costUsd).toBe(paid.get(id)?.[0]?.costUsd)
    }
  }
  // What a killed process had begun ends by itself, as a request does whose sender has died.
  if (commands.some((step) => step.do === 'crash')) return
  expect(provider.overlaps).toEqual([])
  expect(clock.pendingTimers).toBe(0)
}

test('whatever happens in whatever order: no forbidden move, no second payment, and every end is final', async () => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), capabilities, run)
  await fc.assert(property, {
    numRuns: 500,
    interruptAfterTimeLimit: 90_000,
    markInterruptAsFailure: true,
    endOnFailure: true,
  })
}, 180_000)

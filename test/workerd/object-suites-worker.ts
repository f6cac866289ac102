import { DurableObject } from 'cloudflare:workers'
import { durableObjectBackend } from '@genmount/backend-cloudflare/durable-object'
import { backendSuite, jobSignalsSuite, jobStoreSuite, schedulerSuite, type Suite } from '@genmount/testing'

interface Env {
  readonly OBJECTS: DurableObjectNamespace<SuiteObject>
}

const idle = { advance: async () => ({ steps: 0 }) }

/** An object in which one case of a suite runs. */
export class SuiteObject extends DurableObject<Env> {
  readonly #backend = durableObjectBackend({ storage: this.ctx.storage })

  #suites(): Readonly<Record<string, Suite>> {
    const { jobs, scheduler, signals } = this.#backend
    return {
      'a backend in a Durable Object': backendSuite(() => ({ backend: this.#backend })),
      'jobs in a Durable Object': jobStoreSuite(() => ({ store: jobs })),
      'wakes by the alarm of a Durable Object': schedulerSuite(() => ({ scheduler })),
      'signals in a Durable Object': jobSignalsSuite(() => ({ signals })),
    }
  }

  /** Lists the cases of all suites, or runs the case that the URL names. */
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const suites = this.#suites()
    const run = suites[searchParams.get('suite') ?? '']?.[searchParams.get('case') ?? '']
    if (!run) return Response.json(Object.entries(suites).map(([name, suite]) => [name, Object.keys(suite)]))
    try {
      await run()
      return new Response('passed')
    } catch (error) {
      return new Response(String((error as Error).stack), { status: 500 })
    }
  }

  alarm(): Promise<void> {
    return this.#backend.alarm(idle)
  }
}

export default {
  fetch: (request: Request, { OBJECTS }: Env) =>
    OBJECTS.getByName(new URL(request.url).search).fetch(request),
}

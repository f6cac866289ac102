import { openContext } from '../browsers/open-page.ts'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime } from '../processes/runtimes.ts'
import type { ClientSubject } from './client-suite.ts'
import { pageScript } from './page-script.ts'
import type * as page from './run-suites.ts'
import type { Traps } from './start-traps.ts'

/** The outcome of the cases on one runtime. */
export interface ClientReport {
  /** A line for each case of the suite that has failed. */
  readonly failures: readonly string[]
  /** The results of `followRedirects` and `surviveLosses`, if traps were given. */
  readonly redirected?: unknown
  readonly survived?: unknown
}

type RunClient = (suites: readonly ClientSubject[], traps?: Traps) => Promise<ClientReport>

/** Runs the client's suite at each of these servers, on one runtime, in one process. */
export const clients: Readonly<Record<Runtime | 'chromium', RunClient>> = {
  node: inProcess('node'),
  bun: inProcess('bun'),
  deno: inProcess('deno'),
  chromium: inChromium,
}

const timeoutMs = 200_000

function inProcess(runtime: Runtime): RunClient {
  const script = new URL('programs/client-program.ts', import.meta.url)
  return async (suites, { redirects, lossy } = {} as Traps) => {
    const args = [JSON.stringify({ suites, redirects, lossy })]
    return (await printedBy(runtime, script, { args, timeoutMs })) as ClientReport
  }
}

async function inChromium(suites: readonly ClientSubject[], traps?: Traps): Promise<ClientReport> {
  const content = await pageScript('client-page.ts')
  const context = await openContext()

  async function inPage<Input, Result>(url: string, input: Input, run: (input: Input) => Promise<Result>) {
    const opened = await context.newPage()
    await opened.goto(url)
    await opened.addScriptTag({ content })
    return opened.evaluate(run as never, input) as Promise<Result>
  }

  // A browser opens six connections to one origin, and waiting requests occupy some of them. So only three cases run at a time.
  const failures = await Promise.all(
    suites.map((subject) =>
      inPage(`${subject.baseUrl}/v1/jobs/none`, subject, (given) =>
        (globalThis as unknown as typeof page).runSuites([given], 3),
      ),
    ),
  )
  if (traps === undefined) return { failures: failures.flat() }
  const { redirects, lossy } = traps
  return {
    failures: failures.flat(),
    redirected: await inPage(redirects.baseUrl, redirects, (given) =>
      (globalThis as unknown as typeof page).followRedirects(given),
    ),
    survived: await inPage(`${lossy.baseUrl}/v1/jobs/none`, lossy, (given) =>
      (globalThis as unknown as typeof page).surviveLosses(given),
    ),
  }
}

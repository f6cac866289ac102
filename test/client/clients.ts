import type { Page } from 'playwright-core'
import { openContext } from '../browsers/open-page.ts'
import { printedBy } from '../processes/run-program.ts'
import type { Runtime } from '../processes/runtimes.ts'
import type { ClientSubject } from './client-suite.ts'
import { pageScript } from './page-script.ts'
import type * as module from './run-client.ts'
import type { ClientReport, ClientTask } from './run-client.ts'

type Traps = Pick<ClientTask, 'redirects' | 'lossy'>

type RunClient = (suites: readonly ClientSubject[], traps?: Traps) => Promise<ClientReport>

/** Runs the client's suite at each of these servers, on one runtime, in one process. */
export const clients: Readonly<Record<Runtime | 'chromium', RunClient>> = {
  node: inProcess('node'),
  bun: inProcess('bun'),
  deno: inProcess('deno'),
  chromium: inChromium,
}

function inProcess(runtime: Runtime): RunClient {
  const script = new URL('programs/client-program.ts', import.meta.url)
  return async (suites, traps) => {
    const task: ClientTask = { suites, atOnce: 16, ...traps }
    const args = [JSON.stringify(task)]
    return (await printedBy(runtime, script, { args, timeoutMs: 200_000 })) as ClientReport
  }
}

declare const program: typeof module

/** Runs a task in a page. */
export async function runInPage(page: Page, task: Partial<ClientTask>): Promise<ClientReport> {
  await page.addScriptTag({ content: await pageScript('run-client.ts') })
  // A browser opens six connections to one origin, and waiting requests occupy some of them. So only three cases run at a time.
  return page.evaluate((given) => program.runClient(given), { suites: [], atOnce: 3, ...task })
}

/** Each server has a page of its own origin. */
async function inChromium(suites: readonly ClientSubject[], traps: Traps = {}): Promise<ClientReport> {
  const context = await openContext()
  async function runAt({ baseUrl }: ClientSubject, task: Partial<ClientTask>) {
    const page = await context.newPage()
    await page.goto(`${baseUrl}/v1/jobs/none`)
    return runInPage(page, task)
  }
  const reports = await Promise.all(suites.map((subject) => runAt(subject, { suites: [subject] })))
  const failures = reports.flatMap((report) => report.failures)
  const { redirects, lossy } = traps
  return {
    ...(redirects && (await runAt(redirects, { redirects }))),
    ...(lossy && (await runAt(lossy, { lossy }))),
    failures,
  }
}

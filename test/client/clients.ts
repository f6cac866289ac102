import type { Page } from 'playwright-core'
import { openContext } from '../browsers/open-page.ts'
import { printedBy } from '../processes/run-program.ts'
import type { Runtime } from '../processes/runtimes.ts'
import { pageScript } from './page-script.ts'
import type * as module from './run-client.ts'
import type { ClientServer } from './run-client.ts'

type RunClient = (servers: readonly ClientServer[]) => Promise<string[]>

/** Runs the client's suite at each of these servers, on one runtime, in one process. Returns what has failed. */
export const clients: Readonly<Record<Runtime | 'chromium', RunClient>> = {
  node: inProcess('node'),
  bun: inProcess('bun'),
  deno: inProcess('deno'),
  chromium: inChromium,
}

function inProcess(runtime: Runtime): RunClient {
  const script = new URL('programs/client-program.ts', import.meta.url)
  return async (servers) =>
    (await printedBy(runtime, script, { args: [JSON.stringify(servers)], timeoutMs: 200_000 })) as string[]
}

declare const program: typeof module

/** Runs the suite in a page. */
export async function runInPage(page: Page, server: ClientServer): Promise<string[]> {
  await page.addScriptTag({ content: await pageScript('run-client.ts') })
  // A browser opens six connections to one origin, and waiting requests occupy some of them. So only three cases run at a time.
  return page.evaluate((one) => program.runClient([one], 3), server)
}

/** Each server has a page of its own origin. */
async function inChromium(servers: readonly ClientServer[]): Promise<string[]> {
  const context = await openContext()
  const failures = servers.map(async (server) => {
    const page = await context.newPage()
    await page.goto(`${server.baseUrl}/v1/jobs/none`)
    return runInPage(page, server)
  })
  return (await Promise.all(failures)).flat()
}

// @module-tag needs/linux
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../loopback.ts'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'

/** A vendor on the loopback that keeps books of who has paid how often, by the token of the job. */
async function bookkeepingVendor() {
  const paid = new Map<string, number>()
  const { origin, stop } = await listen(async (request, response) => {
    if (request.method === 'POST') {
      const { clientToken } = JSON.parse(await text(request)) as { clientToken: string }
      paid.set(clientToken, (paid.get(clientToken) ?? 0) + 1)
    }
    // A connection that stays would serve some of the jobs.
    const headers = { 'content-type': 'application/json', connection: 'close' }
    response.writeHead(200, headers).end(JSON.stringify({ id: 'task' }))
  })
  return { origin, paid, stop }
}

// Each of them waits for most of its time.
test.concurrent.for(Object.keys(runtimes) as Runtime[])(
  'on %s, jobs that are created while the process has no file descriptor left wait, and each is paid for once',
  async (runtime, { onTestFinished }) => {
    const { origin, paid, stop } = await bookkeepingVendor()
    onTestFinished(stop)
    const { meanwhile, ended, logged } = (await printedBy(
      runtime,
      new URL('short-service.ts', import.meta.url),
      { args: [origin], maxDescriptors: 120, timeoutMs: 170_000 },
    )) as Record<'meanwhile' | 'ended' | 'logged', string[]>
    expect(meanwhile).toEqual(Array.from({ length: 20 }, () => 'accepted'))
    expect(ended).toEqual(Array.from({ length: 20 }, () => 'completed'))
    expect([...paid.values()]).toEqual(Array.from({ length: 21 }, () => 1))
    expect(logged).toEqual([
      expect.stringContaining('in memory'),
      'EMFILE',
      'This process has run out of file descriptors (EMFILE): no new jobs are submitted for 5 s.',
    ])
  },
)

test.each(Object.keys(runtimes) as Runtime[])(
  'on %s, downloads hold at most maxDownloads file descriptors, and without one left a download gets a 503',
  async (runtime) => {
    const { statuses, held, ...rest } = (await printedBy(
      runtime,
      new URL('short-downloads.ts', import.meta.url),
      { maxDescriptors: 120 },
    )) as { statuses: number[]; held: number }
    expect(statuses.toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      ...Array.from({ length: 50 }, () => 503),
    ])
    expect(held).toBe(10)
    expect(rest).toEqual({ without: 503, retryAfter: '3', namesPath: false, after: 200 })
  },
)

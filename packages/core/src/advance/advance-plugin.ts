import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { callable, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { type AdvanceMethods, advanceDue, checkRequest, sweepOnCall } from './advance-due.ts'

/** The options of `advance`. */
export interface AdvanceOptions {
  /**
   * Keeps the host running until a promise has settled, although the answer has been sent: `waitUntil` of
   * `cloudflare:workers` or of `@vercel/functions`. Each new job then gets its submit and the polls of its first 25 seconds
   * before the host may stop. @default they happen while the host runs, and at calls of `service.advance`
   */
  readonly waitUntil?: ((work: Promise<void>) => void) | undefined
}

const table = { waitUntil: optional(callable()) } satisfies OptionTable<AdvanceOptions>

/** For how long `waitUntil` is used for a new job, in milliseconds. Cloudflare allows 30 seconds after an answer. */
const firstMs = 25_000
/** How long to pause between two steps of a new job, in milliseconds: its submit, which another call has begun, may end at any time. */
const pauseMs = { least: 50, most: 1000 }

/**
 * For hosts that run only while a request is answered: workers, functions, lambdas. It adds `service.advance`, which a cron, an
 * alarm or the consumer of a queue calls. The service then has no sweep of its own, so that an idle host does nothing: due
 * steps, expired jobs and the work of plugins are looked for at each call.
 * @throws TypeError when an option is wrong
 * @example
 * const service = createGenerationService({ providers, backend, files, plugins: [advance()] })
 * const { steps, nextAt } = await service.advance({ forMs: 20_000 })
 */
export function advance(options: AdvanceOptions = {}): ServicePlugin<AdvanceMethods> {
  const { waitUntil } = checkOptions('advance', options, table) as AdvanceOptions
  return {
    name: 'advance',
    attach(host) {
      /** For each call that is under way: the jobs it has taken up that this process has not written since. */
      const calls = new Set<Set<string>>()
      const sweepOnce = sweepOnCall(host)
      return {
        sweepsOnCall: true,
        wrote(job, before) {
          for (const unmoved of calls) unmoved.delete(job.id)
          if (!before) waitUntil?.(takeFirstSteps(host, job.id))
        },
        methods: {
          async advance(request) {
            const bounds = checkRequest(request)
            host.start()
            const unmoved = new Set<string>()
            calls.add(unmoved)
            try {
              return await advanceDue(host, bounds, unmoved, sweepOnce)
            } finally {
              calls.delete(unmoved)
            }
          },
        },
      }
    },
  }
}

/** Takes the steps of a new job until it has no step left or the time is over. Never rejects. */
async function takeFirstSteps(host: PluginHost, jobId: string): Promise<void> {
  const { jobs, clock, log } = host
  const endsAt = clock.uptime() + firstMs
  try {
    for (;;) {
      await host.takeUp(jobId)
      const dueAt = (await jobs.get(jobId))?.dueAt
      if (dueAt === undefined || host.closing.hasEnded) return
      const ms = Math.min(pauseMs.most, Math.max(pauseMs.least, dueAt - clock.now()))
      if (clock.uptime() + ms > endsAt) return
      await new Promise<void>((resolve) => void clock.after(ms, resolve))
    }
  } catch (error) {
    log.warn(
      'The first steps of a job could not be taken after its create; the next call of advance follows.',
      {
        job: jobId,
        cause: error,
      },
    )
  }
}

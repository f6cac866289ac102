import type { CallbackMethods } from '../contracts/callbacks.ts'
import type { ServicePlugin } from '../contracts/service-plugin.ts'
import { checkMountUrl } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { callbackRecord } from './callback-record.ts'
import { callbackTaker } from './callback-taker.ts'
import { callbackUrlOf } from './callback-url.ts'

/** The options of {@link callbacks}. */
export interface CallbacksOptions {
  /** The public URL at which the /v1 interface is mounted, such as `https://app.example/media`. */
  readonly baseUrl: string
}

const table = { baseUrl: checkMountUrl } satisfies OptionTable<CallbacksOptions>

/**
 * Lets vendors call back: providers that have `readCallback` or `callbacksAreHints` ask their vendors for callbacks. While
 * these arrive, the service polls the providers less often. All processes that share a backend need it.
 * @throws TypeError when `baseUrl` is wrong
 * @example createGenerationService({ providers, plugins: [callbacks({ baseUrl: 'https://app.example/media' })] })
 */
export function callbacks(options: CallbacksOptions): ServicePlugin<CallbackMethods> {
  const { baseUrl } = checkOptions('callbacks', options, table)
  return {
    name: 'callbacks',
    attach(host) {
      const record = callbackRecord()
      const take = callbackTaker(host, record)
      return {
        vendorCallbacks: {
          urlOf: (job, provider) => callbackUrlOf(baseUrl, provider, job),
          arriveFrom: record.comeFrom,
        },
        // A task that ends within its submit is over before a callback could come.
        wrote(job, before) {
          if (before?.phase === 'running' && job.phase !== 'running' && job.provider !== undefined)
            record.ended(job.provider, job.id)
        },
        methods: {
          receiveCallback(jobId, request, address) {
            if (!host.closing.hasEnded) host.start()
            return take(jobId, request, address)
          },
        },
      }
    },
  }
}

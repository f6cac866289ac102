import type { Readable } from 'node:stream'
import { httpSuiteService } from '@genmount/testing/http'
import type { SharedOptions, WorkerOptions } from 'miniflare'
import { bundledWorker } from '../workerd/bundled-worker.ts'
import type { Host } from './hosts.ts'

function hostInWorkerd(
  name: string,
  workerName: string,
  options: Partial<SharedOptions & WorkerOptions> = {},
): Host {
  return {
    name,
    isVariant: false,
    async start() {
      const worker = await bundledWorker(workerName, {
        // The fake vendor of the suite signs with Node's crypto.
        compatibilityFlags: ['nodejs_compat'],
        // It prints a stack for each client that leaves.
        handleRuntimeStdio(output: Readable, errors: Readable) {
          output.resume()
          errors.resume()
        },
        ...options,
      })
      const { keys } = httpSuiteService()
      return { subject: { baseUrl: (await worker.ready).origin, keys }, stop: () => worker.dispose() }
    },
  }
}

export const workerdHost = hostInWorkerd('fetch in workerd', 'suite-worker')

/** As in `examples/cloudflare`: the jobs in the SQLite of the object, the files in R2. */
export const durableObjectHost = hostInWorkerd('a Durable Object', 'suite-object-worker', {
  durableObjects: { MEDIA: { className: 'SuiteObject', useSQLite: true } },
  r2Buckets: ['OUTPUTS'],
})

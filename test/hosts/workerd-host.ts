import type { Readable } from 'node:stream'
import { httpSuiteService } from '@genmount/testing/http'
import { bundledWorker } from '../workerd/bundled-worker.ts'
import type { Host } from './hosts.ts'

export const workerdHost: Host = {
  name: 'fetch in workerd',
  isVariant: false,
  async start() {
    const worker = await bundledWorker('suite-worker', {
      // The fake vendor of the suite signs with Node's crypto.
      compatibilityFlags: ['nodejs_compat'],
      // It prints a stack for each client that leaves.
      handleRuntimeStdio(output: Readable, errors: Readable) {
        output.resume()
        errors.resume()
      },
    })
    const { keys } = httpSuiteService()
    return { subject: { baseUrl: (await worker.ready).origin, keys }, stop: () => worker.dispose() }
  },
}

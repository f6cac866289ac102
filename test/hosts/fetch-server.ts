/** Serves the fetch handler on Bun or Deno, under the path in its argument, with the service of the suite. */
import process from 'node:process'
import { toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { suiteOptions } from './suite-options.ts'
import { serveOnRuntime } from '../processes/serve-on-runtime.ts'

const suite = httpSuiteService()
const mountPath = process.argv[2] || undefined
serveOnRuntime(toFetchHandler(suite.service, { ...suiteOptions(suite), mountPath }))

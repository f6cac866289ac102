/** Runs cases of the conformance suites on a libSQL server, for any runtime. */
import { printSuites } from '../../conformance/print-suites.ts'
import { suitesOfBackend } from '../../conformance/suites-of-backend.ts'
import { webBackend } from '../web-backend.ts'

const [, , origin = ''] = process.argv
const suites = suitesOfBackend(
  (clock) => webBackend(origin, clock),
  () => webBackend('http://127.0.0.1:1'),
)
await printSuites(...Object.values(suites))

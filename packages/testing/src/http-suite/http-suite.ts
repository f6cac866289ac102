import { authCases } from './auth-cases.ts'
import { bodyCases } from './body-cases.ts'
import { bodyStreamCases } from './body-stream-cases.ts'
import { connectionCases } from './connection-cases.ts'
import { createCases } from './create-cases.ts'
import { fileCases } from './file-cases.ts'
import { idempotencyCases } from './idempotency-cases.ts'
import { jobObjectCases } from './job-object-cases.ts'
import { methodCases } from './method-cases.ts'
import { outputCases } from './output-cases.ts'
import { pageCases } from './page-cases.ts'
import { pathCases } from './path-cases.ts'
import { privacyCases } from './privacy-cases.ts'
import { casesFor, type Cases, type HttpSubject } from './suite-client.ts'
import { waitCases } from './wait-cases.ts'

const groups: readonly Cases[] = [
  jobObjectCases,
  createCases,
  waitCases,
  fileCases,
  outputCases,
  idempotencyCases,
  authCases,
  bodyCases,
  bodyStreamCases,
  methodCases,
  pageCases,
  pathCases,
  privacyCases,
  connectionCases,
]

/**
 * The promises of the /v1 interface, as cases by their names. `httpExtensionSuite` tests the endpoints beyond the base
 * interface. They run over sockets against a server that has mounted the service of `httpSuiteService()`. A case
 * rejects when the server breaks the promise. The cases are independent of each other and may run at the same time. Run
 * each case only once for each started server.
 * @example for (const [promise, holds] of Object.entries(httpSuite({ baseUrl, keys }))) test(promise, holds)
 */
export function httpSuite(subject: HttpSubject): Readonly<Record<string, () => Promise<void>>> {
  const isServed = (group: Cases) => group !== outputCases || subject.linksTo === undefined
  return casesFor(subject, groups.filter(isServed))
}

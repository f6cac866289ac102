import { cancelCases } from './cancel-cases.ts'
import { deleteCases } from './delete-cases.ts'
import { casesFor, type Cases, type HttpSubject } from './suite-client.ts'

const groups: readonly Cases[] = [cancelCases, deleteCases]

/**
 * The promises of the endpoints beyond the base of the /v1 interface, as cases by their names. They run as those of
 * `httpSuite` do, against a server that has mounted the service of `httpSuiteService()`; both may share one server.
 * @example
 * for (const [promise, holds] of Object.entries(httpExtensionSuite({ baseUrl, keys }))) test(promise, holds)
 */
export function httpExtensionSuite(subject: HttpSubject): Readonly<Record<string, () => Promise<void>>> {
  return casesFor(subject, groups)
}

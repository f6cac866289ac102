import { cancelCases } from './cancel-cases.ts'
import { deleteCases } from './delete-cases.ts'
import { eventCases } from './event-cases.ts'
import { listCases } from './list-cases.ts'
import { limitCases } from './limit-cases.ts'
import { modelCases } from './model-cases.ts'
import { moderationCases } from './moderation-cases.ts'
import { openapiCases } from './openapi-cases.ts'
import { uploadCases } from './upload-cases.ts'
import { uploadStreamCases } from './upload-stream-cases.ts'
import { webhookCases } from './webhook-cases.ts'
import { casesFor, type Cases, type HttpSubject } from './suite-client.ts'

const groups: readonly Cases[] = [
  modelCases,
  openapiCases,
  listCases,
  cancelCases,
  deleteCases,
  eventCases,
  moderationCases,
  limitCases,
  uploadCases,
  uploadStreamCases,
  webhookCases,
]

/**
 * The promises of the endpoints beyond the base interface, as cases by their names. They need the same server
 * as those of `httpSuite`, with the option `openapi`, and may run at the same time.
 * @example
 * for (const [promise, holds] of Object.entries(httpExtensionSuite({ baseUrl, keys }))) test(promise, holds)
 */
export function httpExtensionSuite(subject: HttpSubject): Readonly<Record<string, () => Promise<void>>> {
  return casesFor(subject, groups)
}

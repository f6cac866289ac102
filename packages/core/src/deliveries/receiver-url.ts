import type { WebhookSender } from '../contracts/plugin/webhooks.ts'
import { GenerationError } from '../errors/generation-error.ts'

const maxUrlLength = 2048

/**
 * Checks the URL of a receiver.
 * @param field the name of the field that has it
 * @throws GenerationError `invalid_request` that names the field and says what is accepted
 */
export function receiverUrl(field: string, url: unknown, sender: WebhookSender): string {
  const isShort = typeof url === 'string' && url.length <= maxUrlLength
  const parsed = isShort ? URL.parse(url) : null
  const isWeb = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && sender.allowLoopback)
  if (!parsed || !isWeb) throw refusal(field, `must be an https URL of at most ${maxUrlLength} characters.`)
  const refused = sender.refusal(parsed)
  if (refused !== undefined) throw refusal(field, refused)
  return parsed.href
}

/** The error for a field. @param rule what continues the sentence that begins with the name of the field */
export function refusal(field: string, rule: string): GenerationError {
  return new GenerationError('invalid_request', `${field} ${rule}`, { param: field })
}

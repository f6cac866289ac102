import { jsonIn, maxAnswerValues } from '../client/json-in.ts'

/**
 * Parses the body of a webhook. Check its signature first.
 * @throws Error when it is not JSON, has more than 100000 keys and values, or is nested more than 64 levels deep
 */
export function webhookJson(body: Uint8Array): unknown {
  const json = jsonIn(new TextDecoder().decode(body))
  if (json === undefined)
    throw new Error(`The webhook is not JSON, or has more than ${maxAnswerValues} keys and values.`)
  return json
}

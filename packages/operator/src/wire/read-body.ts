import { type PluginRequest, refuseParameter } from '@genmount/core'

/** The fields of a body, each with a function that reads its value and returns `undefined` for one that is not accepted. */
type Fields = Readonly<Record<string, (value: unknown) => unknown>>

/** The longest reason, in characters. */
const longestReason = 1000

/**
 * Reads the body of an act: a JSON object with a `reason`, and with these other fields.
 * @param rules what each other field must be, in words
 * @throws GenerationError `invalid_request` that names the field and says what is accepted
 */
export async function readActBody(
  request: Pick<PluginRequest, 'json'>,
  fields: Fields = {},
  rules: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>> & { readonly reason: string }> {
  const body = await request.json()
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    refuseParameter(
      'reason',
      'is required, in a JSON object such as {"reason": "The account had no credit."}',
    )
  const sent = body as Readonly<Record<string, unknown>>
  const names = ['reason', ...Object.keys(fields)]
  for (const name of Object.keys(sent))
    if (!names.includes(name))
      refuseParameter(name, `is not a field of this request; the fields are ${names.join(', ')}`)
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    read[name] = value(sent[name] ?? undefined)
    if (read[name] === undefined && rules[name] !== undefined) refuseParameter(name, `must be ${rules[name]}`)
  }
  return { ...read, reason: reasonIn(sent['reason']) }
}

/** Why an operator acts: a text of 1 to 1000 characters, not only white space. */
function reasonIn(value: unknown): string {
  if (isShortText(value, longestReason)) return value.trim()
  return refuseParameter(
    'reason',
    `must say why you do this, in a text of 1 to ${longestReason} characters, without the character NUL`,
  )
}

/** Whether the value is a text of at least one character that is no white space, which a store can keep. */
export function isShortText(value: unknown, most: number): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= most &&
    value.isWellFormed() &&
    !value.includes('\0')
  )
}

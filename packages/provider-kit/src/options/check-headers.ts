import { type Check, checkObject } from '@genmount/core'

/**
 * Checks an option that is an object with headers by name.
 * @throws TypeError that names the option or the header, when HTTP can't send it. The message does not show the value,
 *   because it may be a secret
 */
export const checkHeaders: Check<Readonly<Record<string, string>>> = (name, value) => {
  const headers = checkObject(name, value, " such as { 'x-team': 'media' }")
  for (const [header, content] of Object.entries(headers))
    if (!isSendable(header, content))
      throw new TypeError(`${name}['${header}'] must be a text that HTTP can send.`)
  return headers as Readonly<Record<string, string>>
}

function isSendable(header: string, content: unknown): boolean {
  try {
    return typeof content === 'string' && new Headers({ [header]: content }).has(header)
  } catch {
    return false
  }
}

import { jsonIn } from '../client/json-in.ts'

/** The value in a text of JSON, because gateways put the answer of a vendor into a text. Any other value as it is. */
export function unfolded(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[{[]/.test(value) ? (jsonIn(value) ?? value) : value
}

/** An object whose texts of JSON are replaced by the values in them. */
export function unfoldedFields(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, unfolded(value)]))
}

import * as v from 'valibot'

// What vendors accept in the bodies of requests. Their fakes refuse all else, so that a test notices it.

/** These fields, with any values. */
export const fields = (names: string) => v.entriesFromList(names.split(' '), v.optional(v.unknown()))

export const oneOf = (words: string) => v.optional(v.picklist(words.split(' ')))

export const whole = (least: number, most: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)))

export const filled = v.pipe(v.string(), v.nonEmpty())

/** An object with the URL of a file, or the file as a data URL. */
export const file = v.object({ url: v.pipe(v.string(), v.regex(/^(?:https?:|data:)/)) })

/** The name of the first field of a body that is unknown, missing or wrong; `body` if it is wrong as a whole. */
export function faultIn(schema: v.GenericSchema, body: unknown): string | undefined {
  const { issues } = v.safeParse(schema, body)
  return issues && (v.getDotPath(issues[0])?.split('.')[0] ?? 'body')
}

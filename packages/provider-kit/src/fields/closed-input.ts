import * as v from 'valibot'

/**
 * The input of a model: an object with these fields and no others. The message for an unknown field lists the fields
 * that the model accepts.
 * @param entries the valibot schema of each field
 * @example closedInput({ prompt: textField('prompt', 4000), seed: v.optional(wholeNumberField('seed', 0)) })
 */
export function closedInput<const Entries extends v.ObjectEntries>(entries: Entries) {
  const accepted = Object.keys(entries)
    .filter((name) => takesValues(entries[name]))
    .join(', ')
  return v.strictObject(entries, (issue) => {
    const { key, input } = issue.path?.at(-1) ?? {}
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    if (issue.expected === 'never') return `${String(key)} is unknown; this model accepts ${accepted}.`
    const stranger = Object.keys(input as object).find((name) => !Object.hasOwn(entries, name))
    if (stranger === undefined) return `${String(key)} is required.`
    return `${String(key)} is required, and ${stranger} is unknown; this model accepts ${accepted}.`
  })
}

/** Whether the field accepts any value: its JSON Schema is not `not: {}`, as that of `providerOptionsField` may be. */
function takesValues(field: unknown): boolean {
  const { wrapped = field } = field as { readonly wrapped?: unknown }
  return !('not' in v.getMetadata(wrapped as v.GenericSchema))
}

/**
 * Requires the field `name`, unless one of `others` is given. It goes into a `pipe` after `closedInput`.
 * @param others without any, `name` is always required
 */
export function requiredUnless<Input extends object>(
  name: keyof Input & string,
  others: readonly (keyof Input & string)[],
) {
  return rule<Input>(
    name,
    (input) => [name, ...others].some((field) => input[field] !== undefined),
    others.length === 0
      ? `${name} is required.`
      : `${name} is required, unless ${others.join(' or ')} is given.`,
  )
}

/** Refuses the field `name` when the field `other` is missing. It goes into a `pipe` after `closedInput`. */
export function onlyWith<Input extends object>(name: keyof Input & string, other: keyof Input & string) {
  return rule<Input>(
    name,
    (input) => input[name] === undefined || input[other] !== undefined,
    `${name} is only accepted together with ${other}.`,
  )
}

/** Refuses the field `name` when the field `other` is given too. It goes into a `pipe` after `closedInput`. */
export function onlyWithout<Input extends object>(name: keyof Input & string, other: keyof Input & string) {
  return rule<Input>(
    name,
    (input) => input[name] === undefined || input[other] === undefined,
    `${name} is not accepted together with ${other}.`,
  )
}

/** Rules for a `pipe` after {@link closedInput}, about fields that depend on each other. */
export const inputRule = {
  /** Requires a field, unless one of the others is given. */
  requiredUnless,
  /** Refuses a field when another is missing. */
  onlyWith,
  /** Refuses a field when another is given too. */
  onlyWithout,
}

function rule<Input extends object>(
  key: keyof Input & string,
  holds: (input: Input) => boolean,
  message: string,
) {
  return v.rawCheck<Input>(({ dataset, addIssue }) => {
    if (!dataset.typed || holds(dataset.value)) return
    const input = dataset.value
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: input as never, key, value: input[key] }],
    })
  })
}

import * as v from 'valibot'

/** The input of a model: these fields and no others. */
export function closedInput<const Entries extends v.ObjectEntries>(entries: Entries) {
  const accepted = Object.keys(entries).join(', ')
  return v.strictObject(entries, (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    if (issue.expected === 'never') return `${String(key)} is unknown; this model takes ${accepted}.`
    return `${String(key)} is required.`
  })
}

/** Asks for a field where none of the others is there. Goes into a `pipe` after `closedInput`. */
export function requiredUnless<Input extends object>(
  name: keyof Input & string,
  others: readonly (keyof Input & string)[],
) {
  return rule<Input>(
    name,
    (input) => [name, ...others].some((field) => input[field] !== undefined),
    `${name} is required, unless ${others.join(' or ')} is given.`,
  )
}

/** Refuses a field where the other is missing. Goes into a `pipe` after `closedInput`. */
export function onlyWith<Input extends object>(name: keyof Input & string, other: keyof Input & string) {
  return rule<Input>(
    name,
    (input) => input[name] === undefined || input[other] !== undefined,
    `${name} goes with ${other} only.`,
  )
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

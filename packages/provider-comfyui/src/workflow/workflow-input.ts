import { closedInput, field } from '@genmount/provider-kit'
import * as v from 'valibot'
import { inputFiles } from './input-files.ts'
import type { InputPlaces, WorkflowInput } from './workflow.ts'

/** The input schema of a workflow: its named inputs and no others. */
export function workflowInput(places: InputPlaces) {
  const fields = [...places].map(([name, [place, ...others]]) => {
    const schema = schemaFor(name, place, 1 + others.length)
    return [name, place.required ? schema : v.optional(schema)] as const
  })
  return closedInput(Object.fromEntries(fields))
}

function schemaFor(name: string, place: WorkflowInput, most: number) {
  const { type, min, max, choices } = place
  const files = inputFiles(place)
  if (choices) return field.choice(name, choices)
  // Accepts URLs of any host, because `allowAddress` decides when the URL is fetched.
  const rules = files && ({ types: files.types, hosts: 'any' } as const)
  if (files?.isList && rules)
    return name === 'image' ? field.pictures(name, most, rules) : field.pictureList(name, most, rules)
  if (rules) return field.picture(name, rules)
  switch (type) {
    case 'boolean':
      return v.boolean(`${name} must be true or false.`)
    case 'number':
      return field.number(name, min, max)
    case 'integer':
      return field.wholeNumber(name, min, max)
    default:
      return field.text(name, 10_000, name === 'prompt' ? 1 : 0)
  }
}

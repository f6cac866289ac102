import {
  choiceField,
  closedInput,
  numberField,
  pictureField,
  textField,
  wholeNumberField,
} from '@genmount/input-fields'
import * as v from 'valibot'
import { fileTypesOf, type InputPlaces, type WorkflowInput } from './workflow.ts'

/** The input schema of a workflow: its named inputs and no others. */
export function inputSchema(places: InputPlaces) {
  const fields = [...places].map(([name, [place]]) => {
    const field = fieldFor(name, place)
    return [name, place.required ? field : v.optional(field)] as const
  })
  return closedInput(Object.fromEntries(fields))
}

function fieldFor(name: string, place: WorkflowInput) {
  const { type, min, max, choices } = place
  const types = fileTypesOf(place)
  if (choices) return choiceField(name, choices)
  // Accepts URLs of any host, because `allowAddress` decides when the URL is fetched.
  if (types) return pictureField(name, { types, hosts: 'any' })
  switch (type) {
    case 'boolean':
      return v.boolean(`${name} must be true or false.`)
    case 'number':
      return numberField(name, min, max)
    case 'integer':
      return wholeNumberField(name, min, max)
    default:
      return textField(name, 10_000, name === 'prompt' ? 1 : 0)
  }
}

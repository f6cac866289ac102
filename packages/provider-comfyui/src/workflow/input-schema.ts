import {
  choiceField,
  closedInput,
  numberField,
  pictureField,
  textField,
  wholeNumberField,
} from '@genmount/input-fields'
import * as v from 'valibot'
import { type InputPlaces, pictureTypes, type WorkflowInput } from './workflow.ts'

/** What clients may send for a workflow: its named inputs and nothing else. */
export function inputSchema(places: InputPlaces) {
  const fields = [...places].map(([name, [place]]) => {
    const field = fieldFor(name, place)
    return [name, place.required ? field : v.optional(field)] as const
  })
  return closedInput(Object.fromEntries(fields))
}

function fieldFor(name: string, { type, min, max, choices }: WorkflowInput) {
  if (choices) return choiceField(name, choices)
  switch (type) {
    case 'boolean':
      return v.boolean(`${name} must be true or false.`)
    case 'image':
      // Where its URL may lead is for `allowAddress` to say.
      return pictureField(name, { types: pictureTypes, hosts: 'any' })
    case 'number':
      return numberField(name, min, max)
    case 'integer':
      return wholeNumberField(name, min, max)
    default:
      return textField(name, 10_000, name === 'prompt' ? 1 : 0)
  }
}

import {
  choiceField,
  closedInput,
  numberField,
  pictureField,
  pictureListField,
  picturesField,
  textField,
  wholeNumberField,
} from '@genmount/provider-kit'
import * as v from 'valibot'
import { inputFiles } from './input-files.ts'
import type { InputPlaces, WorkflowInput } from './workflow.ts'

/** The input schema of a workflow: its named inputs and no others. */
export function workflowInput(places: InputPlaces) {
  const fields = [...places].map(([name, [place, ...others]]) => {
    const field = fieldFor(name, place, 1 + others.length)
    return [name, place.required ? field : v.optional(field)] as const
  })
  return closedInput(Object.fromEntries(fields))
}

function fieldFor(name: string, place: WorkflowInput, most: number) {
  const { type, min, max, choices } = place
  const files = inputFiles(place)
  if (choices) return choiceField(name, choices)
  // Accepts URLs of any host, because `allowAddress` decides when the URL is fetched.
  const rules = files && ({ types: files.types, hosts: 'any' } as const)
  if (files?.isList && rules)
    return name === 'image' ? picturesField(name, most, rules) : pictureListField(name, most, rules)
  if (rules) return pictureField(name, rules)
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

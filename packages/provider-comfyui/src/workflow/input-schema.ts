import * as v from 'valibot'
import { isImageDataUri } from './input-image.ts'
import type { InputPlaces, WorkflowInput } from './workflow.ts'

const maxTextLength = 10_000

/** What clients may send for a workflow: its named inputs and nothing else. */
export function inputSchema(places: InputPlaces) {
  const fields = [...places].map(([name, [place]]) => {
    const field = fieldSchema(name, place)
    return [name, place.required ? field : v.optional(field)] as const
  })
  const accepted = [...places.keys()].join(', ')
  return v.strictObject(Object.fromEntries(fields), (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    if (issue.expected === 'never') return `${String(key)} is unknown; this model takes ${accepted}.`
    return `${String(key)} is required.`
  })
}

function fieldSchema(name: string, { type, min, max, choices }: WorkflowInput) {
  if (choices) return v.picklist(choices, `${name} must be one of ${choices.join(', ')}.`)
  switch (type) {
    case 'boolean':
      return v.boolean(`${name} must be true or false.`)
    case 'image': {
      const message = `${name} must be an http(s) URL, or a data URI with a PNG, JPEG, WebP or GIF picture in base64.`
      return v.pipe(
        v.string(message),
        v.check((image) => isHttpUrl(image) || isImageDataUri(image), message),
      )
    }
    case 'number':
    case 'integer': {
      const kind = type === 'integer' ? 'a whole number' : 'a number'
      const bounds = [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`]
      const message = `${name} must be ${[kind, ...bounds].filter(Boolean).join(', ')}.`
      return v.pipe(
        v.number(message),
        v.check((number) => type === 'number' || Number.isSafeInteger(number), message),
        v.check((number) => number >= (min ?? number) && number <= (max ?? number), message),
      )
    }
    default: {
      const isPrompt = name === 'prompt'
      const message = `${name} must be a text of ${isPrompt ? 1 : 0} to ${maxTextLength} characters.`
      return v.pipe(
        v.string(message),
        v.check((text) => text.length <= maxTextLength && !(isPrompt && text.trim() === ''), message),
      )
    }
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && text.length <= 8192 && URL.canParse(text)
}

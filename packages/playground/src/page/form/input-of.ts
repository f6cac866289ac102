import { ownValue } from '@genmount/page-kit/page'
import type { Field } from './field.ts'
import { jsonIn } from './json-in.ts'
import { fileAt, filesIn, isAddress, type Values } from './values.ts'

/** The input of a job, as the page sends it. */
export type Input = Readonly<Record<string, unknown>>

/** Makes an input for these fields. It leaves out empty values, and values that none of the fields accepts. */
export function inputOf(fields: readonly Field[], values: Values): Input {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = sentValue(field, values)
      return value === undefined || value === '' ? [] : [[field.name, value]]
    }),
  )
}

function sentValue(field: Field, values: Values): unknown {
  if (field.kind === 'files') {
    const urls = filesIn(ownValue(values, field.name)).flatMap(({ url }) => url ?? [])
    if (urls.length === 0) return undefined
    return field.isList || urls.length > 1 ? urls.slice(0, field.maxFiles) : urls[0]
  }
  const value = ownValue(values, field.name)
  if (field.kind === 'choice') return field.choices.find((choice) => choice === value)
  if (field.kind === 'json') return typeof value === 'string' ? jsonIn(value) : undefined
  return value
}

/**
 * The values of a form that make this input. It leaves out what the form can't show, and data URIs, which the service does not
 * return, so that the page can't send them again.
 */
export function valuesOf(fields: readonly Field[], input: Input): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(input, field.name)
      if (value === undefined) return []
      if (field.kind === 'json') return [[field.name, JSON.stringify(value, null, 2)]]
      if (field.kind !== 'files') return [[field.name, value]]
      const urls = [value].flat().filter((url): url is string => typeof url === 'string' && isAddress(url))
      return [[field.name, urls.map(fileAt)]]
    }),
  )
}

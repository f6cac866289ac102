import type { Model } from '@genmount/core'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'

test('the input of a model is any Standard Schema of an object, whoever makes it', () => {
  expectTypeOf(v.strictObject({ prompt: v.string() })).toExtend<Model['input']>()
  expectTypeOf(v.object({ prompt: v.string(), seed: v.optional(v.number(), 1) })).toExtend<Model['input']>()
  const byHand = {
    '~standard': {
      version: 1,
      vendor: 'me',
      validate: (value: unknown) => ({ value: Object(value) as object }),
    },
  } as const
  expectTypeOf(byHand).toExtend<Model['input']>()
})

test('a schema of something else is none for a model', () => {
  expectTypeOf(v.string()).not.toExtend<Model['input']>()
  expectTypeOf(v.pipe(v.object({}), v.transform(String))).not.toExtend<Model['input']>()
  expectTypeOf<(value: unknown) => object>().not.toExtend<Model['input']>()
})

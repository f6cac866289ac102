import type { JsonObject, Model, Provider } from '@genmount/core'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

test('the input of a model can be a Standard Schema of an object from Zod, Valibot or another library', () => {
  expectTypeOf(v.strictObject({ prompt: v.string() })).toExtend<Model['input']>()
  expectTypeOf(v.object({ prompt: v.string(), seed: v.optional(v.number(), 1) })).toExtend<Model['input']>()
  expectTypeOf(z.strictObject({ prompt: z.string() })).toExtend<Model['input']>()
  expectTypeOf(z.object({ prompt: z.string(), seed: z.number().default(1) })).toExtend<Model['input']>()
  const byHand = {
    '~standard': {
      version: 1,
      vendor: 'me',
      validate: (value: unknown) => ({ value: Object(value) as object }),
    },
  } as const
  expectTypeOf(byHand).toExtend<Model['input']>()
  // The schemas of arktype are functions.
  const callable = Object.assign((value: unknown) => value, byHand)
  expectTypeOf(callable).toExtend<Model['input']>()
})

test('the input of a model can not be a schema of something else than an object', () => {
  expectTypeOf(v.string()).not.toExtend<Model['input']>()
  expectTypeOf(v.pipe(v.object({}), v.transform(String))).not.toExtend<Model['input']>()
  expectTypeOf(z.string()).not.toExtend<Model['input']>()
  expectTypeOf(z.object({}).transform(String)).not.toExtend<Model['input']>()
  expectTypeOf<(value: unknown) => object>().not.toExtend<Model['input']>()
})

test('a provider gets the validated input as JSON, whichever library its schema is from', () => {
  const models: Model[] = [
    { id: 'by-valibot', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) },
    { id: 'by-zod', outputKind: 'video', input: z.strictObject({ prompt: z.string() }) },
    // @ts-expect-error A text is no input.
    { id: 'by-mistake', outputKind: 'image', input: z.string() },
  ]
  const provider: Provider = {
    name: 'acme',
    models,
    async submit({ input }) {
      expectTypeOf(input).toEqualTypeOf<JsonObject>()
      return { state: 'running', handle: 'task-1' }
    },
    poll: async () => ({ state: 'running', handle: 'task-1' }),
  }
  expectTypeOf(provider.models).toEqualTypeOf<readonly Model[]>()
})

import {
  type Client,
  type ClientOptions,
  type CreateInput,
  type Job,
  type JobFailureCode,
  type JobPage,
  type Model,
  type ServiceErrorCode,
  type Upload,
  createClient,
} from '@genmount/client'
import type { ErrorCode, JobFailure } from '@genmount/core'
import { expectTypeOf, test } from 'vitest'
import type { jobObject } from '../../packages/v1-interface/src/wire/job-reply.ts'
import type { modelObject } from '../../packages/v1-interface/src/wire/model-object.ts'
import type { uploadObject } from '../../packages/v1-interface/src/wire/upload-object.ts'

declare const options: ClientOptions

/** What `genmount types` writes. */
interface Models {
  flux: { prompt: string; seed?: number }
  'acme/upscale': { image: string; factor: 2 | 4 }
}

type Sent = ReturnType<typeof jobObject>

test('the types of objects in @genmount/client are those that the service sends', () => {
  expectTypeOf<keyof Job>().toEqualTypeOf<keyof Sent>()
  expectTypeOf<Omit<Sent, 'object'>>().toExtend<Omit<Job, 'object'>>()
  expectTypeOf<Pick<Job, 'status' | 'error' | 'data' | 'timings' | 'urls' | 'started_at'>>().toExtend<
    Pick<Sent, 'status' | 'error' | 'timings' | 'urls' | 'started_at'>
  >()
  type SentModel = ReturnType<typeof modelObject>
  expectTypeOf<keyof Model>().toEqualTypeOf<keyof SentModel>()
  expectTypeOf<Omit<SentModel, 'object'>>().toExtend<Omit<Model, 'object'>>()
  expectTypeOf<keyof NonNullable<Model['price']>>().toEqualTypeOf<keyof NonNullable<SentModel['price']>>()
  type SentUpload = ReturnType<typeof uploadObject>
  expectTypeOf<Omit<Upload, 'object'>>().branded.toEqualTypeOf<Omit<Readonly<SentUpload>, 'object'>>()
})

test('the error codes of @genmount/client are those of the service', () => {
  expectTypeOf<ServiceErrorCode>().toEqualTypeOf<ErrorCode>()
  expectTypeOf<JobFailureCode>().toEqualTypeOf<JobFailure>()
})

test('a client with known models checks an input by its model', () => {
  const client = createClient<Models>(options)
  void client.generate({ model: 'flux', prompt: 'a kite', seed: 1, metadata: { for: 'a test' } })
  void client.create({ model: 'acme/upscale', image: 'https://example.org/kite.png', factor: 2 })
  // @ts-expect-error There is no such model.
  void client.generate({ model: 'fluxx', prompt: 'a kite' })
  // @ts-expect-error The prompt is missing.
  void client.generate({ model: 'flux' })
  // @ts-expect-error This is a field of the other model.
  void client.generate({ model: 'flux', prompt: 'a kite', factor: 2 })
  // @ts-expect-error There is no such factor.
  void client.create({ model: 'acme/upscale', image: 'https://example.org/kite.png', factor: 3 })
  // @ts-expect-error Metadata are texts.
  void client.create({ model: 'flux', prompt: 'a kite', metadata: { n: 1 } })
  // @ts-expect-error There is no such model.
  void client.model('fluxx')
  expectTypeOf<CreateInput<Models, 'flux'>['prompt']>().toEqualTypeOf<string>()
})

test('a client without known models takes every input', () => {
  const client = createClient(options)
  void client.generate({ model: 'any', whatever: [1] })
  // @ts-expect-error The model is missing.
  void client.generate({ prompt: 'a kite' })
  expectTypeOf(client.generate).returns.resolves.toEqualTypeOf<Job>()
  expectTypeOf(client.listPage).returns.resolves.toEqualTypeOf<JobPage>()
  expectTypeOf<Client<Models>>().not.toBeAny()
})

test('a client without known models takes an input that was built as a record', () => {
  const client = createClient(options)
  const fields: Record<string, unknown> = {}
  void client.generate({ ...fields, model: 'any' })
  const whole: { model: string; [field: string]: unknown } = { model: 'any' }
  void client.create(whole)
})

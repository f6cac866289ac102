import { fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { createGenerationService, type StoredServiceOptions } from './create-stored-service.ts'

test('a service of @genmount/core/service without a backend or files is a TypeError that names the option and the other import', () => {
  const providers = [fakeProvider()]
  const create = (stores: Partial<StoredServiceOptions>) => () =>
    createGenerationService({ providers, ...stores } as StoredServiceOptions)
  expect(create({})).toThrow(/^createGenerationService: backend is missing.*@genmount\/core,/)
  expect(create({ backend: memoryBackend() })).toThrow(/^createGenerationService: files is missing/)
})

import { test } from 'vitest'
import { expectModelsOfKey, vendorKeys } from './hosted-server.ts'

test.each(vendorKeys)(
  'the example hosted-providers with %s alone serves the models of that vendor',
  async (key) => {
    await expectModelsOfKey(key)
  },
)

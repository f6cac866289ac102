import { describe, test } from 'vitest'
import { testAllKeys } from './all-keys.ts'
import { expectModelsOfKey, vendorKeys } from './hosted-server.ts'
import { testWrongKeys } from './wrong-keys.ts'

test.each(vendorKeys)(
  'the example hosted-providers with %s alone serves the models of that vendor',
  async (key) => {
    await expectModelsOfKey(key)
  },
)

describe('the example standalone-node', () => testWrongKeys('standalone-node'))

testAllKeys('hosted-providers', [])

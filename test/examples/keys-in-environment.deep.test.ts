import { describe, test } from 'vitest'
import { testAllKeys } from './all-keys.ts'
import { expectModelsOfKey, vendorKeys } from './hosted-server.ts'
import { testWrongKeys } from './wrong-keys.ts'

// The jobs wait for their first polls.
test.concurrent.for(vendorKeys)(
  'the example hosted-providers with %s alone serves the models of that vendor',
  (key, { onTestFinished }) => expectModelsOfKey(key, onTestFinished),
)

describe('the example standalone-node', () => testWrongKeys('standalone-node'))

testAllKeys('hosted-providers', [])

import type { JsonObject } from '@genmount/core'
import { esrganProvider } from '@genmount/provider-esrgan'
import { providerSuite } from '@genmount/testing'
import { afterAll, test } from 'vitest'

/** Declares the tests of the suite for providers with one model. */
export function testModel(model: 'esrgan-x2' | 'esrgan-x4', input: JsonObject): void {
  // All cases share these, because each provider starts threads of its own, which load their code anew.
  const [provider, again] = [esrganProvider(), esrganProvider()]
  afterAll(() => Promise.all([provider.close?.(), again.close?.()]))
  const suite = providerSuite(() => ({ provider, reconnect: () => again }), [{ model, input }], {
    lacks: ['find', 'list', 'readCallback'],
  })
  for (const [name, run] of Object.entries(suite)) test(name, run)
}

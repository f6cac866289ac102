import type { JsonObject } from '@genmount/core'
import { esrganProvider } from '@genmount/provider-esrgan'
import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'

/** Declares the tests of the suite for providers with one model. */
export function testModel(model: 'esrgan-x2' | 'esrgan-x4', input: JsonObject): void {
  const suite = providerSuite(
    () => {
      const opened = [esrganProvider()]
      return {
        provider: opened[0]!,
        reconnect: () => {
          const again = esrganProvider()
          opened.push(again)
          return again
        },
        close: () => Promise.all(opened.map((provider) => provider.close?.())),
      }
    },
    [{ model, input }],
    { lacks: ['find', 'list', 'readCallback'] },
  )
  for (const [name, run] of Object.entries(suite)) test(name, run)
}

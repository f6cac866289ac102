import { esrganProvider } from '@genmount/provider-esrgan'
import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { drawing } from './drawing.ts'

const small = await drawing(24)
const large = await drawing(64)

const suite = providerSuite(() => {
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
}, [
  { model: 'esrgan-x2', input: { image: large.dataUri } },
  { model: 'esrgan-x4', input: { image: small.dataUri, format: 'webp' } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)

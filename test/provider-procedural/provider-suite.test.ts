import { proceduralProvider } from '@genmount/provider-procedural'
import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'

const suite = providerSuite(() => {
  const opened = [proceduralProvider()]
  return {
    provider: opened[0]!,
    reconnect: () => {
      const again = proceduralProvider()
      opened.push(again)
      return again
    },
    close: () => Promise.all(opened.map((provider) => provider.close?.())),
  }
}, [
  { model: 'procedural-image', input: { prompt: 'a mountain lake', resolution: '480p' } },
  { model: 'procedural-video', input: { prompt: 'the sea', resolution: '480p', duration: 1, fps: 12 } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)

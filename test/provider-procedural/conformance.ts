import { proceduralProvider } from '@genmount/provider-procedural'
import { providerSuite } from '@genmount/testing'

/** The cases of the provider suite for pictures and for films. */
export const conformance = providerSuite(
  () => {
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
  },
  [
    { model: 'procedural-image', input: { prompt: 'a mountain lake', resolution: '480p' } },
    { model: 'procedural-video', input: { prompt: 'the sea', resolution: '480p', duration: 1, fps: 12 } },
  ],
  { lacks: ['find', 'list', 'readCallback'] },
)

/** Whether `npm test` has the case: each about pictures, and one film that is rendered to its end. */
export const isBrief = (name: string) =>
  !name.startsWith('procedural-video') || name.includes('a sample ends in outputs')

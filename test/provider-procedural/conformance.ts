import { proceduralProvider } from '@genmount/provider-procedural'
import { providerSuite } from '@genmount/testing'
import { afterAll } from 'vitest'

const film = { resolution: '480p', aspect_ratio: '1:1', duration: 1, fps: 12 }

// All cases share these, because each provider starts threads of its own, which load their code anew.
const [provider, again] = [proceduralProvider(), proceduralProvider()]
afterAll(() => Promise.all([provider.close?.(), again.close?.()]))

/** The cases of the provider suite for pictures and for films. */
export const conformance = providerSuite(
  () => ({ provider, reconnect: () => again }),
  [
    { model: 'procedural-image', input: { prompt: 'a mountain lake', resolution: '480p' } },
    { model: 'procedural-video', input: { ...film, prompt: 'the sea' } },
  ],
  { lacks: ['find', 'list', 'readCallback'] },
)

/** Whether `npm test` has the case: each about pictures, and one film that is rendered to its end. */
export const isBrief = (name: string) =>
  !name.startsWith('procedural-video') || name.includes('a sample ends in outputs')

import { onTestFinished } from 'vitest'
import { createClient, type OutputFacts } from '@genmount/client'
import { createGenerationService, type FileStore, memoryFileStore, type ServicePlugin } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { outputFacts } from '@genmount/output-facts'
import { type FakeBehaviour, fakeProvider, quietLog } from '@genmount/testing'

interface FactsWorld {
  readonly behave: FakeBehaviour
  readonly files?: FileStore
  readonly plugins?: readonly ServicePlugin[]
}

/** A service whose outputs are these, with a client of each of two owners. */
export function factsWorld({ behave, files = memoryFileStore(), plugins = [outputFacts()] }: FactsWorld) {
  const provider = fakeProvider({ behave: () => behave })
  const log = quietLog()
  const service = createGenerationService({ providers: [provider], files, plugins, log })
  onTestFinished(async () => void (await service.close()))
  const handle = toFetchHandler(service, { authenticate: apiKeys({ alice: 'key-a', bob: 'key-b' }) })
  const clientOf = (apiKey: string) =>
    createClient({
      baseUrl: 'http://app.test',
      apiKey,
      fetch: async (input, init) => {
        const answer = await handle(new Request(input, init))
        const location = answer.headers.get('location')
        return answer.status === 302 && location ? handle(new Request(location)) : answer
      },
    })
  return { service, files, alice: clientOf('key-a'), bob: clientOf('key-b'), handle }
}

/** Lets a service make one job for each file. @returns the facts of its output, and the bytes that a client downloads */
export async function factsOfOutputs(
  files: readonly { readonly bytes: Uint8Array }[],
  plugins?: readonly ServicePlugin[],
): Promise<readonly { readonly facts: OutputFacts; readonly download: Uint8Array }[]> {
  const outputs = files.map(({ bytes }) => ({ bytes }))
  const { alice } = factsWorld({ behave: { outputs }, ...(plugins && { plugins }) })
  const job = await alice.generate({ model: 'fake-image', prompt: 'a fox' })
  const facts = await alice.outputs(job)
  return Promise.all(
    facts.map(async (of) => ({
      facts: of,
      download: new Uint8Array(await (await alice.download(job, of.n)).arrayBuffer()),
    })),
  )
}

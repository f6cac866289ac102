import { createClient } from '@genmount/client'
import { checkEqual, clientSuite, type ClientSubject, thrownBy } from './client-suite.ts'

/** Like a suite, for a server at which only this can be tried. */
const faultCases = {
  /** Downloads and the list of models are redirected to another origin. */
  async redirects({ baseUrl, key }: ClientSubject) {
    const client = createClient({ baseUrl, apiKey: key })
    checkEqual(await (await client.download('gen_1')).text(), 'the bytes of a file')
    checkEqual((await thrownBy(client.models())).code, 'unexpected_answer')
  },
  /** The first answers to a create are lost. */
  async losses({ baseUrl, key }: ClientSubject) {
    const client = createClient({ baseUrl, apiKey: key })
    const metadata = { mark: `${Math.random()}` }
    await client.generate({ model: 'fake-image', prompt: 'a kite', metadata })
    const { data } = await client.listPage({ metadata })
    checkEqual(
      data.map(({ status }) => status),
      ['completed'],
    )
  },
}

/** A server, and what it does wrong. */
export interface ClientServer extends ClientSubject {
  /** @default nothing, so that the whole suite runs there */
  readonly fault?: keyof typeof faultCases
}

/**
 * Runs the client's suite at these servers, beside each other. It runs wherever there is a fetch.
 * @param atOnce how many cases run at a time at one server
 * @returns a line for each case that has failed
 */
export async function runClient(servers: readonly ClientServer[], atOnce: number): Promise<string[]> {
  const failures: string[] = []
  const runAt = async ({ fault, ...subject }: ClientServer) => {
    const suite = fault ? { [fault]: () => faultCases[fault](subject) } : clientSuite(subject)
    const cases = Object.entries(suite).values()
    const work = async () => {
      for (const [name, run] of cases)
        await run().catch((error: Error) => {
          failures.push(`${subject.baseUrl}: ${name}: ${error.stack} ${String(error.cause ?? '')}`)
        })
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await Promise.all(servers.map(runAt))
  return failures
}

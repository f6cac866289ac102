import { createClient } from '@genmount/client'
import { clientSuite, type ClientSubject, thrownBy } from './client-suite.ts'

/** What a client is to do. It runs wherever there is a fetch. */
export interface ClientTask {
  /** The servers at which the suite runs, beside each other. */
  readonly suites: readonly ClientSubject[]
  /** How many cases run at a time at one server. */
  readonly atOnce: number
  /** A server that redirects downloads and the list of models to another origin. */
  readonly redirects?: ClientSubject | undefined
  /** A server that loses its first answers. */
  readonly lossy?: ClientSubject | undefined
}

export interface ClientReport {
  /** A line for each case of the suite that has failed. */
  readonly failures: readonly string[]
  /** The size of the file that was downloaded, and the code of the error of the list of models. */
  readonly redirected?: { readonly bytes: number; readonly code: string }
  /** The status of each job that exists after one create. */
  readonly survived?: readonly string[]
}

export async function runClient({ suites, atOnce, redirects, lossy }: ClientTask): Promise<ClientReport> {
  const failures: string[] = []
  const runSuite = async (subject: ClientSubject) => {
    const cases = Object.entries(clientSuite(subject)).values()
    const work = async () => {
      for (const [name, run] of cases)
        await run().catch((error: Error) => {
          failures.push(`${subject.baseUrl}: ${name}: ${error.stack} ${String(error.cause ?? '')}`)
        })
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await Promise.all(suites.map(runSuite))
  return {
    failures,
    ...(redirects && { redirected: await followRedirects(redirects) }),
    ...(lossy && { survived: await surviveLosses(lossy) }),
  }
}

const connect = ({ baseUrl, key }: ClientSubject) => createClient({ baseUrl, apiKey: key })

async function followRedirects(subject: ClientSubject) {
  const client = connect(subject)
  const bytes = (await (await client.download('gen_1')).arrayBuffer()).byteLength
  const { code } = await thrownBy(client.models())
  return { bytes, code }
}

async function surviveLosses(subject: ClientSubject) {
  const client = connect(subject)
  const metadata = { mark: `${Math.random()}` }
  await client.generate({ model: 'fake-image', prompt: 'a kite', metadata })
  const { data } = await client.listPage({ metadata })
  return data.map(({ status }) => status)
}

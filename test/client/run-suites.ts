import { createClient } from '@genmount/client'
import { thrownBy } from './check.ts'
import { clientSuite, type ClientSubject } from './client-suite.ts'

/**
 * Runs the suite at each server, the servers beside each other.
 * @param atOnce how many cases run at a time at one server
 * @returns a line for each case that fails
 */
export async function runSuites(subjects: readonly ClientSubject[], atOnce: number): Promise<string[]> {
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
  await Promise.all(subjects.map(runSuite))
  return failures
}

/**
 * Downloads a file that its server redirects to another origin, and lists models, which the server redirects there too.
 * @returns the size of the file, and the error of the list
 */
export async function followRedirects(subject: ClientSubject): Promise<{ bytes: number; code: string }> {
  const client = createClient({ baseUrl: subject.baseUrl, apiKey: subject.key })
  const bytes = (await (await client.download('gen_1')).arrayBuffer()).byteLength
  const { code } = await thrownBy(client.models())
  return { bytes, code }
}

/**
 * Creates a job at a server that loses its first answers.
 * @returns the status of each job that exists afterwards
 */
export async function surviveLosses(subject: ClientSubject): Promise<string[]> {
  const client = createClient({ baseUrl: subject.baseUrl, apiKey: subject.key })
  const metadata = { mark: `${Math.random()}` }
  await client.generate({ model: 'fake-image', prompt: 'a kite', metadata })
  const { data } = await client.listPage({ metadata })
  return data.map(({ status }) => status)
}

import { type AnyModels, type Client, GenmountError, type Job, type OutputFacts } from '@genmount/client'
import { useEffect, useState } from 'preact/hooks'

/** How long to wait for the facts of an output that is still being copied from its vendor, in milliseconds. */
const pauseMs = 5000
/** How many times to ask for them. */
const maxTries = 12

/** The clients of services that know no facts. They are not asked again. */
const withoutFacts = new WeakSet<Client<AnyModels>>()

/** The facts of the outputs of a job, once they are known. `undefined` for a service that knows none. */
export function useOutputFacts(client: Client<AnyModels>, job: Job): readonly OutputFacts[] | undefined {
  const [facts, setFacts] = useState<readonly OutputFacts[]>()
  const isOver = job.status === 'completed'
  useEffect(() => {
    setFacts(undefined)
    if (!isOver) return
    const controller = new AbortController()
    void askFor(client, job.id, controller.signal, setFacts)
    return () => controller.abort()
  }, [client, job.id, isOver])
  return facts
}

async function askFor(
  client: Client<AnyModels>,
  jobId: string,
  signal: AbortSignal,
  onFacts: (facts: readonly OutputFacts[]) => void,
): Promise<void> {
  for (let tries = 0; tries < maxTries && !signal.aborted && !withoutFacts.has(client); tries++)
    try {
      const facts = await client.outputs(jobId, { signal })
      onFacts(facts)
      if (facts.every(({ bytes }) => bytes !== null)) return
      await new Promise((resolve) => void setTimeout(resolve, pauseMs))
    } catch (error) {
      // The line of facts is left out. Whatever else is wrong shows at the output itself.
      if (error instanceof GenmountError && error.code === 'route_not_found') withoutFacts.add(client)
      return
    }
}

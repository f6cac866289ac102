import type { AnyModels, Client, Job, OutputFacts } from '@genmount/client'
import { useContext, useEffect, useState } from 'preact/hooks'
import { SettingsContext } from '../settings-context.ts'

/** How long to wait for the facts of an output that is still being copied from its vendor, in milliseconds. */
const pauseMs = 5000
/** How many times to ask for them. */
const maxTries = 12

/** The facts of the outputs of a job, once they are known. `undefined` for a service that knows none. */
export function useOutputFacts(client: Client<AnyModels>, job: Job): readonly OutputFacts[] | undefined {
  const { hasOutputFacts } = useContext(SettingsContext)
  const [facts, setFacts] = useState<readonly OutputFacts[]>()
  const isWanted = hasOutputFacts && job.status === 'completed'
  useEffect(() => {
    setFacts(undefined)
    if (!isWanted) return
    const controller = new AbortController()
    // The line of facts is left out after an error. What is wrong shows at the output itself.
    askFor(client, job.id, controller.signal, setFacts).catch(() => {})
    return () => controller.abort()
  }, [client, job.id, isWanted])
  return facts
}

async function askFor(
  client: Client<AnyModels>,
  jobId: string,
  signal: AbortSignal,
  onFacts: (facts: readonly OutputFacts[]) => void,
): Promise<void> {
  for (let tries = 0; tries < maxTries && !signal.aborted; tries++) {
    const facts = await client.outputs(jobId, { signal })
    onFacts(facts)
    if (facts.every(({ bytes }) => bytes !== null)) return
    await new Promise((resolve) => void setTimeout(resolve, pauseMs))
  }
}

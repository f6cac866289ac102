import type { AnyModels, Client, Model } from '@genmount/client'
import { useEffect, useState } from 'preact/hooks'
import type { Input } from './input-of.ts'
import { priceOf } from './price-of.ts'

/** Jobs that the form asks for, without their seeds, which no price depends on. */
interface PricedJobs {
  readonly model: Model
  readonly input: Input
  /** How many jobs there are with this input. */
  readonly count: number
}

/** How long the form must stay as it is before the service is asked, in milliseconds. */
const calmMs = 800

/**
 * About what these jobs cost together, in US dollars. The service is asked only where the prices that the models show do not
 * say it.
 * @returns `undefined` while that is not known
 */
export function useCost(client: Client<AnyModels>, jobs: readonly PricedJobs[]): number | undefined {
  const sum = sumOf(jobs, ({ model, input }) => priceOf(model, input))
  const isCalculated = sum === undefined && jobs.every(({ model }) => model.price !== null)
  const bodies = jobs.map(({ model: { id }, input }) => ({ ...input, model: id }))
  const question = isCalculated ? JSON.stringify(jobs.map(({ count }, n) => [count, bodies[n]])) : undefined
  const [answer, setAnswer] = useState<{ readonly question: string; readonly usd: number | undefined }>()

  useEffect(() => {
    if (question === undefined) return undefined
    const leave = new AbortController()
    const ask = async () => {
      const { signal } = leave
      const estimates = await Promise.all(bodies.map((body) => client.estimate(body, { signal })))
      setAnswer({ question, usd: sumOf(jobs, (_, n) => estimates[n]?.cost_usd ?? undefined) })
    }
    // A form that is not complete has no price.
    const timer = setTimeout(() => void ask().catch(() => {}), calmMs)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [client, question])

  return sum ?? (answer?.question === question ? answer?.usd : undefined)
}

function sumOf(
  jobs: readonly PricedJobs[],
  usdOf: (jobs: PricedJobs, n: number) => number | undefined,
): number | undefined {
  let sum = 0
  for (const [n, each] of jobs.entries()) sum += (usdOf(each, n) ?? NaN) * each.count
  return Number.isNaN(sum) ? undefined : sum
}

import type { AnyModels, Client, Model } from '@genmount/client'
import { useEffect, useState } from 'preact/hooks'
import type { Input } from './input-of.ts'
import { priceOf } from './price-of.ts'

/** A job that the form asks for, without a seed, which no price depends on. */
interface PricedJob {
  readonly model: Model
  readonly input: Input
}

/** How long the form must stay as it is before the service is asked, in milliseconds. */
const calmMs = 800

/**
 * About what these jobs cost together, in US dollars. The service is asked only where the prices that the models show do not
 * say it.
 * @returns `undefined` while that is not known
 */
export function useCost(client: Client<AnyModels>, jobs: readonly PricedJob[]): number | undefined {
  const shown = sumOf(jobs.map(({ model, input }) => priceOf(model, input)))
  const isCalculated = shown === undefined && jobs.every(({ model }) => model.price !== null)
  const bodies = jobs.map(({ model: { id }, input }) => ({ ...input, model: id }))
  const question = isCalculated ? JSON.stringify(bodies) : undefined
  const [answer, setAnswer] = useState<{ readonly question: string; readonly usd: number | undefined }>()

  useEffect(() => {
    if (question === undefined) return undefined
    const leave = new AbortController()
    const ask = async () => {
      const { signal } = leave
      const estimates = await Promise.all(bodies.map((body) => client.estimate(body, { signal })))
      setAnswer({ question, usd: sumOf(estimates.map(({ cost_usd: usd }) => usd ?? undefined)) })
    }
    // A form that is not complete has no price.
    const timer = setTimeout(() => void ask().catch(() => {}), calmMs)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [client, question])

  return shown ?? (answer?.question === question ? answer?.usd : undefined)
}

function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  return amounts.includes(undefined) ? undefined : amounts.reduce<number>((sum, usd) => sum + (usd ?? 0), 0)
}

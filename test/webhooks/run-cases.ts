import { printVerdicts } from '../print-verdicts.ts'
import { webhookCases } from './webhook-cases.ts'

// Beside each other, because most of them wait for the pauses between the attempts of a delivery.
const verdicts = Object.entries(webhookCases).map(([name, runCase]) => {
  const verdict = runCase()
  verdict.catch(() => {})
  return [name, () => verdict] as const
})
await printVerdicts(Object.fromEntries(verdicts))

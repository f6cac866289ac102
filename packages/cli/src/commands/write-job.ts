import type { Job, OutputFacts } from '@genmount/client'
import { factWords } from '@genmount/client/fact-words'
import type { Printer } from '../terminal/printer.ts'

/**
 * Writes what a person wants to know about a job.
 * @param outputs the facts of its outputs. `undefined` when the server knows none
 */
export function writeJob(stdout: Printer, job: Job, outputs: readonly OutputFacts[] = []): void {
  const facts: readonly (readonly [string, string | null])[] = [
    ['job', job.id],
    ['status', job.status],
    ['model', job.model],
    ['error', job.error],
    ['input', JSON.stringify(job.input)],
    ['created', job.created_at],
    ['finished', job.completed_at],
    ['expires', job.expires_at],
    ['cost', job.status === 'processing' ? null : `$${job.cost_usd}`],
    ...job.data.flatMap(({ url }, n) => [['output', url], ...factsOf(outputs[n])] as const),
  ]
  for (const [name, value] of facts) if (value !== null) stdout.line(`${`${name}:`.padEnd(10)}${value}`)
}

function factsOf(output: OutputFacts | undefined): readonly (readonly [string, string | null])[] {
  return output
    ? [
        ['facts', factWords(output) || null],
        ['sha256', output.sha256],
      ]
    : []
}

import type { Job } from '@genmount/client'
import type { Printer } from '../terminal/printer.ts'

/** Writes what a person wants to know about a job. */
export function writeJob(stdout: Printer, job: Job): void {
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
    ...job.data.map(({ url }) => ['output', url] as const),
  ]
  for (const [name, value] of facts) if (value !== null) stdout.line(`${`${name}:`.padEnd(10)}${value}`)
}

import type { Job, JobStatus } from '@genmount/client'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { writeTable } from '../terminal/table.ts'

/** The options of `jobs`. */
export interface JobsOptions extends ConnectionOptions {
  readonly limit: number
  readonly status?: JobStatus
  readonly model?: string
}

/** Lists the newest jobs. */
export async function jobs(session: Session, options: JobsOptions): Promise<void> {
  const { signal, stdout } = session
  const { limit, status, model } = options
  const client = connect(session, options)
  const listed: Job[] = []
  if (limit > 0)
    for await (const job of client.list({ limit: Math.min(limit, 100), status, model }, { signal })) {
      listed.push(job)
      if (listed.length === limit) break
    }
  if (options.json) {
    stdout.json(listed, 2)
    return
  }
  if (listed.length === 0 && stdout.isTerminal) stdout.line('There are no such jobs.')
  const rows = listed.map((job) => [
    job.id,
    job.status,
    job.model ?? '',
    job.created_at ?? '',
    `$${job.cost_usd}`,
    job.error ?? promptOf(job),
  ])
  if (rows.length > 0)
    writeTable(stdout, ['JOB', 'STATUS', 'MODEL', 'CREATED', 'COST', 'PROMPT OR ERROR'], rows)
}

function promptOf({ input }: Job): string {
  const prompt = input?.['prompt']
  return typeof prompt === 'string' ? prompt : ''
}

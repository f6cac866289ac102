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

/** The units of an age, each with its length in seconds. */
const units = [
  ['s', 0],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
] as const

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
    stdout.isTerminal ? ageOf(job) : (job.created_at ?? ''),
    `$${job.cost_usd}`,
    job.error ?? promptOf(job),
  ])
  if (rows.length > 0)
    writeTable(stdout, ['JOB', 'STATUS', 'MODEL', 'AGE', 'COST', 'PROMPT OR ERROR'], rows, ['MODEL', 'COST'])
}

/** How long ago the job was created, in the largest unit, such as `5 min`. Empty if the server sends no time. */
function ageOf({ created_at: createdAt }: Job): string {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(createdAt)) / 1000))
  const [unit, length] = units.findLast(([, least]) => seconds >= least) ?? []
  return unit === undefined || length === undefined
    ? ''
    : `${Math.floor(seconds / Math.max(1, length))} ${unit}`
}

function promptOf({ input }: Job): string {
  const prompt = input?.['prompt']
  return typeof prompt === 'string' ? prompt : ''
}

import { styleText } from 'node:util'
import { explain } from './explain.ts'
import { exitCodes } from './exit-codes.ts'
import type { Session } from './session.ts'

/** Tells the user what is wrong and what to do, as JSON if the session asks for JSON. @returns the exit code */
export function reportError(error: unknown, session: Session): number {
  const { code, message, advice, exitCode, error: genmountError } = explain(error, session)
  const { stderr, job, isJson } = session
  const lines = [message, advice, aboutJob(session, exitCode)].filter((line) => line !== undefined)
  if (isJson) {
    const report = {
      code,
      message: lines.join(' '),
      status: genmountError?.status,
      param: genmountError?.param,
      request_id: genmountError?.requestId,
      job_id: job?.id,
    }
    stderr.json({ error: report })
  } else {
    const { stream } = stderr
    if (exitCode !== exitCodes.interrupted) stream.write(`${styleText('red', 'Error:', { stream })} `)
    for (const line of lines) stderr.line(line)
  }
  return exitCode
}

/** Says what is known about the job, and which command shows or fetches it. */
function aboutJob({ job, isCreating, typed = '' }: Session, exitCode: number): string | undefined {
  if (job === undefined)
    return isCreating && exitCode !== exitCodes.refused && exitCode !== exitCodes.key
      ? `The server may have the job all the same: look with "genmount jobs${typed}".`
      : undefined
  if (job.status === 'failed') return undefined
  if (job.status === 'completed')
    return `The job ${job.id} has completed. Get it with: genmount get ${job.id}${typed} -o FILE`
  return `The job ${job.id} goes on. Get it with: genmount get ${job.id}${typed} --wait -o FILE; end it with: genmount cancel ${job.id}${typed}`
}

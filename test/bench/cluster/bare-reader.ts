import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Job } from '@genmount/core'
import type pg from 'pg'
import { jobObject, ownerOf, refusal, send, usualHeaders } from '../http/servers/hand-written.ts'

/**
 * The least that answers GET of a job from Postgres on node:http: one prepared SELECT by the primary key, whose row is
 * parsed, and is shown as the job object of the interface.
 */
export function bareReader(pool: pg.Pool) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const owner = ownerOf(request.headers.authorization)
    if (owner === undefined) return send(response, refusal(401, 'invalid_api_key'))
    const id = request.url?.split('/').at(-1) ?? ''
    const { rows } = await pool.query({
      name: 'read',
      text: 'SELECT job FROM genmount.jobs WHERE id = $1 AND owner = $2',
      values: [id, owner],
    })
    const job = rows.length === 0 ? undefined : (JSON.parse(rows[0].job) as Job)
    if (!job || job.expiresAt <= Date.now()) return send(response, refusal(404, 'job_not_found'))
    const { phase, error: _, ...rest } = job
    const status = phase === 'completed' || phase === 'failed' ? phase : 'processing'
    const shown = { ...rest, costUsd: job.costUsd ?? 0, inferenceMs: job.inferenceMs ?? 0, status } as const
    const value = jobObject(shown as never, `http://${request.headers.host}`)
    send(response, { status: 200, headers: usualHeaders(), value })
  }
}

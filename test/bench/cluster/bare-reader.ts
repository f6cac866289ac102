import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Job } from '@genmount/core'
import type pg from 'pg'
import { jobObject, newRequestId, ownerOf } from '../http/servers/hand-written.ts'

/**
 * The least that answers GET of a job from Postgres on node:http: one prepared SELECT by the primary key, whose row is
 * parsed, and is shown as the job object of the interface.
 */
export function bareReader(pool: pg.Pool) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const owner = ownerOf(request.headers.authorization)
    if (owner === undefined) return void response.writeHead(401).end()
    const id = request.url?.split('/').at(-1) ?? ''
    const { rows } = await pool.query({
      name: 'read',
      text: 'SELECT job FROM genmount.jobs WHERE id = $1 AND owner = $2',
      values: [id, owner],
    })
    if (rows.length === 0) return void response.writeHead(404).end()
    const job = JSON.parse(rows[0].job) as Job
    if (job.expiresAt <= Date.now()) return void response.writeHead(404).end()
    const { phase, error: _, ...rest } = job
    const status = phase === 'completed' || phase === 'failed' ? phase : 'processing'
    const shown = { ...rest, costUsd: job.costUsd ?? 0, inferenceMs: job.inferenceMs ?? 0, status } as const
    const body = JSON.stringify(jobObject(shown as never, `http://${request.headers.host}`))
    const headers = {
      'content-type': 'application/json',
      'x-request-id': newRequestId(),
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    }
    response.writeHead(200, headers).end(body)
  }
}

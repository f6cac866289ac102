import { sha256Hex } from '@genmount/core'
import { isTaskId, numberIn, recordOf, type VendorClient } from '@genmount/provider-kit'
import type { Workflow } from '../workflow/workflow.ts'

/** A job that was found; `unseen` when it is not in the list, or not yet; `unlisted` when the server lists no jobs. */
export type OwnJob = { readonly job: string } | 'unseen' | 'unlisted'

/** How far the clocks of Comfy and of this service may differ, in milliseconds. */
const slackMs = 120_000
const pageLength = 100
/** What deployments and proxies answer, which have no such list. */
const unlistedStatuses: readonly number[] = [404, 405, 501]
/** The most jobs of the account whose workflows are read to find one. */
const mostLooks = 200

/**
 * The mark of a task, which goes with its workflow. It reveals nothing of the token.
 * @param clientToken the token of the task
 */
export async function markOf(clientToken: string): Promise<string> {
  const bytes = new TextEncoder().encode(`genmount ${clientToken}`)
  return (await sha256Hex(bytes)).slice(0, 32)
}

/** The workflow with the mark of a task in the notes of its first node, which ComfyUI does not read. */
export function markedWorkflow(workflow: Workflow, mark: string): object {
  const [first, ...others] = Object.entries(workflow)
  if (!first) return workflow
  const [id, node] = first
  const notes = recordOf(recordOf(node)['_meta'])
  return { [id]: { ...node, _meta: { ...notes, genmount: mark } }, ...Object.fromEntries(others) }
}

/**
 * Looks for the job of a task among the newest jobs of the account, by the mark in its workflow. Comfy Cloud lists jobs
 * (`GET /api/jobs`, openapi-cloud.yaml) and gives their workflows out (`GET /api/v2/jobs/{id}/workflow`).
 * @param submittedAt when the submit began, in milliseconds since the Unix epoch. @default not known
 * @throws Error when the list can't be read at present
 */
export async function ownJob(
  ask: VendorClient['ask'],
  { mark, submittedAt = 0, signal }: { mark: string; submittedAt: number | undefined; signal: AbortSignal },
): Promise<OwnJob> {
  let looks = 0
  for (let offset = 0; looks < mostLooks; offset += pageLength) {
    const query = new URLSearchParams({ sort_by: 'create_time', offset: `${offset}`, limit: `${pageLength}` })
    const answer = await ask({
      method: 'GET',
      path: `/api/jobs?${query}`,
      signal,
      maxBytes: 16 * 1024 * 1024,
    })
    if (unlistedStatuses.includes(answer.status)) return 'unlisted'
    const { jobs } = recordOf(answer.ok ? answer.json : undefined)
    if (!Array.isArray(jobs))
      throw new Error(`Comfy answered with status ${answer.status} in place of its list of jobs.`)
    const ids = jobs.map(recordOf).flatMap(({ id, create_time: createdAt }) => {
      const seconds = numberIn(createdAt)
      const isNew = seconds === undefined || seconds * 1000 >= submittedAt - slackMs
      return isNew && isTaskId(id) ? [id] : []
    })
    for (const id of ids.slice(0, mostLooks - looks)) {
      looks++
      if (await isMarked(ask, id, mark, signal)) return { job: id }
    }
    if (ids.length < pageLength) return 'unseen'
  }
  return 'unseen'
}

async function isMarked(
  ask: VendorClient['ask'],
  id: string,
  mark: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await ask({
    method: 'GET',
    path: `/api/v2/jobs/${id}/workflow`,
    signal,
    maxBytes: 16 * 1024 * 1024,
    maxValues: 500_000,
  })
  const { workflow } = recordOf(answer.ok ? answer.json : undefined)
  return Object.values(recordOf(workflow)).some(
    (node) => recordOf(recordOf(node)['_meta'])['genmount'] === mark,
  )
}

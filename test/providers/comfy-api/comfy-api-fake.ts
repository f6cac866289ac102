import { randomUUID } from 'node:crypto'
import type { Workflow } from '@genmount/provider-comfyui'
import { fakeFile } from '@genmount/testing'
import * as v from 'valibot'
import { faultIn } from '../body-schemas.ts'
import { rejectionOf } from '../comfyui/comfyui-shapes.ts'
import { comfyApiStreams } from './comfy-api-streams.ts'
import { type Charge, type VendorReply, type VendorRequest, vendorServer } from '../vendor-server.ts'

/*
 * The Comfy API v2 on loopback, by openapi-v2.yaml of Comfy-Org/docs (2.0.0) at 058ac16, and the list of jobs of Comfy Cloud by
 * openapi-cloud.yaml at ffb27fc (2026-08-21), both read on 2026-11-27. It refuses what the specification does not name.
 */

export const token = 'comfyui-cloud-test-5f0c1d2e3b4a6978'

const node = v.looseObject({
  class_type: v.string(),
  inputs: v.record(v.string(), v.unknown()),
  _meta: v.optional(v.record(v.string(), v.unknown())),
})
const jobBody = v.strictObject({
  workflow: v.record(v.string(), node),
  extra_data: v.optional(v.strictObject({ api_key_comfy_org: v.optional(v.string()) })),
})
const assetForm = v.strictObject({
  file: v.instance(File),
  content_type: v.string(),
  file_path: v.string(),
  expected_hash: v.optional(v.string()),
  tags: v.optional(v.string()),
  expires_in: v.optional(v.pipe(v.string(), v.transform(Number), v.minValue(60), v.maxValue(604_800))),
})

type Status = 'queued' | 'running' | 'succeeded' | 'canceling' | 'canceled' | 'failed' | 'expired'

export interface Job extends Charge {
  readonly id: string
  readonly key: string
  readonly workflow: Workflow
  readonly createdAt: number
  pollsLeft: number
  status: Status
  error: object | null
  outputs: readonly object[]
}

interface FakeOptions {
  /** How many polls find a job unfinished. @default 2 */
  readonly polls?: number
  /** Whether the server lists jobs, as only Comfy Cloud does. @default true */
  readonly listsJobs?: boolean
  /** Whether outputs are at the API, as behind a proxy of one's own, or at signed links elsewhere. @default false */
  readonly servesFiles?: boolean
  /** The key that the server accepts. @default token */
  readonly key?: string
}

export async function comfyApiFake({
  polls = 2,
  listsJobs = true,
  servesFiles = false,
  key: ownKey = token,
}: FakeOptions = {}) {
  const ledger: Job[] = []
  const jobs = new Map<string, Job>()
  const keys = new Set<string>()
  const assets = new Map<string, { readonly bytes: Uint8Array; readonly type: string }>()
  const streams = comfyApiStreams()

  const server = await vendorServer(async (request) => {
    const { method, url, headers } = request
    const isOlder = url.pathname === '/api/jobs'
    const isIn = isOlder ? headers['x-api-key'] === ownKey : headers['authorization'] === `Bearer ${ownKey}`
    if (!isIn) return error(401, 'unauthorized', 'Missing or invalid credentials.')
    const route = `${method} ${url.pathname}`
    if (route === 'GET /api/jobs') return listsJobs ? listed(url) : { status: 404, body: '404: Not Found' }
    if (route === 'POST /api/v2/assets') return upload(await request.form())
    if (route === 'POST /api/v2/jobs') return submit(request)
    const [, asset] = /^\/api\/v2\/assets\/([^/]+)\/content$/.exec(url.pathname) ?? []
    if (asset !== undefined) return contentOf(asset)
    const [, id = '', action] =
      /^\/api\/v2\/jobs\/([^/]+)(?:\/(cancel|events|workflow))?$/.exec(url.pathname) ?? []
    const job = jobs.get(id)
    if (!job) return error(404, 'not_found', 'There is no such job.')
    if (method === 'GET' && action === 'workflow') return { json: { workflow: job.workflow, format: 'api' } }
    if (method === 'GET' && action === 'events') return streams.open(shown(job))
    const isCancel = method === 'POST' && action === 'cancel'
    if (!isCancel && (method !== 'GET' || action)) return error(405, 'not_found', 'Method not allowed.')
    const { status } = job
    if (isCancel) cancel(job)
    else advance(job, `http://${headers['host']}`)
    if (job.status !== status) streams.changed(shown(job))
    return { json: shown(job) }
  })

  async function upload(form: FormData): Promise<VendorReply> {
    const fault = faultIn(assetForm, Object.fromEntries(form))
    if (fault !== undefined) return error(422, 'invalid_request', `Invalid ${fault}.`)
    const file = form.get('file') as File
    const id = randomUUID()
    assets.set(id, { bytes: new Uint8Array(await file.arrayBuffer()), type: file.type })
    return {
      status: 201,
      json: {
        id,
        hash: null,
        size_bytes: file.size,
        content_type: form.get('content_type'),
        created_new: true,
        created_at: new Date().toISOString(),
        url: `https://storage.googleapis.com/comfy-test/${id}`,
        url_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      },
    }
  }

  function submit(request: VendorRequest): VendorReply {
    const key = request.headers['idempotency-key'] ?? ''
    if (keys.has(key)) return error(422, 'idempotency_key_reuse', 'This Idempotency-Key was used before.')
    const body = request.json()
    const fault = faultIn(jobBody, body)
    if (fault !== undefined) return error(422, 'invalid_workflow', `Invalid ${fault}.`)
    const workflow = body['workflow'] as Workflow
    const missing = Object.values(workflow).some(({ inputs }) => Object.values(inputs).some(isMissing))
    if (missing) return error(422, 'missing_asset', 'An asset of the workflow does not exist.')
    const rejection = rejectionOf(workflow, { has: (name: unknown) => typeof name === 'string' } as never)
    if (rejection)
      return {
        status: 422,
        json: {
          error: {
            code: 'invalid_workflow',
            message: 'The workflow is not valid.',
            details: {
              node_errors: Object.fromEntries(
                Object.entries(rejection.node_errors).map(([id, { errors }]) => [
                  id,
                  errors.map((one: { details: string; message: string }) => ({
                    field: one.details,
                    reason: one.message,
                  })),
                ]),
              ),
            },
          },
        },
      }
    keys.add(key)
    const job: Job = {
      id: randomUUID(),
      key,
      path: '/api/v2/jobs',
      body,
      workflow,
      createdAt: Date.now(),
      pollsLeft: polls,
      status: 'queued',
      error: null,
      outputs: [],
    }
    ledger.push(job)
    jobs.set(job.id, job)
    return { status: 201, json: shown(job) }
  }

  function isMissing(value: unknown): boolean {
    const { __type: type, info } = { ...(value as { __type?: string; info?: { id?: string } }) }
    return type === 'core/ASSET' && !assets.has(info?.id ?? '')
  }

  function contentOf(id: string): VendorReply {
    const asset = assets.get(id)
    if (!asset) return error(404, 'not_found', 'There is no such asset.')
    if (servesFiles) return { headers: { 'content-type': 'application/octet-stream' }, body: asset.bytes }
    return { status: 302, headers: { location: `https://storage.googleapis.com/comfy-test/${id}` } }
  }

  function listed({ searchParams }: URL): VendorReply {
    const offset = Number(searchParams.get('offset') ?? 0)
    const limit = Number(searchParams.get('limit') ?? 100)
    const newest = [...jobs.values()].toReversed()
    return {
      json: {
        jobs: newest.slice(offset, offset + limit).map(({ id, createdAt }) => ({
          id,
          status: 'pending',
          create_time: Math.floor(createdAt / 1000),
        })),
        pagination: { offset, limit, total: newest.length, has_more: offset + limit < newest.length },
      },
    }
  }

  function advance(job: Job, origin: string): void {
    if (job.status === 'canceling') job.status = 'canceled'
    if (job.status !== 'queued' && job.status !== 'running') return
    if (job.pollsLeft-- > 0) job.status = 'running'
    else if (JSON.stringify(job.workflow).includes('refused')) {
      job.status = 'failed'
      job.error = {
        code: 'node_execution_error',
        message: 'Your request was blocked by our moderation system.',
        node_id: '3',
        class_type: 'KSampler',
        traceback: 'secret of the server',
      }
    } else {
      job.status = 'succeeded'
      job.outputs = outputsOf(job, origin)
    }
  }

  function outputsOf({ workflow }: Job, origin: string): readonly object[] {
    const isVideo = workflow['9']?.class_type === 'SaveVideo'
    const count = isVideo ? 1 : Number(workflow['5']?.inputs['batch_size'] ?? 1)
    const files = Array.from({ length: count }, (_none, index) =>
      output('9', isVideo ? 'video' : 'image', index),
    )
    return [...files, output('12', 'text', 0)]

    function output(nodeId: string, type: 'image' | 'video' | 'text', index: number): object {
      const id = randomUUID()
      const file = fakeFile(type === 'video' ? 'video' : 'image', index)
      assets.set(id, { bytes: file.bytes, type: file.contentType })
      const name = `ComfyUI_${index}.${type === 'video' ? 'mp4' : type === 'text' ? 'txt' : 'png'}`
      return {
        node_id: nodeId,
        name,
        type,
        content_type: type === 'text' ? 'text/plain' : file.contentType,
        size_bytes: file.bytes.byteLength,
        id,
        hash: null,
        url: servesFiles
          ? `${origin}/api/v2/assets/${id}/content`
          : `https://storage.googleapis.com/comfy-test/${id}-${name}?signature=1`,
        url_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      }
    }
  }

  return {
    ...server,
    ledger,
    jobs,
    assets,
    streams,
    last: () => ledger.at(-1)!,
    forget: () => jobs.clear(),
  }
}

export function error(status: number, code: string, message: string): VendorReply {
  return { status, json: { error: { code, message } } }
}

function cancel(job: Job): void {
  if (job.status === 'queued') job.status = 'canceled'
  else if (job.status === 'running') job.status = 'canceling'
}

function shown({ id, status, createdAt, pollsLeft, error: fault, outputs }: Job) {
  const isBegun = status !== 'queued'
  const isOver = ['succeeded', 'canceled', 'failed', 'expired'].includes(status)
  const at = (ms: number) => new Date(createdAt + ms).toISOString()
  const value = Math.max(0, 1 - pollsLeft / 4)
  return {
    id,
    status,
    created_at: at(0),
    started_at: isBegun ? at(1000) : null,
    completed_at: isOver ? at(9000) : null,
    expires_at: at(86_400_000),
    queue_position: isBegun ? null : 2,
    progress: isBegun ? { value, nodes_done: 1, nodes_total: 4, current_node: '3' } : null,
    outputs,
    error: fault,
    metrics: { queue_ms: 1000, execution_ms: isOver ? 8000 : null },
    urls: {
      self: `/api/v2/jobs/${id}`,
      events: `/api/v2/jobs/${id}/events`,
      cancel: `/api/v2/jobs/${id}/cancel`,
    },
  }
}

import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Model, Output, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { readSignedCallback } from './callback-sender.ts'
import type { TaskOrder, TaskState, TaskWish, VendorKind } from './task-wish.ts'

export interface VendorAccess {
  readonly address: string
  readonly secret: string
}

/**
 * A provider for the vendor with one model, named after the kind. The kind says what it can learn about a
 * lost submit.
 */
export function vendorProvider(kind: VendorKind, { address, secret }: VendorAccess): Provider {
  const authorization = `Bearer ${secret}`

  async function ask(
    path: string,
    signal: AbortSignal,
    init: RequestInit = {},
  ): Promise<TaskState | undefined> {
    const headers = { authorization, ...init.headers }
    const response = await fetch(`${address}${path}`, { ...init, headers, signal })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`The vendor answered ${response.status}.`)
    return (await response.json()) as TaskState
  }

  async function find({ clientToken }: ProviderTask, { signal }: { signal: AbortSignal }) {
    const task = await ask(`/tasks?client_token=${clientToken}`, signal)
    return task && reportOf(task)
  }

  return {
    name: `vendor-${kind}`,
    models: [modelOf(kind)],
    dedupesSubmits: kind === 'dedupe',
    ...(kind === 'find' && { find }),
    ...(kind === 'callback' && { readCallback: async (request) => readSignedCallback(secret, request) }),

    async submit({ jobId, clientToken, input }, { signal, callbackUrl }) {
      const order: TaskOrder = {
        job_id: jobId,
        client_token: clientToken,
        kind,
        wish: input as TaskWish,
        callback_url: callbackUrl,
        pid: process.pid,
      }
      await delay(order.wish.prepare_ms ?? 0, undefined, { signal })
      const headers: HeadersInit = kind === 'dedupe' ? { 'idempotency-key': clientToken } : {}
      return reportOf(await ask('/tasks', signal, { method: 'POST', body: JSON.stringify(order), headers }))
    },

    async poll({ handle }, { signal }) {
      return reportOf(await ask(`/tasks/${String(handle)}`, signal))
    },

    async cancel({ handle }, { signal }) {
      await ask(`/tasks/${String(handle)}`, signal, { method: 'DELETE' })
    },
  }
}

function modelOf(kind: VendorKind): Model {
  const validate = (value: unknown) => ({ value: value as object })
  return {
    id: kind,
    outputKind: 'image',
    input: { '~standard': { version: 1, vendor: 'crashes', validate } },
  }
}

function reportOf(task: TaskState | undefined): ProviderReport {
  if (!task) return { state: 'failed', code: 'provider_lost', message: 'The vendor knows no such task.' }
  const { id, state, cost_usd: costUsd } = task
  switch (state) {
    case 'running':
      return { state, handle: id, pollAfterMs: task.poll_after_ms }
    case 'failed':
      return { state, code: 'provider_failed', message: 'The vendor failed.', costUsd }
    case 'succeeded':
      return { state, outputs: task.outputs.map(outputOf), costUsd }
  }
}

function outputOf({ url, base64 }: TaskState['outputs'][number]): Output {
  return url === undefined ? { bytes: Buffer.from(base64 ?? '', 'base64') } : { url }
}

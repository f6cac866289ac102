import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Model, Output, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { readSignedCallback } from './callback-sender.ts'
import type { Account, TaskOrder, TaskState, TaskWish, VendorKind } from './task-wish.ts'

export interface VendorAccess {
  readonly address: string
  readonly secret: string
  /** The secret that signs callbacks. */
  readonly callbackSecret: string
}

/**
 * A provider for the vendor with one model, named after the kind. The kind says what it can learn about a
 * lost submit.
 * @param account the account at the vendor, which is part of the provider's name unless it is `main`
 * @param model the id of its model. @default the kind
 */
export function vendorProvider(
  kind: VendorKind,
  { address, secret, callbackSecret }: VendorAccess,
  account: Account = 'main',
  model: string = kind,
): Provider {
  const authorization = `Bearer ${secret}`

  async function ask(
    path: string,
    signal: AbortSignal,
    init: RequestInit = {},
  ): Promise<TaskState | undefined> {
    const headers = { authorization, account, ...init.headers }
    const response = await fetch(`${address}${path}`, { ...init, headers, signal })
    if (response.status === 404) return undefined
    if (!response.ok) throw new VendorFault(response.status)
    return (await response.json()) as TaskState
  }

  async function find({ clientToken }: ProviderTask, { signal }: { signal: AbortSignal }) {
    const task = await ask(`/tasks?client_token=${clientToken}`, signal)
    return task && reportOf(task)
  }

  return {
    name: account === 'main' ? `vendor-${kind}` : `vendor-${kind}-${account}`,
    models: [modelOf(model)],
    dedupesSubmits: kind === 'dedupe',
    ...(kind === 'find' && { find }),
    ...(kind === 'callback' && {
      readCallback: async (request) => readSignedCallback(callbackSecret, request),
    }),

    async submit({ jobId, clientToken, input }, { signal, callbackUrl }) {
      const order: TaskOrder = {
        job_id: jobId,
        client_token: clientToken,
        kind,
        account,
        wish: input as TaskWish,
        callback_url: callbackUrl,
        pid: process.pid,
      }
      await delay(order.wish.prepare_ms ?? 0, undefined, { signal })
      const headers: HeadersInit = kind === 'dedupe' ? { 'idempotency-key': clientToken } : {}
      const body = JSON.stringify(order)
      try {
        return reportOf(await ask('/tasks', signal, { method: 'POST', body, headers }))
      } catch (error) {
        if (!(error instanceof VendorFault && error.status === 401)) throw error
        return { state: 'refused', message: 'The vendor does not accept the key.' }
      }
    },

    async poll({ handle }, { signal }) {
      return reportOf(await ask(`/tasks/${String(handle)}`, signal))
    },

    async cancel({ handle }, { signal }) {
      await ask(`/tasks/${String(handle)}`, signal, { method: 'DELETE' })
    },
  }
}

/** An unsuccessful answer of the vendor. */
class VendorFault extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The vendor answered ${status}.`)
    this.status = status
  }
}

function modelOf(id: string): Model {
  const validate = (value: unknown) => ({ value: value as object })
  return {
    id,
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

import { setTimeout as delay } from 'node:timers/promises'
import { receiverUrl } from '../receiver/receiver.ts'
import { uploadedPicture } from '../vendor/uploaded-picture.ts'
import type { Campaign } from './campaign.ts'
import type { StartedServer } from './started-server.ts'
import type { JobObject, Order } from './witness.ts'

/**
 * Creates a job.
 * @returns the job, or `undefined` when the server died or could not answer, so that the client does not know
 * whether there is a job
 */
export async function createJob(
  { keys, witness }: Campaign,
  address: string,
  order: Order,
  { wait = false } = {},
): Promise<JobObject | undefined> {
  const { owner, model, wish, idempotencyKey, isTold } = order
  witness.order(order)
  const reply = await talk(`${address}/v1/generate?wait=${wait}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys[owner]}`,
      'content-type': 'application/json',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ model, ...wish, ...(isTold && { webhook_url: receiverUrl }) }),
  })
  if (!reply || passing.has(reply.status)) return undefined
  if (reply.status !== 202 && reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
  const job = witness.see(reply.text)
  witness.acknowledge(job.id, owner)
  return job
}

/**
 * Creates a job with an idempotency key, and tries again until the service has answered with the job. On a busy machine,
 * a store may need more time for a job than a create gives it. The server must not be one that dies.
 */
export async function createKeyedJob(campaign: Campaign, address: string, order: Order): Promise<JobObject> {
  const keyed = { idempotencyKey: order.wish.prompt, ...order }
  for (;;) {
    const job = await createJob(campaign, address, keyed)
    if (job) return job
    await delay(100)
  }
}

/**
 * Creates a job on a server that may die of it. While the server lives, a client that is refused tries again.
 * @returns the job, or `undefined` when the server has died before its answer
 */
export async function createJobOn(
  campaign: Campaign,
  server: StartedServer,
  order: Order,
): Promise<JobObject | undefined> {
  const address = await server.address
  for (;;) {
    const job = await createJob(campaign, address, order)
    if (job || server.hasEnded) return job
    await Promise.race([server.ended, delay(100)])
  }
}

/** Uploads the picture for a prompt. @returns its URL; `undefined` when the server died or could not answer */
export async function uploadPicture(
  { keys }: Campaign,
  address: string,
  { owner, wish }: Order,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${keys[owner]}`, 'content-type': 'image/png' }
  const body = uploadedPicture(wish.prompt)
  const reply = await talk(`${address}/v1/uploads`, { method: 'POST', headers, body })
  if (!reply || passing.has(reply.status)) return undefined
  if (reply.status !== 201) throw new Error(`${reply.status}: ${reply.text}`)
  return (JSON.parse(reply.text) as { readonly url: string }).url
}

/** Reads a job. @returns `undefined` when the server died, could not answer, or does not know the job */
export async function readJob(
  { keys, witness }: Campaign,
  address: string,
  id: string,
  owner: string,
): Promise<JobObject | undefined> {
  const reply = await talk(`${address}/v1/jobs/${id}`, {
    headers: { authorization: `Bearer ${keys[owner]}` },
  })
  if (!reply || passing.has(reply.status)) return undefined
  if (reply.status === 200) return witness.see(reply.text)
  if (reply.status !== 404) throw new Error(`Job ${id}: ${reply.status}: ${reply.text}`)
  witness.miss(id)
  return undefined
}

/** Asks to cancel a job. @returns whether the service has answered */
export async function cancelJob(
  { keys, witness }: Campaign,
  address: string,
  id: string,
  owner: string,
): Promise<boolean> {
  witness.askToCancel(id)
  const headers = { authorization: `Bearer ${keys[owner]}` }
  const reply = await talk(`${address}/v1/jobs/${id}/cancel`, { method: 'POST', headers })
  if (!reply || reply.status === 503) return false
  if (reply.status === 200 || reply.status === 202) witness.see(reply.text)
  else if (!reply.text.includes('job_finished')) throw new Error(`${reply.status}: ${reply.text}`)
  return true
}

/**
 * Deletes a finished job. A 404 tells that an earlier try, whose answer was lost, has deleted it.
 * @returns whether the job is deleted
 */
export async function deleteJob(
  { keys, witness }: Campaign,
  address: string,
  id: string,
  owner: string,
): Promise<boolean> {
  const headers = { authorization: `Bearer ${keys[owner]}` }
  const reply = await talk(`${address}/v1/jobs/${id}`, { method: 'DELETE', headers })
  if (!reply || passing.has(reply.status)) return false
  if (reply.status !== 204 && reply.status !== 404) throw new Error(`${reply.status}: ${reply.text}`)
  witness.delete(id)
  return true
}

/**
 * The statuses after which a client tries again: a request with the same key is in progress, or a store can
 * not be reached.
 */
const passing = new Set([409, 503])

async function talk(url: string, init: RequestInit): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}

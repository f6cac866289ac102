import { setTimeout as delay } from 'node:timers/promises'
import { quickWish, type TaskWish, type VendorKind } from '../vendor/task-wish.ts'
import { uploadedPicture } from '../vendor/uploaded-picture.ts'
import type { Campaign } from './campaign.ts'
import { receiverUrl } from './receiver.ts'
import type { StartedServer } from './started-server.ts'
import type { JobObject, Order } from './witness.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Sent extends Omit<RequestInit, 'headers'> {
  /** @default 'alice' */
  readonly owner?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request. Rejects when the server dies before it has answered. */
export async function send(
  { keys }: Campaign,
  address: string,
  path: string,
  { owner = 'alice', headers, ...init }: Sent = {},
): Promise<Reply> {
  const authorization = `Bearer ${keys[owner]}`
  const response = await fetch(address + path, {
    ...init,
    headers: { authorization, ...headers },
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function sendCreate(
  campaign: Campaign,
  address: string,
  { owner, model, wish, idempotencyKey, hasWebhook }: Order,
  wait: boolean,
): Promise<Reply> {
  return send(campaign, address, `/v1/generate?wait=${wait}`, {
    method: 'POST',
    owner,
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ model, ...wish, ...(hasWebhook && { webhook_url: receiverUrl }) }),
  })
}

/** What a client asks for. What it leaves out is as in `quickWish`, and the model is `plain`. */
export interface Wanted extends Partial<TaskWish> {
  readonly prompt: string
  readonly model?: VendorKind
}

/**
 * Asks again while the job store is too slow. A call of the store has seconds of the service's clock: at high speed that is a
 * few milliseconds, and a busy disk needs longer.
 */
async function patiently(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await ask()
    if (tries === 50 || !reply.text.includes('store_unavailable')) return reply
    await delay(50)
  }
}

/** Creates a job as alice. @returns the reply, whatever it is: a store that was too slow is asked again */
export async function create(
  campaign: Campaign,
  server: StartedServer,
  { model = 'plain', ...wish }: Wanted,
  { wait = false, key }: { readonly wait?: boolean; readonly key?: string } = {},
): Promise<Reply> {
  const order = { owner: 'alice', model, wish: { ...quickWish, task_ms: 0, ...wish }, idempotencyKey: key }
  const address = await server.address
  return patiently(() => sendCreate(campaign, address, order, wait))
}

/** Reads a path as alice. @returns the reply, whatever it is: a store that was too slow is asked again */
export async function get(campaign: Campaign, server: StartedServer, path: string): Promise<Reply> {
  const address = await server.address
  return patiently(() => send(campaign, address, path))
}

/** The id in a reply with a job. */
export function idOf({ text }: Reply): string {
  return (JSON.parse(text) as { id: string }).id
}

/** The statuses after which a client tries again: a request with the same key is in progress, or a store is away. */
const passing = new Set([409, 503])

/**
 * @returns `undefined` when the server died, could not answer, or may have hidden a job for the time that its clock is wrong
 * @throws Error when it answers with another status
 */
async function unlessLost(
  campaign: Campaign,
  sent: Promise<Reply>,
  ...statuses: number[]
): Promise<Reply | undefined> {
  const reply = await sent.catch(() => undefined)
  if (reply?.status === 404 && campaign.mayHideJobs) return undefined
  if (!reply || statuses.includes(reply.status)) return reply
  if (passing.has(reply.status)) return undefined
  throw new Error(`${reply.status}: ${reply.text}`)
}

/**
 * Creates a job.
 * @returns the job, or `undefined` when the server died or could not answer, so that the client does not know
 * whether there is a job, and when it was refused, which the witness remembers
 */
export async function createJob(
  campaign: Campaign,
  address: string,
  order: Order,
  { wait = false } = {},
): Promise<JobObject | undefined> {
  const { witness } = campaign
  witness.orders.set(order.wish.prompt, order)
  const reply = await unlessLost(campaign, sendCreate(campaign, address, order, wait), 200, 202, 429)
  if (reply?.status === 429) {
    if (!campaign.money || !reply.text.includes('insufficient_quota')) throw new Error(reply.text)
    witness.refused.add(order.wish.prompt)
    return undefined
  }
  if (!reply) return undefined
  const job = witness.see(reply.text)
  witness.acknowledged.set(job.id, order.owner)
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
  campaign: Campaign,
  address: string,
  { owner, wish }: Order,
): Promise<string | undefined> {
  const headers = { 'content-type': 'image/png' }
  const body = uploadedPicture(wish.prompt)
  const sent = send(campaign, address, '/v1/uploads', { method: 'POST', owner, headers, body })
  const reply = await unlessLost(campaign, sent, 201)
  return reply && (JSON.parse(reply.text) as { readonly url: string }).url
}

/** A job of an owner, and the server that is asked about it. */
export interface JobPlace {
  readonly address: string
  readonly id: string
  readonly owner: string
}

const ask = (campaign: Campaign, { address, id, owner }: JobPlace, method: string, path = '') =>
  send(campaign, address, `/v1/jobs/${id}${path}`, { owner, method })

/** Reads a job. @returns `undefined` when the server died, could not answer, or does not know the job */
export async function readJob(campaign: Campaign, place: JobPlace): Promise<JobObject | undefined> {
  const reply = await unlessLost(campaign, ask(campaign, place, 'GET'), 200, 404)
  if (reply?.status === 404) campaign.witness.missed.add(place.id)
  return reply?.status === 200 ? campaign.witness.see(reply.text) : undefined
}

/** Asks to cancel a job. @returns whether the service has answered */
export async function cancelJob(campaign: Campaign, place: JobPlace): Promise<boolean> {
  campaign.witness.cancelAsked.add(place.id)
  const reply = await unlessLost(campaign, ask(campaign, place, 'POST', '/cancel'), 200, 202, 409)
  if (reply?.status === 409 && !reply.text.includes('job_finished')) throw new Error(reply.text)
  if (reply && reply.status !== 409) campaign.witness.see(reply.text)
  return reply !== undefined
}

/**
 * Deletes a finished job. A 404 tells that an earlier try, whose answer was lost, has deleted it.
 * @returns whether the job is deleted
 */
export async function deleteJob(campaign: Campaign, place: JobPlace): Promise<boolean> {
  const reply = await unlessLost(campaign, ask(campaign, place, 'DELETE'), 204, 404)
  if (reply) campaign.witness.deleted.add(place.id)
  return reply !== undefined
}

import { createHmac } from 'node:crypto'
import { faultIn } from '../body-schemas.ts'
import {
  type Charge,
  fileReply,
  type VendorReply,
  type VendorRequest,
  vendorServer,
} from '../vendor-server.ts'
import { bodyOf } from './kling-bodies.ts'

/*
 * Kling's API on loopback. Its pages get-started/authentication, callbacks and concurrency-rules, and the pages of the models that
 * kling-bodies.ts names, as stored copies have them (read on 2026-11-27), describe the keys, the tasks, the callbacks and code 1303.
 * The other codes and their statuses are second hand, as service-codes.ts says; so are their words. What Kling answers about a task
 * that it does not have is not published: an empty list at /tasks, and 1203 with 404 elsewhere, are what customers expect.
 */

export const token = 'kling-key-0f3a9c7e51d2b846'
export const accessKey = 'AK0f3a9c7e51d2b846AK'
export const secretKey = 'SK84b62d15e7c9a3f0SK'
const signingKey = Buffer.from('the key that Kling signs with')
export const webhookSecret = `whsec_${signingKey.toString('base64')}`

/** Where its files are. */
export const klingHosts = ['v1-kling.klingai.com']
export const fileAt = (name: string) => `https://v1-kling.klingai.com/kcdn/out/${name}?x-kcdn-pid=112452`

/** A task that Kling is paid for. */
interface KlingCharge extends Charge {
  id: string
  readonly externalId: string | undefined
  readonly createdAt: number
  /** How many polls find it unfinished. */
  pollsLeft: number
}

const refusal = (status: number, code: number, message: string): VendorReply => ({
  status,
  json: { code, message, request_id: '9984d27b-a408-4073-ae28-17ca6a13622d' },
})
const success = (data: unknown): VendorReply => ({
  json: { code: 0, message: 'SUCCEED', request_id: 'r', data },
})

/** @param polls how many polls find a task unfinished */
export async function startKling({ polls = 1, now = Date.now } = {}) {
  const ledger: KlingCharge[] = []
  /** What tasks are charged, and how they end. */
  const fake = {
    billing: [{ charge_type: 'unit', package_type: 'video', amount: '4' }] as unknown,
    final: { final_unit_deduction: '8' } as object,
    ending: undefined as object | undefined,
  }
  const last = () => ledger.at(-1)!

  const server = await vendorServer(
    (request): VendorReply => {
      const { method, url } = request
      const path = url.pathname
      if (klingHosts.includes(url.hostname)) return fileReply(path)
      const fault = keyFaultIn(request)
      if (fault) return fault
      if (path === '/tasks') return method === 'POST' ? list(request.json()) : query(url.searchParams)
      if (method === 'POST') return submit(request)
      if (path === '/v1/images/generations' && url.searchParams.has('pageNum')) return success([])
      const [, collection, id] = /^(\/v1\/.+)\/([^/]+)$/.exec(path) ?? []
      const task = ledger.find((one) => one.path === collection && [one.id, one.externalId].includes(id))
      return task
        ? success(legacyState(polled(task)))
        : refusal(404, 1203, 'The requested resource does not exist')
    },
    { hosts: klingHosts },
  )

  function keyFaultIn({ headers, url }: VendorRequest): VendorReply | undefined {
    const [, shown = ''] = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '') ?? []
    if (shown === token) return undefined
    const isLegacy = url.pathname.startsWith('/v1/')
    return isLegacy ? tokenFault(shown) : refusal(401, 1002, 'Authorization is invalid')
  }

  /** RFC 7515 and 7519, as far as HS256 goes. */
  function tokenFault(shown: string): VendorReply | undefined {
    const [head = '', claims = '', signature] = shown.split('.')
    const mac = createHmac('sha256', secretKey).update(`${head}.${claims}`).digest('base64url')
    if (signature !== mac) return refusal(401, 1002, 'Authorization is invalid')
    const { alg } = JSON.parse(String(Buffer.from(head, 'base64url')))
    const { iss, exp, nbf } = JSON.parse(String(Buffer.from(claims, 'base64url')))
    if (alg !== 'HS256' || iss !== accessKey) return refusal(401, 1002, 'Authorization is invalid')
    if (nbf * 1000 > now()) return refusal(401, 1003, 'Authorization is not yet valid')
    return exp * 1000 > now() ? undefined : refusal(401, 1004, 'Authorization has expired')
  }

  function submit({ url, json }: VendorRequest): VendorReply {
    const path = url.pathname
    const schema = bodyOf(path)
    if (!schema) return refusal(404, 1203, 'The requested resource does not exist')
    const body = json()
    const fault = faultIn(schema, body)
    if (fault !== undefined) return refusal(400, 1201, `${fault} is invalid`)
    const options = (body['options'] ?? body) as { external_task_id?: string }
    const externalId = options.external_task_id
    const id = `8936059464${String(ledger.length + 1).padStart(8, '0')}`
    const task = { id, path, body, externalId, createdAt: now(), pollsLeft: polls }
    ledger.push(task)
    const times = { created_at: task.createdAt, updated_at: task.createdAt }
    if (path.startsWith('/v1/'))
      return success({
        task_id: id,
        task_status: 'submitted',
        task_info: { external_task_id: externalId },
        ...times,
      })
    return success({ id, status: 'submitted', ...datesOf(task), external_id: externalId })
  }

  /** Exactly one of the two kinds of ids. */
  function query(asked: URLSearchParams): VendorReply {
    const [ids, own] = [asked.get('task_ids'), asked.get('external_task_ids')]
    if ((ids === null) === (own === null)) return refusal(400, 1201, 'task_ids is invalid')
    const wanted = (ids ?? own ?? '').split(',')
    const tasks = ledger.filter(({ id, externalId }) =>
      wanted.includes(String(ids === null ? externalId : id)),
    )
    return success(tasks.map(polled).map(stateOf))
  }

  function list(body: Readonly<Record<string, unknown>>): VendorReply {
    const since = Number(body['start_time'] ?? 0)
    const first = Number(body['cursor'] ?? 0)
    const end = first + Number(body['limit'] ?? 100)
    const all = ledger.filter(({ createdAt }) => body['cursor'] !== undefined || createdAt >= since)
    const result = all.slice(first, end).map(stateOf)
    const has_more = end < all.length
    return success({ result, count: result.length, has_more, ...(has_more && { next_cursor: String(end) }) })
  }

  /** The task as this poll finds it, which brings its end nearer. Lists and callbacks do not. */
  function polled(task: KlingCharge): KlingCharge {
    return { ...task, pollsLeft: task.pollsLeft-- }
  }

  function stateOf(task: KlingCharge): object {
    const { id, externalId: external_id } = task
    const shared = { id, message: '', external_id, ...datesOf(task) }
    if (task.pollsLeft > 0) return { ...shared, status: 'processing', outputs: [], billing: [] }
    const url = fileAt('it.mp4')
    const outputs = [{ type: 'video', id: 'v1', url, watermark_url: fileAt('marked.mp4'), duration: '5.1' }]
    return { ...shared, status: 'succeeded', outputs, billing: fake.billing, ...fake.ending }
  }

  function legacyState(task: KlingCharge): object {
    const { id: task_id, createdAt, path, body } = task
    const shared = {
      task_id,
      task_status_msg: '',
      task_info: { external_task_id: task.externalId },
      created_at: createdAt,
      updated_at: createdAt,
    }
    if (task.pollsLeft > 0) return { ...shared, task_status: 'processing' }
    const isImage = path.startsWith('/v1/images/')
    const outputs = Array.from({ length: Number(body['n'] ?? 1) }, (_, index) => ({
      index,
      url: fileAt(isImage ? `it-${index}.png` : 'it.mp4'),
      watermark_url: fileAt('marked'),
    }))
    const task_result = isImage ? { images: outputs } : { videos: outputs }
    return { ...shared, task_status: 'succeed', task_result, ...fake.final, ...fake.ending }
  }

  function callbackOf(task: KlingCharge, sentAt: number) {
    const state = task.path.startsWith('/v1/') ? legacyState(task) : stateOf(task)
    const body = Buffer.from(JSON.stringify(state))
    const id = '8674665223082153551'
    const timestamp = String(Math.floor(sentAt / 1000))
    const signature = createHmac('sha256', signingKey).update(`${id}.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    }
    return { headers, body }
  }

  return {
    ...server,
    ledger,
    fake,
    forget: () => ledger.forEach((task) => Object.assign(task, { id: 'forgotten' })),
    webhook: {
      finish: () => void (last().pollsLeft = 0),
      address: () => {
        const { options = {}, callback_url } = last().body as {
          options?: { callback_url?: string }
          callback_url?: string
        }
        return options.callback_url ?? callback_url
      },
      signed: (sentAt: number) => callbackOf(last(), sentAt),
    },
  }
}

function datesOf({ createdAt }: KlingCharge) {
  return { create_time: createdAt, update_time: createdAt }
}

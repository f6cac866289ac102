import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type PaidVendor, startVendor } from '../../crashes/vendor/paid-vendor.ts'
import { type TaskOrder, vendorOrigin } from '../../crashes/vendor/vendor-wire.ts'

/** What somebody asks the vendor, and for which job. */
export interface VendorCall {
  readonly kind: 'submit' | 'find' | 'poll' | 'file'
  readonly prompt: string
}

/** What a call waits for on its way. A customer that dies meanwhile has not asked, or gets no answer. */
export interface Delays {
  request?(call: VendorCall): Promise<unknown> | undefined
  answer?(call: VendorCall): Promise<unknown> | undefined
}

/** The vendor behind a door at which every call can be seen and held. */
export interface WatchedVendor extends PaidVendor {
  /** All that have come to the door, in order. */
  readonly calls: readonly VendorCall[]
}

export async function watchedVendor(delays: Delays): Promise<WatchedVendor> {
  const vendor = await startVendor()
  const calls: VendorCall[] = []
  /** All orders that came to the door, whether or not they came through, by client token. */
  const orders = new Map<string, TaskOrder>()

  function callOf(request: IncomingMessage, body: Buffer): VendorCall {
    if (request.method === 'POST') {
      const order = JSON.parse(body.toString()) as TaskOrder
      orders.set(order.client_token, order)
      return { kind: 'submit', prompt: order.wish.prompt }
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', vendorOrigin)
    const [, folder, id] = pathname.split('/')
    const token = searchParams.get('client_token')
    const order = token ? orders.get(token) : vendor.ledger.find(({ taskId }) => taskId === id)?.order
    const kind = folder === 'files' ? 'file' : token ? 'find' : 'poll'
    return { kind, prompt: order?.wish.prompt ?? '' }
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const call = callOf(request, body)
    calls.push(call)
    await delays.request?.(call)
    if (response.destroyed) return
    const { authorization, 'idempotency-key': key } = request.headers
    const reply = await fetch(`${vendor.address}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(authorization && { authorization }), ...(key && { 'idempotency-key': String(key) }) },
      ...(body.length > 0 && { body }),
    })
    const answer = await reply.bytes()
    await delays.answer?.(call)
    response.writeHead(reply.status).end(answer)
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    ...vendor,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close() {
      server.close()
      server.closeAllConnections()
      vendor.close()
    },
  }
}

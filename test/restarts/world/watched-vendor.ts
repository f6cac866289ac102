import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type PaidVendor, startVendor } from '../../crashes/vendor/paid-vendor.ts'
import { type TaskOrder, vendorOrigin } from '../../crashes/vendor/vendor-wire.ts'

/** A call to the vendor, and the prompt of the job that it is about. */
export interface VendorCall {
  readonly kind: 'submit' | 'find' | 'poll' | 'file'
  readonly prompt: string
}

/**
 * What a call waits for before it reaches the vendor, and what its answer waits for. If the caller dies before the call
 * reaches the vendor, the vendor never sees that call.
 */
export interface Delays {
  request?(call: VendorCall): Promise<unknown> | undefined
  answer?(call: VendorCall): Promise<unknown> | undefined
}

/** The vendor behind a proxy that notes every call and can hold it. */
export interface WatchedVendor extends PaidVendor {
  /** All calls that the proxy has received, in their order. */
  readonly calls: readonly VendorCall[]
}

export async function watchedVendor(delays: Delays): Promise<WatchedVendor> {
  const vendor = await startVendor()
  const calls: VendorCall[] = []
  /** All orders that the proxy has received, by client token. Some of them never reach the vendor. */
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

import { json } from 'node:stream/consumers'
import type { WebhookFetch } from '@genmount/webhooks'
import { listen } from '../../loopback.ts'
import type { JobObject } from './witness.ts'

/** A webhook that has reached the receiver. */
export interface Received {
  /** The header `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly data: JobObject
  /** Whether the receiver has answered with 2xx. */
  readonly isAccepted: boolean
}

/** The URL that clients give. Servers send to the receiver's address instead. */
export const receiverUrl = 'https://receiver.example/hook'

/**
 * Starts a receiver in the process of the test, so that it outlives every server. Of each four webhooks it refuses the
 * first try of one with 500, breaks the connection of another, and answers another late.
 */
export async function startReceiver() {
  const received: Received[] = []
  const tries = new Map<string, number>()
  const { origin, stop } = await listen(async (request, response) => {
    const id = String(request.headers['webhook-id'])
    const { type, data } = (await json(request)) as Pick<Received, 'type' | 'data'>
    const isFirst = !tries.has(id)
    if (isFirst) tries.set(id, tries.size % 4)
    const fate = isFirst ? tries.get(id) : undefined
    const isAccepted = fate === undefined || fate > 1
    received.push({ id, type, data, isAccepted })
    if (fate === 1) return void request.socket.destroy()
    const answer = () => void response.writeHead(isAccepted ? 204 : 500).end()
    if (fate === 2) setTimeout(answer, 300)
    else answer()
  })
  return { address: origin, received, close: () => void stop() }
}

/** Sends what is for `receiverUrl` to the address of the receiver. */
export function receiverFetch(address: string): WebhookFetch {
  return (url, init) => fetch(url.replace(receiverUrl, address), init)
}

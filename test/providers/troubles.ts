import type { Words } from './vendor-case.ts'
import type { Trouble } from './vendor-server.ts'

// The troubles that requests of any provider can meet on their way to any vendor.

/** A proxy in front of the vendor answers, and the request never reaches the vendor. */
export const saying = (status: number, json: unknown, headers: Record<string, string> = {}): Trouble => ({
  instead: { status, json, headers },
})

/** A successful answer of the vendor with this body. */
export const inWords = ({ json }: Words): Trouble => ({ instead: ({ url }) => ({ json: json(url) }) })

/** An address at which no server listens: the port is not one of those that the system gives to tests. */
export const nowhere = new URL('http://127.0.0.1:3/')

export const resetBefore: Trouble = { instead: 'reset' }

export const resetAfter: Trouble = { after: 'reset' }

/** The vendor executes the request; its answer is withheld until `release`. */
export const silence: Trouble = { after: 'hold' }

const type = { 'content-type': 'application/json' }

export const truncated: Trouble = {
  after({ json, body = JSON.stringify(json) }) {
    const text = String(body)
    return { headers: type, body: text.slice(0, Math.floor(text.length / 2)) }
  },
}

/** Fifty megabytes that never become JSON, in pieces and without a length. */
export const enormous: Trouble = {
  after: () => ({
    headers: type,
    body: [Buffer.from('{"pad":"'), ...Array<Buffer>(50).fill(Buffer.alloc(1_000_000, 'x'))],
  }),
}

export const htmlPage: Trouble = {
  instead: { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
}

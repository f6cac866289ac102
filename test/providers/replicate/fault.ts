import type { ServerResponse } from 'node:http'
import type { WirePrediction } from './fake-prediction.ts'

/** A request that something may go wrong with. */
interface Exchange {
  /** The how manyeth request of its kind for the troubled model, from 1. */
  readonly count: number
  readonly response: ServerResponse
  /** Executes the request, and returns the answer to it. */
  carryOut(): WirePrediction | undefined
  /** Answers as if nothing were wrong. */
  pass(): void
}

export type Fault = (exchange: Exchange) => void

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** The fault for the first `times` requests. */
export function first(times: number, fault: Fault): Fault {
  return (exchange) => (exchange.count <= times ? fault(exchange) : exchange.pass())
}

/** An answer without executing the request. */
export function answer(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Fault {
  return ({ response }) => sendJson(response, status, body, headers)
}

/** The prediction with some fields changed. */
export function changed(fields: Partial<Record<keyof WirePrediction, unknown>>): Fault {
  return ({ response, carryOut }) => sendJson(response, 200, { ...carryOut(), ...fields })
}

const reset: Fault = ({ response }) => void response.socket?.resetAndDestroy()

export const resetAfterwards: Fault = (exchange) => {
  exchange.carryOut()
  reset(exchange)
}

import type { Interception } from './fal-fake.ts'
import { send } from './fal-fake.ts'
import type { FalReply } from './fal-fixtures.ts'

/** Answers so, without having done anything. */
export const saying =
  (status: number, json: unknown = { detail: 'No.' }, headers: Record<string, string> = {}): Interception =>
  (response) =>
    send(response, { status, json, headers })

/** Says what fal would say, changed. */
export const changing =
  (change: (reply: FalReply) => unknown): Interception =>
  (response, act) => {
    const reply = act()
    send(response, { ...reply, json: change(reply) })
  }

export const resetBefore: Interception = (response) => response.socket?.resetAndDestroy()

export const resetAfter: Interception = (response, act) => {
  act()
  response.socket?.resetAndDestroy()
}

export const silence: Interception = () => {}

export const truncated: Interception = (response, act) => {
  const text = JSON.stringify(act().json)
  send(response, { status: 200, json: text.slice(0, text.length / 2) })
}

const fiftyMegabytes = ' '.repeat(50_000_000)

export const enormous: Interception = (response, act) => {
  send(response, { ...act(), json: fiftyMegabytes + '{}' })
}

/** A web server's own page in front of a queue that is not there. */
export const htmlPage: Interception = (response) =>
  send(response, { status: 502, json: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } })

/** The first `times` requests meet with the fault, the rest with fal as it is. */
export function only(times: number, fault: Interception): Interception {
  let met = 0
  return (response, act, request) => {
    if (met++ < times) fault(response, act, request)
    else send(response, act())
  }
}

import type { Interception } from './fal-fake.ts'
import { send } from './fal-fake.ts'
import type { FalReply } from './fal-fixtures.ts'

/** Sends this answer without executing the request. */
export const saying =
  (status: number, json: unknown = { detail: 'No.' }, headers: Record<string, string> = {}): Interception =>
  (response) =>
    send(response, { status, json, headers })

/** Sends a changed version of fal's answer. */
export const changing =
  (change: (reply: FalReply) => unknown): Interception =>
  (response, act) => {
    const reply = act()
    send(response, { ...reply, json: change(reply) })
  }

export const resetAfter: Interception = (response, act) => {
  act()
  response.socket?.resetAndDestroy()
}

export const silence: Interception = () => {}

/** The first `times` requests meet the fault; later requests reach the unchanged fake. */
export function only(times: number, fault: Interception): Interception {
  let met = 0
  return (response, act, request) => {
    if (met++ < times) fault(response, act, request)
    else send(response, act())
  }
}

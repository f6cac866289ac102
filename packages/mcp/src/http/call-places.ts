import { waitingPlaces, type WaitingPlaces } from '@genmount/core'

/**
 * Each takes 50 to 80 kB on Node 24 (2026-11-26): about 34 for one request in the SDK 2.4.0, 26 for the stream of the job's
 * events, and the rest for the connection, the job and the tools.
 */
const maxCalls = 200

/**
 * The places for calls that wait for jobs: 200, of which an owner keeps 50 when others need places. Each of them also
 * takes a place of a waiter in the service. The calls do not keep the host process alive; the waiters of the service do.
 */
export function callPlaces(): WaitingPlaces {
  return waitingPlaces({
    maxWaiters: maxCalls,
    maxWaitersPerOwner: maxCalls / 4,
    keepProcessAlive: () => () => {},
  })
}

import { waitingPlaces, type WaitingPlaces } from '@genmount/core'

/** Each takes about 40 kB on Node 24, of which 26 are for the stream of the job's events. */
const maxCalls = 200

/**
 * The places for calls that follow their jobs through the client, because the service is not known: 200, of which an owner
 * keeps 50 when others need places. Each of them also takes a place of a waiter in the service. The calls do not keep the
 * host process alive; the waiters of the service do.
 */
export function callPlaces(): WaitingPlaces {
  return waitingPlaces({
    maxWaiters: maxCalls,
    maxWaitersPerOwner: maxCalls / 4,
    keepProcessAlive: () => () => {},
  })
}

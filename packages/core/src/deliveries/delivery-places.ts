import type { Clock } from '../contracts/clock.ts'
import { upTo } from '../pacing/within-limit.ts'
import { fairQueue } from '../sharing/lane.ts'
import { sharedRoom } from '../sharing/shared-room.ts'

const maxAtATime = 64
const maxPerHost = 8
const maxWaiting = 10_000
/**
 * After how many milliseconds a delivery loses its place. On a worker, a delivery may never settle when its request has
 * ended.
 */
const longestMs = 90_000

/** The places of the deliveries that are under way at the same time. */
export interface DeliveryPlaces {
  /**
   * Runs `deliver` as soon as there is a place. There are 64 places, of which each host gets at most 8. An owner with a
   * delivery under way gets another place only if at least as many places stay free for the other owners. So neither a
   * receiver that never answers nor an owner with thousands of jobs delays the deliveries of others for long.
   * @param deliver never rejects
   * @returns `false` when too many deliveries of the owner, or of all owners, are already waiting. Then `deliver` never
   * runs
   */
  run(owner: string, host: string, deliver: () => Promise<void>): boolean
}

interface Waiting {
  readonly owner: string
  readonly host: string
  readonly deliver: () => Promise<void>
}

export function deliveryPlaces(clock: Clock): DeliveryPlaces {
  const taken = sharedRoom(maxAtATime)
  const takenByHost = new Map<string, number>()
  const queued = sharedRoom(maxWaiting)
  const queue = fairQueue<Waiting>()

  function mayRun({ owner, host }: Waiting): boolean {
    return taken.fits(1) && taken.mayHave(owner, 1) && (takenByHost.get(host) ?? 0) < maxPerHost
  }

  function count({ owner, host }: Waiting, change: 1 | -1): void {
    taken.add(owner, change)
    const left = (takenByHost.get(host) ?? 0) + change
    if (left === 0) takenByHost.delete(host)
    else takenByHost.set(host, left)
  }

  async function begin(waiting: Waiting): Promise<void> {
    count(waiting, 1)
    await upTo(clock, longestMs, waiting.deliver())
    count(waiting, -1)
    for (let next = queue.next(mayRun); next; next = queue.next(mayRun)) {
      queued.add(next.owner, -1)
      void begin(next)
    }
  }

  return {
    run(owner, host, deliver) {
      const waiting = { owner, host, deliver }
      // Owners take turns, and so do the hosts of each owner. So a full host or owner delays no other.
      const turn = JSON.stringify([owner, host])
      if (mayRun(waiting)) {
        queue.passed(turn)
        void begin(waiting)
        return true
      }
      if (!queued.fits(1) || !queued.mayHave(owner, 1)) return false
      queued.add(owner, 1)
      queue.add(turn, waiting)
      return true
    },
  }
}

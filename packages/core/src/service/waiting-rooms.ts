import { type WaitingRoomContext, type WaitingRoom, waitingRoom } from '../sharing/waiting-room.ts'

/** The places where calls of a service wait for jobs. */
export interface WaitingRooms {
  /** The calls of `waitFor`, whose number is limited. */
  readonly waiters: WaitingRoom
  /** The calls that wait at most 2 seconds for a provider's answer. Their number is not limited. */
  readonly readers: WaitingRoom
}

/** Makes the waiting rooms of a service. @param context `maxWaitersPerOwner` is a quarter of the places by default */
export function waitingRooms(
  context: Omit<WaitingRoomContext, 'maxWaitersPerOwner'> & {
    readonly maxWaitersPerOwner?: number | undefined
  },
): WaitingRooms {
  const { maxWaitersPerOwner = Math.ceil(context.maxWaiters / 4) } = context
  const unlimited = { maxWaiters: Number.POSITIVE_INFINITY, maxWaitersPerOwner: Number.POSITIVE_INFINITY }
  return {
    waiters: waitingRoom({ ...context, maxWaitersPerOwner }),
    readers: waitingRoom({ ...context, ...unlimited }),
  }
}

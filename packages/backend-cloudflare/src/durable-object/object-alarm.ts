import type { ObjectStorage } from './object-storage.ts'

/** If the alarm has not come this many milliseconds after its instant, it counts as lost, and is set again. */
const lostMs = 60_000
/** When the alarm comes again after work that has failed, in milliseconds. */
const afterFaultMs = 60_000
/**
 * Cloudflare repeats an alarm whose handler fails 6 times, and then no more. From this repetition on, another alarm is set before
 * the work begins, so that the alarms of an object never end while jobs are left.
 */
const lastRetries = { from: 4, afterMs: 10 * 60_000 }

/** For when the alarm of an object is needed. Instants are milliseconds since the Unix epoch, `Infinity` for never. */
export interface AlarmNeeds {
  /** The earliest instant after `after` at which a job is due. */
  due(after: number): number
  /** When something is to be deleted, be it due or not. */
  expiry(): number
}

/** The one alarm of a Durable Object, at the earliest instant for which it is needed. */
export interface ObjectAlarm {
  /** Has the alarm come at this instant at the latest. Writes nothing if it comes by then anyway. */
  by(at: number): void
  /** Moves the alarm to the next expiry, or takes it back, if no job is due any more. */
  rest(): void
  /** Makes sure that the alarm is set, at the first use of the object since it was started. */
  check(): Promise<void>
  /**
   * Does the work of an alarm that has come, and sets the next one.
   * @param retryCount how often Cloudflare has repeated this alarm
   * @param work returns when to go on at the latest
   * @throws what `work` throws. The alarm is then set again
   */
  ring(retryCount: number, work: () => Promise<number | undefined>): Promise<void>
}

/** Keeps the alarm of an object. It writes only when the alarm has to come earlier, or at the end of its work. */
export function objectAlarm(storage: ObjectStorage, needs: AlarmNeeds): ObjectAlarm {
  /** When the alarm comes, as far as it was set or read since the object was started. */
  let alarmAt: number | undefined
  /**
   * While an alarm is at work, it is not set: its end sets the next one, and if the object dies before, Cloudflare repeats the
   * alarm.
   */
  let isRinging = false

  async function set(at: number): Promise<void> {
    if (at === alarmAt) return
    alarmAt = at
    await (at === Number.POSITIVE_INFINITY ? storage.deleteAlarm() : storage.setAlarm(at))
  }

  function by(at: number): void {
    if (isRinging) return
    const isCertain = alarmAt !== undefined && Date.now() <= alarmAt + lostMs
    if (!isCertain) void set(Math.min(at, needs.due(0)))
    else if (alarmAt !== undefined && at < alarmAt) void set(at)
  }

  return {
    by,
    rest() {
      if (!isRinging && needs.due(0) === Number.POSITIVE_INFINITY) void set(needs.expiry())
    },
    async check() {
      if (isRinging) return
      const at = Math.min(needs.due(0), needs.expiry())
      if (at === Number.POSITIVE_INFINITY) return
      const stored = await storage.getAlarm()
      if (isRinging) return
      alarmAt ??= stored ?? undefined
      by(at)
    },
    async ring(retryCount, work) {
      isRinging = true
      const beganAt = Date.now()
      const cameAt = alarmAt ?? 0
      let nextAt: number | undefined = beganAt + afterFaultMs
      try {
        if (retryCount >= lastRetries.from) await storage.setAlarm(beganAt + lastRetries.afterMs)
        nextAt = await work()
      } finally {
        isRinging = false
        alarmAt = Number.POSITIVE_INFINITY
        // What became due since, and was not taken up, is due after `beganAt`.
        // An alarm may come a moment before its instant. The runtime drops one that is set to the instant of the alarm at work.
        const at = Math.min(nextAt ?? Number.POSITIVE_INFINITY, needs.due(beganAt), needs.expiry())
        await set(at === cameAt ? at + 1 : at)
      }
    },
  }
}

import { expect, test } from 'vitest'
import { objectAlarm } from './object-alarm.ts'
import type { ObjectStorage } from './object-storage.ts'

/** Keeps one alarm. As in workerd, the alarm at work is forgotten at its end, with an alarm that it has set to its own instant. */
function alarmStorage() {
  let alarmAt: number | null = null
  const storage = {
    getAlarm: async () => alarmAt,
    setAlarm: async (at: number) => void (alarmAt = at),
    deleteAlarm: async () => void (alarmAt = null),
  }
  return {
    storage: storage as unknown as ObjectStorage,
    alarmAt: () => alarmAt,
    async run(handler: () => Promise<void>) {
      const cameAt = alarmAt
      await handler()
      if (alarmAt === cameAt) alarmAt = null
    },
  }
}

test('an alarm that comes before its instant is followed by another one, so that the job that is due then goes on', async () => {
  const { storage, alarmAt, run } = alarmStorage()
  const dueAt = Date.now() + 50
  const alarm = objectAlarm(storage, { due: () => dueAt, expiry: () => Number.POSITIVE_INFINITY })
  alarm.by(dueAt)
  await run(() => alarm.ring(0, async () => dueAt))
  expect(alarmAt()).toBe(dueAt + 1)
})

test('the alarm that is at work sets the next one to the instant at which a job is due', async () => {
  const { storage, alarmAt, run } = alarmStorage()
  const [dueAt, later] = [Date.now(), Date.now() + 5000]
  let next = dueAt
  const alarm = objectAlarm(storage, { due: () => next, expiry: () => Number.POSITIVE_INFINITY })
  alarm.by(dueAt)
  await run(() => alarm.ring(0, async () => (next = later)))
  expect(alarmAt()).toBe(later)
})

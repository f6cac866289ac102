import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { until } from '../until.ts'
import { leaseMs, startCampaign } from './campaign/campaign.ts'
import { create, type Wanted } from './campaign/client.ts'
import type { VendorCall } from './vendor/paid-vendor.ts'
import { silentKinds } from './vendor/task-wish.ts'

const speed = 4
const sweepMs = 5_000
const longestPollMs = 10_000
/** 20 seconds of the system's clock, for a busy machine. A job that is found only at its deadline takes 30 minutes. */
const toleranceMs = 20_000 * speed
/**
 * The pause before the next poll of the jobs at the place `asleep`. These jobs are made last, and none may be polled again
 * before all of them are asleep.
 */
const sleepMs = 2 * leaseMs
/** How many jobs of each provider a process takes up at a time. */
const takenUpAtATime = 20
/**
 * For how long a job that has been taken up keeps its place, in milliseconds of the system: 5 seconds of the service's
 * clock. Then the next job gets the place.
 */
const placeMs = 5_000 / speed
/** The test has seen a provider's jobs side by side when this many of them were taken up at the same time. */
const sideBySide = takenUpAtATime / 2 + 1
/** How long the vendor holds each job at least, in milliseconds of the system. */
const holdMs = 100
/**
 * How long the vendor waits at most for others beside a job, in milliseconds of the system. With `holdMs`, this is less
 * than `placeMs`: the rest is for the claim of the job and for a busy machine.
 */
const longestWaitMs = 0.7 * placeMs

/** Where jobs are when their process is killed: the place, how many jobs, their request, and their state in the database. */
const places: readonly (readonly [
  string,
  number,
  Omit<Wanted, 'prompt'>,
  { phase: Job['phase']; isClaimed?: boolean },
])[] = [
  ['accepted', 45, {}, { phase: 'accepted', isClaimed: false }],
  ['request lost', 15, {}, { phase: 'submitting', isClaimed: true }],
  ['answer lost', 15, {}, { phase: 'submitting', isClaimed: true }],
  ['being polled', 24, { task_ms: 20 }, { phase: 'running', isClaimed: true }],
  ['collecting', 24, { as: 'bytes', task_ms: 20 }, { phase: 'collecting', isClaimed: true }],
  ['to be copied', 15, { as: 'url' }, { phase: 'completed' }],
  ['asleep', 15, { task_ms: 20, poll_after_ms: sleepMs }, { phase: 'running', isClaimed: false }],
]
const jobCount = places.reduce((sum, [, count]) => sum + count, 0)

/** The test only hangs if the jobs are not in their places after this time, in milliseconds of the system. */
const longestWaitForPlacesMs = 150_000

/** The place of a job, which its prompt names. */
function placeOf(prompt: unknown): string {
  return String(prompt).replace(/ \d+$/, '')
}

function vendorIndexOf(numbered: number | string): number {
  return Number(String(numbered).split(' ').at(-1)) % silentKinds.length
}

/**
 * The delays of the vendor. In the life of the first process they hold the calls that are to be cut off. After that life they
 * count how many jobs of one vendor are taken up at a time.
 */
function watchDoor() {
  const never = new Promise<never>(() => {})
  const takenUp = new Set<string>()
  let isFirstLife = true
  const counts = silentKinds.map(() => ({ inside: 0, most: 0 }))

  async function takeUp(prompt: string): Promise<void> {
    takenUp.add(prompt)
    const count = counts[vendorIndexOf(prompt)]!
    count.inside += 1
    count.most = Math.max(count.most, count.inside)
    // A busy machine needs long to take up the first jobs. After that the hold is short, so that no job loses its place.
    const letsGoAt = Date.now() + longestWaitMs
    while (count.most < sideBySide && Date.now() < letsGoAt) await delay(10)
    await delay(holdMs)
    count.inside -= 1
  }

  return {
    request: ({ kind, prompt }: VendorCall) =>
      isFirstLife && kind === 'submit' && placeOf(prompt) === 'request lost' ? never : undefined,

    answer({ kind, prompt }: VendorCall) {
      // Copies do not count: they have a lane of their own.
      if (!isFirstLife && kind === 'file') return void takenUp.add(prompt)
      if (!isFirstLife) return takenUp.has(prompt) ? undefined : takeUp(prompt)
      const isCutOff =
        kind === 'submit' ? placeOf(prompt) === 'answer lost' : placeOf(prompt) === 'being polled'
      return isCutOff ? never : undefined
    },

    endFirstLife: () => void (isFirstLife = false),
    takenUp,
    /** For each vendor, how many of its jobs were taken up at the same time at most. */
    most: () => counts.map(({ most }) => most),
  }
}

test(`the next server takes up all ${jobCount} jobs of a killed server, at most ${takenUpAtATime} of each provider at a time, and ends them`, async ({
  onTestFinished,
}) => {
  const door = watchDoor()
  const campaign = await startCampaign(onTestFinished, { speed, delays: door })
  const killed = campaign.start({ trouble: 'gets stuck', callTimeoutMs: 60 * 60_000 })
  const isInPlace = ({ shownInput, phase, claim }: Job) => {
    const [, , , wanted] = places.find(([place]) => place === placeOf(shownInput['prompt'])) ?? []
    const isClaimed = claim?.until !== undefined
    return phase === wanted?.phase && (wanted.isClaimed ?? isClaimed) === isClaimed
  }
  let made = 0
  for (const [place, count, wish] of places) {
    const wanted = Array.from({ length: count }, (_, index): Wanted => {
      return { ...wish, model: silentKinds[vendorIndexOf(index)] ?? 'plain', prompt: `${place} ${index}` }
    })
    // A busy machine may store a create too late, and the create is then sent again. The key prevents a second job.
    await Promise.all(wanted.map((wish) => create(campaign, killed, wish, { key: wish.prompt })))
    made += count
    await until(() => campaign.jobs().filter(isInPlace).length === made, longestWaitForPlacesMs)
  }
  await killed.kill()
  expect(campaign.jobs().filter(isInPlace)).toHaveLength(jobCount)
  door.endFirstLife()

  await campaign.start().address
  const healedAt = campaign.clock.now()
  await campaign.settled()
  const allowedMs = sleepMs + 2 * longestPollMs + sweepMs + toleranceMs
  expect(campaign.clock.now() - healedAt).toBeLessThan(allowedMs)

  // The plain vendor can't be asked whether it has received a submit.
  const isAmbiguous = ({ model, shownInput }: Job) =>
    model === 'plain' && ['request lost', 'answer lost'].includes(placeOf(shownInput['prompt']))
  for (const job of campaign.jobs()) {
    const paid = campaign.vendor.ledger.filter(({ order }) => order.job_id === job.id)
    const isPaid = !(isAmbiguous(job) && placeOf(job.shownInput['prompt']) === 'request lost')
    expect([job.shownInput, paid.length]).toEqual([job.shownInput, isPaid ? 1 : 0])
    expect(job).toMatchObject(
      isAmbiguous(job)
        ? { phase: 'failed', error: { code: 'submit_ambiguous' }, costUsd: 0 }
        : { phase: 'completed', outputs: [{ fileKey: expect.any(String) }], costUsd: paid[0]?.costUsd },
    )
  }
  expect(campaign.fileNames()).toHaveLength(jobCount - campaign.jobs().filter(isAmbiguous).length)

  expect(door.takenUp.size).toBe(jobCount - campaign.jobs().filter(isAmbiguous).length)
  for (const most of door.most()) {
    expect(most).toBeLessThanOrEqual(takenUpAtATime)
    expect(most).toBeGreaterThanOrEqual(sideBySide)
  }
})

import { expect } from 'vitest'
import type { SimulatedWorld } from './simulated-world.ts'
import type { PaidJobCases } from './paid-job-cases.ts'
import { expectDelivery } from './expect-delivery.ts'
import type { MortalProcess } from './mortal-process.ts'

/**
 * How long each call takes, in milliseconds: longer than the pause between two sweeps, so that a sweep sees
 * the job meanwhile.
 */
const latencyMs = 8000
const runs = { vendor: { behave: [{ delayMs: 3000 }], latencyMs } } as const
const finishesAtOnce = { vendor: { latencyMs } } as const

/** Creates a job and returns while its submit is on its way to the vendor, which will answer in time. */
async function inFlight(world: SimulatedWorld, process: MortalProcess): Promise<string> {
  const id = await world.create(process)
  await world.passUntil(() => world.vendor.submits.length > 0)
  await world.pass(1000)
  expect(world.vendor.ledger).toHaveLength(0)
  return id
}

function jumpInFlight(byMs: number, isAlone: boolean): PaidJobCases[string]['run'] {
  return async (world) => {
    const process = world.start()
    if (!isAlone) world.start()
    const id = await inFlight(world, process)
    world.clock.set(world.clock.now() + byMs)
    await expectDelivery(world, id)
  }
}

function frozenInFlight(seconds: number, isAlone: boolean): PaidJobCases[string]['run'] {
  return async (world) => {
    const process = world.start()
    if (!isAlone) world.start()
    const id = await inFlight(world, process)
    process.freeze()
    await world.pass(seconds * 1000)
    expect(world.vendor.ledger).toHaveLength(1)
    await process.thaw()
    await expectDelivery(world, id)
  }
}

/** The first submit finds nobody. The second one begins with a claim that is a write of its own. */
const secondTry = { behave: [{ submit: 'connection_refused' }, {}], latencyMs: 500 } as const

/**
 * Creates a job in a process that stands still after it has claimed the job and before it calls the provider, and lets
 * the process go on later. Nothing is paid after the job has ended.
 * @returns the id of the job, and whether another process has ended the job meanwhile
 */
async function frozenBeforeSubmit(world: SimulatedWorld): Promise<{ id: string; isTakenOver: boolean }> {
  let hasFrozen = false
  const late = world.start((job, process) => {
    if (job.phase !== 'submitting' || world.vendor.submits.length !== 1 || hasFrozen) return
    hasFrozen = true
    process.freeze()
  })
  const other = world.start()
  const id = await world.create(late)
  expect(await world.passUntil(() => late.isFrozen)).toBe(true)
  await world.pass(40_000)
  const isTakenOver = await world.passUntil(async () =>
    ['completed', 'failed'].includes((await world.job(id)).phase),
  )
  const paid = world.vendor.ledger.length
  expect(other.isFrozen).toBe(false)
  await late.thaw()
  await world.pass(120_000)
  if (isTakenOver) expect(world.vendor.ledger).toHaveLength(paid)
  else expect(paid).toBe(0)
  return { id, isTakenOver }
}

/**
 * Answers that reach a process which was frozen or whose clock was set, and calls that such a process is
 * about to make.
 */
export const lateAnswerCases: PaidJobCases = {
  'a paid job completes after the clock jumped ahead by 31 s during its submit': {
    options: runs,
    run: jumpInFlight(31_000, true),
  },
  'a paid job completes after the clock of two processes jumped ahead by 31 s during its submit': {
    options: runs,
    run: jumpInFlight(31_000, false),
  },
  'a paid job completes after the clock jumped ahead by 10 minutes during its submit': {
    options: runs,
    run: jumpInFlight(600_000, true),
  },
  'a paid job completes after the clock jumped ahead by an hour during its submit': {
    options: runs,
    run: jumpInFlight(3_600_000, true),
  },
  'a paid job completes after its process was frozen for 40 s during its submit': {
    options: runs,
    run: frozenInFlight(40, true),
  },
  'a paid job completes after its process was frozen for longer than its submit may take, when the answer came in time':
    {
      options: runs,
      run: frozenInFlight(90, true),
    },
  'a process that was frozen during a submit completes the job with the late answer, after another process took the job over':
    {
      dependsOnStore: true,
      options: runs,
      run: frozenInFlight(40, false),
    },
  'a process that was frozen for 5 minutes during a submit completes the job with the late answer, after another took it over':
    {
      options: runs,
      run: frozenInFlight(300, false),
    },
  'a process that was frozen during a submit stores the bytes in the late answer, after another process took the job over':
    {
      options: finishesAtOnce,
      run: frozenInFlight(40, false),
    },

  'a job whose process was killed during a poll completes when a process starts after the deadline of the job':
    {
      options: { vendor: { behave: [{ delayMs: 5000 }], latencyMs: 2000 } },
      async run(world) {
        const doomed = world.start()
        const id = await world.create(doomed)
        await world.passUntil(() => world.vendor.polls.length > 0)
        await world.pass(1000)
        expect(await world.job(id)).toMatchObject({ phase: 'running', claimedUntil: expect.any(Number) })
        doomed.kill()
        await world.clock.advance(3_600_000)
        world.start()
        await expectDelivery(world, id)
      },
    },

  'a process that was frozen between its claim and its submit, and another process beside it, submit the job once':
    {
      dependsOnStore: true,
      options: { vendor: { ...secondTry, find: true } },
      async run(world) {
        const { id, isTakenOver } = await frozenBeforeSubmit(world)
        // Where the store can tell that the frozen process lives, the other one waits for it.
        const knowsEnds = (await world.job(id)).claimToken?.includes(':') ?? false
        expect(isTakenOver).toBe(!knowsEnds)
        await expectDelivery(world, id)
      },
    },
  'a process that was frozen between its claim and its submit does not submit the job after another process has failed it':
    {
      dependsOnStore: true,
      options: { vendor: secondTry },
      async run(world) {
        await frozenBeforeSubmit(world)
        expect(world.vendor.ledger).toHaveLength(0)
      },
    },
  'a process that gets the answer to its claim after 40 s does not submit the job, which another process has finished':
    {
      dependsOnStore: true,
      options: { vendor: { ...secondTry, find: true } },
      async run(world) {
        const held = Promise.withResolvers<void>()
        let isHeld = false
        const slow = world.start((job) => {
          if (job.phase !== 'submitting' || isHeld) return
          isHeld = true
          return held.promise
        })
        world.start()
        const id = await world.create(slow)
        await world.passUntil(() => isHeld)
        await world.pass(40_000)
        await expectDelivery(world, id)
        held.resolve()
        await world.pass(120_000)
        await expectDelivery(world, id)
      },
    },
}

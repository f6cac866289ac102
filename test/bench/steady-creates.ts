import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Makes creates at an even pace. What a timer comes too late is made up for, so that the rate does not sink while creates are
 * slow.
 * @param create gets the number of the create, from 0
 * @returns how long each has taken, in milliseconds, when all have been answered
 */
export async function steadyCreates(
  perSecond: number,
  ms: number,
  create: (number: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const count = Math.ceil((perSecond * ms) / 1000)
  const creates: Promise<number>[] = []
  const timed = async (number: number) => {
    const from = performance.now()
    await create(number)
    return performance.now() - from
  }
  for (const from = performance.now(); creates.length < count; await sleep(2)) {
    const due = Math.min(count, ((performance.now() - from) / 1000) * perSecond)
    while (creates.length < due) creates.push(timed(creates.length))
  }
  return Promise.all(creates)
}

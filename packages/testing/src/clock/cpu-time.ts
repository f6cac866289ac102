import process from 'node:process'

/**
 * Runs `work` and measures how much CPU time this process uses meanwhile, in milliseconds. Other processes that keep the
 * machine busy do not make it longer, as they do with the time of day.
 * @example
 * expect(await cpuTimeOf(() => parse('['.repeat(1_000_000)))).toBeLessThan(1000)
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

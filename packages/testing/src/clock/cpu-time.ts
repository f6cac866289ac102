import process from 'node:process'

/**
 * Runs `work` and measures how much CPU time this process uses meanwhile, in milliseconds. Unlike wall-clock
 * time, this time does not grow when other processes keep the machine busy.
 * @example
 * expect(await cpuTimeOf(() => parse('['.repeat(1_000_000)))).toBeLessThan(1000)
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

import process from 'node:process'

/**
 * Runs on whatever runtime this is the cases whose names are arguments of this process, or every case if none is, and prints
 * one line of JSON: each name with 'holds' or what went wrong. The process ends by itself: a timer or a connection that a
 * case has left behind would keep it from ending.
 */
export async function printVerdicts(cases: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const verdicts: Record<string, string> = {}
  const chosen = process.argv.slice(2).filter((name) => name in cases)
  for (const [name, runCase] of Object.entries(cases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const { promise: tooLong, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('No end after 60 seconds')), 60_000)
    verdicts[name] = await Promise.race([runCase(), tooLong]).then(
      () => 'holds',
      (error: unknown) => (error instanceof Error ? `${error.stack}` : String(error)),
    )
    clearTimeout(timer)
  }
  console.log(JSON.stringify(verdicts))
}

import process from 'node:process'

type Case = () => Promise<void>

/**
 * Runs on whatever runtime this is the cases whose names are arguments of this process, or every case if none is, and prints
 * one line of JSON: each name with 'holds' or what went wrong. The process ends by itself: a timer or a connection that a
 * case has left behind would keep it from ending.
 * @param atATime how many cases run side by side, where none of them measures time or changes what another one uses
 */
export async function printVerdicts(
  cases: Readonly<Record<string, Case>>,
  { atATime = 1 }: { readonly atATime?: number } = {},
): Promise<void> {
  const named = process.argv.slice(2).filter((name) => name in cases)
  const waiting = Object.entries(cases).filter(([name]) => named.length === 0 || named.includes(name))
  const verdicts: Record<string, string> = {}
  async function runNext(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, runCase] = next
      verdicts[name] = await verdictOn(runCase)
    }
  }
  await Promise.all(Array.from({ length: atATime }, runNext))
  console.log(JSON.stringify(verdicts))
}

async function verdictOn(runCase: Case): Promise<string> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('No end after 60 seconds')), 60_000)
  const verdict = await Promise.race([runCase(), tooLong]).then(
    () => 'holds',
    (error: unknown) => (error instanceof Error ? `${error.stack}` : String(error)),
  )
  clearTimeout(timer)
  return verdict
}

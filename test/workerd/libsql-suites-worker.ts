import { webBackend } from '../backend-libsql/web-backend.ts'
import { lightCases } from '../conformance/print-suites.ts'
import { suitesOfBackend } from '../conformance/suites-of-backend.ts'

/** Runs all light cases on a libSQL server, one after the other. Answers with those that fail, and how many there are. */
export default {
  async fetch(_request: Request, { ORIGIN }: { readonly ORIGIN: string }): Promise<Response> {
    const suites = suitesOfBackend(
      (clock) => webBackend(ORIGIN, clock),
      () => webBackend('http://127.0.0.1:1'),
    )
    const cases = Object.entries(lightCases(Object.assign({}, ...Object.values(suites))))
    const failing: string[] = []
    for (const [name, run] of cases)
      await run().catch((error: unknown) => failing.push(`${name}: ${(error as Error).stack}`))
    return Response.json({ failing, count: cases.length })
  },
}

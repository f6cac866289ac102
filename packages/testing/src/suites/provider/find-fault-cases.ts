import assert from 'node:assert/strict'
import type { Provider, ProviderCall, ProviderTask } from '@genmount/core'
import { checkReport } from './check-report.ts'
import { costlyRequest, type FaultyLine, inWords, overFaultyLine, stateOf, toldBy } from './faulty-line.ts'
import { noNews } from './poll-fault-cases.ts'
import { callbackUrlOf, now, type ProviderCases, type ProviderTrial, taskOf } from './task-run.ts'

/** Submits a task whose answer is lost, and looks for it in another process. */
async function lookFor(trial: ProviderTrial, line: FaultyLine, fault: 'cut-before' | 'cut-after') {
  const submitTo = (provider: Provider, task: ProviderTask) => (call: ProviderCall) =>
    provider.submit(task, { ...call, callbackUrl: callbackUrlOf(task) })
  const clean = await line.run(submitTo(line.connect(), await taskOf(trial)))
  const task = await taskOf(trial)
  const submittedAt = now(trial)
  await line.run(submitTo(line.connect(), task), fault, costlyRequest(clean.requests))
  const again = line.connect()
  return line.run(async (call) =>
    again.find?.(task, { ...call, callbackUrl: callbackUrlOf(task), submittedAt }),
  )
}

/** The promises of `find` about faults. */
export const findFaultCases: ProviderCases = {
  'a task whose answer was lost is found, and one that never arrived is not': overFaultyLine(
    async (trial, line) => {
      const arrived = await lookFor(trial, line, 'cut-after')
      assert.ok(
        stateOf(arrived) !== undefined && stateOf(arrived) !== 'failed',
        `the vendor has taken a task on, its answer was lost, and find says ${toldBy(arrived)}: undefined promises that the task was never taken on, and the service would pay twice`,
      )
      const lost = await lookFor(trial, line, 'cut-before')
      assert.ok(
        stateOf(lost) === undefined || stateOf(lost) === 'unknown',
        `the vendor has not heard of a task, and find says ${toldBy(lost)}`,
      )
    },
  ),

  'a find that the vendor has not answered promises nothing': overFaultyLine(async (trial, line) => {
    const faults = noNews(line.elsewhere).filter((fault) => !(Object(fault).status === 404))
    for (const fault of faults) {
      for (let faultAt = 0; ; faultAt++) {
        const [provider, task] = [line.connect(), await taskOf(trial)]
        const submittedAt = now(trial)
        const run = await line.run(
          async (call) => provider.find?.(task, { ...call, callbackUrl: callbackUrlOf(task), submittedAt }),
          fault,
          faultAt,
        )
        if (run.faultAt === undefined) break
        const state = stateOf(run)
        if (run.outcome.status === 'fulfilled' && run.outcome.value) checkReport(run.outcome.value)
        assert.ok(
          state !== undefined && state !== 'failed',
          `after ${inWords(fault)}, find must throw or report unknown, but it resolves with ${toldBy(run)}: the service would submit the task again or give it up`,
        )
      }
    }
  }),
}

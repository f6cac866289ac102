import assert from 'node:assert/strict'
import type { Provider, ProviderReport, RunningTask } from '@genmount/core'
import type { ProxyFault } from '../../fault-proxy/proxy-fault.ts'
import { checkReport } from './check-report.ts'
import { type FaultyLine, type FaultyRun, inWords, overFaultyLine, stateOf, toldBy } from './faulty-line.ts'
import {
  finish,
  now,
  pass,
  type ProviderCases,
  type ProviderTrial,
  runningTask,
  submit,
  taskOf,
} from './task-run.ts'

/** The most requests that the suite expects in one poll. */
const maxRequests = 5

/** The faults after which a provider has learned nothing about its task. */
export const noNews = (elsewhere: string): readonly ProxyFault[] => [
  ...[401, 403, 404, 408, 429, 500, 502, 503].map((status) => ({ status })),
  { status: 302, headers: { location: `${elsewhere}/elsewhere` } },
  'cut-before',
  'half-body',
]

/** Starts a task in its own process. @returns `undefined` when the submit already ends the task */
export async function startTask(trial: ProviderTrial, line: FaultyLine) {
  const [provider, task] = [line.connect(), await taskOf(trial)]
  const running = runningTask(task, await submit(trial, task, { provider }))
  return running && { provider, running }
}

/**
 * Polls until the request at this index of a poll has failed.
 * @returns `undefined` when no poll sends so many requests
 */
async function pollWith(
  trial: ProviderTrial,
  line: FaultyLine,
  { provider, running }: { readonly provider: Provider; readonly running: RunningTask },
  fault: ProxyFault,
  faultAt: number,
): Promise<FaultyRun<ProviderReport> | undefined> {
  const { finishWithinMs = 60_000 } = trial
  const until = now(trial) + finishWithinMs
  while (now(trial) <= until) {
    const run = await line.run((call) => provider.poll(running, call), fault, faultAt)
    if (run.faultAt !== undefined || run.outcome.status === 'rejected') return run
    const report = checkReport(run.outcome.value)
    if (report.state === 'succeeded' || report.state === 'failed') return undefined
    await pass(trial, (report.state === 'running' ? report.pollAfterMs : undefined) ?? 20)
  }
  return assert.fail('the sample did not finish in time')
}

/** The promises of a poll whose requests fail. */
export const pollFaultCases: ProviderCases = {
  'a poll that gets no news does not end the task': overFaultyLine(async (trial, line) => {
    const started = await startTask(trial, line)
    if (!started) return
    for (let faultAt = 0; faultAt < maxRequests; faultAt++) {
      for (const fault of noNews(line.elsewhere)) {
        const run = await pollWith(trial, line, started, fault, faultAt)
        if (!run) {
          faultAt = maxRequests
          break
        }
        const isNews = ['failed', 'succeeded'].includes(String(stateOf(run)))
        assert.ok(
          !isNews,
          `after ${inWords(fault)}, a poll must throw, or report unknown, refused or running, because the task goes on. The result: ${toldBy(run)}`,
        )
      }
    }
    const last = await finish(trial, started.running, started.provider)
    assert.equal(last.state, 'succeeded', `polls without news were followed by ${JSON.stringify(last)}`)
  }),

  'calls that wait for a silent vendor end when their signals abort': overFaultyLine(async (trial, line) => {
    const started = await startTask(trial, line)
    if (!started) return
    const { provider, running } = started
    await line.run((call) => provider.poll(running, call), 'silence')
    await line.run(async (call) => provider.find?.(running, { ...call, submittedAt: Date.now() }), 'silence')
    await line.run(async (call) => provider.cancel?.(running, call), 'silence')
  }),
}

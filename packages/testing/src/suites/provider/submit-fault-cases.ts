import assert from 'node:assert/strict'
import type { ProviderReport } from '@genmount/core'
import type { ProxyFault } from '../../fault-proxy/proxy-fault.ts'
import type { ProxiedRequest } from '../../fault-proxy/start-fault-proxy.ts'
import { checkReport } from './check-report.ts'
import {
  costlyRequest,
  type FaultyLine,
  type FaultyRun,
  inWords,
  overFaultyLine,
  stateOf,
  toldBy,
} from './faulty-line.ts'
import { type ProviderCases, type ProviderTrial, taskOf } from './task-run.ts'

/** The faults after which it is unknown whether the vendor has taken the task on. */
const uncertain: readonly ProxyFault[] = [
  'cut-before',
  'cut-after',
  'half-body',
  'silence',
  ...[500, 502, 504].map((status) => ({ status })),
]
const retryAfterMs = 7_000
const busy: ProxyFault = { status: 429, headers: { 'retry-after': `${retryAfterMs / 1000}` } }

/** Makes a submit in a new process. The request that starts the task fails. */
async function submitWith(trial: ProviderTrial, line: FaultyLine, fault?: ProxyFault) {
  const clean = await submitOnce(trial, line)
  return fault === undefined ? clean : submitOnce(trial, line, fault, costlyRequest(clean.requests))
}

async function submitOnce(trial: ProviderTrial, line: FaultyLine, fault?: ProxyFault, at?: number) {
  const [provider, task] = [line.connect(), await taskOf(trial)]
  const run = await line.run((call) => provider.submit(task, call), fault, at)
  if (run.outcome.status === 'fulfilled') checkReport(run.outcome.value)
  return run
}

const asks = ({ method, path }: ProxiedRequest) => `${method} ${path}`

/** Fails if the request that starts the task was sent again. */
function checkAskedOnce(after: string, { requests, faultAt }: FaultyRun<ProviderReport>): void {
  const place = faultAt ?? costlyRequest(requests)
  const question = asks(requests[place]!)
  const same = ({ body, ...request }: ProxiedRequest) =>
    asks(request as ProxiedRequest) === question &&
    (faultAt !== undefined || Buffer.from(body).equals(requests[place]!.body))
  const sent = requests.slice(faultAt ?? 0).filter(same).length
  assert.equal(
    sent,
    1,
    `one submit sends ${question} ${sent} times${after}: the vendor may make the task ${sent} times, and bill each`,
  )
}

/** The promises of a submit whose request fails on its way to the vendor or back. */
export const submitFaultCases: ProviderCases = {
  'a submit asks the vendor once, whatever becomes of the answer': overFaultyLine(async (trial, line) => {
    checkAskedOnce(', although nothing goes wrong', await submitWith(trial, line))
    for (const fault of [...uncertain, busy, { status: 401 }, { status: 503 }])
      checkAskedOnce(` after ${inWords(fault)}`, await submitWith(trial, line, fault))
  }),

  'a submit whose outcome nobody knows is neither refused nor failed': overFaultyLine(async (trial, line) => {
    for (const fault of uncertain) {
      const run = await submitWith(trial, line, fault)
      const state = stateOf(run)
      const words = `after ${inWords(fault)}, a submit has to throw, because the vendor may have taken the task on; ${toldBy(run)}`
      assert.notEqual(state, 'refused', `${words}: the service would submit it again, and pay twice`)
      assert.notEqual(state, 'failed', `${words}: a task that was paid for would be lost`)
    }
  }),

  'a submit that the vendor puts off is refused, for as long as the vendor says': overFaultyLine(
    async (trial, line) => {
      const run = await submitWith(trial, line, busy)
      assert.equal(
        stateOf(run),
        'refused',
        `after HTTP 429, a submit must report refused. The result: ${toldBy(run)}`,
      )
      const report = (run.outcome as PromiseFulfilledResult<ProviderReport>).value
      const pauseMs = report.state === 'refused' ? report.retryAfterMs : undefined
      assert.ok(
        pauseMs !== undefined && pauseMs >= retryAfterMs,
        `the vendor says Retry-After: 7 (seconds), and the report says ${pauseMs === undefined ? 'no retryAfterMs' : `retryAfterMs ${pauseMs}`} (milliseconds)`,
      )
    },
  ),

  'a submit without valid credentials has failed, and the account is at fault': overFaultyLine(
    async (trial, line) => {
      for (const status of [401, 403]) {
        const run = await submitWith(trial, line, { status })
        const { code, isAccountAtFault } = {
          ...(run.outcome as { readonly value?: object }).value,
        } as Record<string, unknown>
        assert.deepEqual(
          [stateOf(run), code, isAccountAtFault],
          ['failed', 'provider_rejected', true],
          `after HTTP ${status}, a submit must report failed with code 'provider_rejected' and isAccountAtFault true. The result: ${toldBy(run)}`,
        )
      }
    },
  ),

  'a submit follows no redirect': overFaultyLine(async (trial, line) => {
    for (const status of [302, 307]) {
      const location = `${line.elsewhere}/elsewhere`
      const run = await submitWith(trial, line, { status, headers: { location } })
      const [strayed] = line.strayed
      assert.equal(
        strayed,
        undefined,
        `after HTTP ${status}, the submit sends ${strayed?.method} to another host`,
      )
      const isTaken = ['running', 'succeeded'].includes(String(stateOf(run)))
      assert.ok(!isTaken, `a redirect is no answer of a vendor that has taken a task on; ${toldBy(run)}`)
    }
  }),

  'an answer to a submit that comes late is one like any other': overFaultyLine(
    async (trial, line, hosted) => {
      const { lateAnswerMs = 500 } = hosted
      const run = await submitWith(trial, line, { delayMs: lateAnswerMs })
      const words = `the answer comes after ${lateAnswerMs} ms, and ${toldBy(run)}`
      assert.equal(stateOf(run), stateOf(await submitWith(trial, line)), words)
    },
  ),
}

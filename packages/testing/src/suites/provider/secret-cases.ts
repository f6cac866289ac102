import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Provider, ProviderCall } from '@genmount/core'
import type { ProxyAnswer } from '../../fault-proxy/proxy-fault.ts'
import { type FaultyRun, inWords, overFaultyLine } from './faulty-line.ts'
import { startTask } from './poll-fault-cases.ts'
import { callbackUrlOf, now, type ProviderCases, taskOf } from './task-run.ts'

/**
 * Answers in which the vendor, or a proxy in front of it, repeats secrets, in the places where vendors put their
 * messages.
 */
function echoes(secrets: readonly string[], elsewhere: string): ProxyAnswer[] {
  const message = `Refused: ${secrets.join(' and ')}.`
  const error = { message, type: 'error', code: 'refused', status: 'REFUSED', details: message }
  const json = { detail: message, title: message, message, error }
  const location = `${elsewhere}/?key=${secrets.map(encodeURIComponent).join()}`
  return [
    ...[400, 401, 402, 403, 404, 422, 429, 500, 503].map((status) => ({ status, json })),
    ...[302, 307].map((status) => ({ status, json, headers: { location } })),
  ]
}

function checkNoSecret(call: string, after: string, outcome: unknown, secrets: readonly string[]): void {
  const text = inspect(outcome, { depth: 20, maxStringLength: Infinity })
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])
  assert.ok(
    !forms.some((form) => text.includes(form)),
    `a secret is in what ${call} ${after}, and would come into a job or into the log`,
  )
}

/** The reports and errors of a provider go into the job store, to the owner of the job, or into the log. */
export const secretCases: ProviderCases = {
  'no secret is in a report or in an error, though the vendor repeats it': overFaultyLine(
    async (trial, line, { secrets: keys }) => {
      /** Makes a call whose requests are answered with these replies, one after another. */
      async function checkCall(
        name: string,
        secrets: readonly string[],
        make: (provider: Provider, call: ProviderCall) => Promise<unknown>,
      ): Promise<void> {
        for (const fault of echoes(secrets, line.elsewhere)) {
          for (let faultAt = 0, isHit = true; isHit; faultAt++) {
            const provider = line.connect()
            const run = await line.run((call) => make(provider, call), fault, faultAt)
            check(name, fault, run, secrets)
            isHit = run.faultAt !== undefined
          }
        }
      }

      function check(
        name: string,
        fault: ProxyAnswer,
        { outcome }: FaultyRun<unknown>,
        secrets = keys,
      ): void {
        const how = outcome.status === 'rejected' ? 'throws' : 'reports'
        checkNoSecret(name, `${how} after ${inWords(fault)}`, outcome, secrets)
        const strayed = line.strayed.find(({ headers }) => keys.some((key) => inspect(headers).includes(key)))
        assert.equal(strayed, undefined, `after ${inWords(fault)}, ${name} sends a secret to another host`)
      }

      const started = await startTask(trial, line)
      if (started) checkNoSecret('submit', 'reports as the handle', started.running.handle, keys)
      const task = await taskOf(trial)
      // Providers that take no callbacks do not get the URL for callbacks.
      const { readCallback, callbacksAreHints } = trial.provider
      const hook = (readCallback || callbacksAreHints) && { callbackUrl: callbackUrlOf(task) }
      await checkCall('submit', [...keys, ...Object.values(hook ?? {})], (provider, call) =>
        provider.submit(task, { ...call, ...hook }),
      )
      await checkCall('find', keys, async (provider, call) =>
        provider.find?.(task, { ...call, ...hook, submittedAt: now(trial) }),
      )
      if (!started) return
      const { provider, running } = started
      for (const fault of echoes(keys, line.elsewhere)) {
        check('poll', fault, await line.run((call) => provider.poll(running, call), fault))
        check('cancel', fault, await line.run(async (call) => provider.cancel?.(running, call), fault))
      }
    },
  ),
}

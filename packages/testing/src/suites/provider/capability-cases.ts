import assert from 'node:assert/strict'
import type { CallbackRequest } from '@genmount/core'
import { checkReport } from './check-report.ts'
import { runningTask, settledSoon, submit, taskOf, untroubled, type ProviderCases } from './task-run.ts'

/** Cases of optional methods; a provider without them has nothing to prove. */
export const capabilityCases: ProviderCases = {
  'one client token is one task, where the provider dedupes': async (trial) => {
    if (!trial.provider.dedupesSubmits) return
    const task = await taskOf(trial)
    const first = await submit(trial, task)
    const second = await submit(trial, task, await trial.reconnect?.())
    if (first.state === 'running' && second.state === 'running') assert.deepEqual(second.handle, first.handle)
  },

  'a task is found by its client token, and an unknown token is not found': async (trial) => {
    const { provider } = trial
    if (!provider.find) return
    const task = await taskOf(trial)
    assert.equal(await provider.find(task, untroubled()), undefined)
    await submit(trial, task)
    const another = (await trial.reconnect?.()) ?? provider
    const found = await another.find?.(task, untroubled())
    assert.ok(found, 'a task that was submitted is not found')
    assert.notEqual(checkReport(found).state, 'refused')
    assert.equal(await provider.find(await taskOf(trial), untroubled()), undefined)
  },

  'a running task can be cancelled, once and twice': async (trial) => {
    const task = await taskOf(trial)
    const running = runningTask(task, await submit(trial, task))
    if (!running || !trial.provider.cancel) return
    await trial.provider.cancel(running, untroubled())
    await settledSoon(trial.provider.cancel(running, untroubled()))
  },

  'a callback that nobody signed is refused': async ({ provider }) => {
    const body = (text: string) => new TextEncoder().encode(text)
    const forged: CallbackRequest[] = [
      { headers: {}, body: body('') },
      { headers: {}, body: body('{}') },
      { headers: { 'content-type': 'application/json' }, body: body('{"id":"1","status":"succeeded"}') },
    ]
    for (const request of forged) {
      if (provider.readCallback)
        await assert.rejects(provider.readCallback(request), 'a forged callback is taken')
    }
  },
}

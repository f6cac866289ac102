import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { CallbackRequest, ProviderTask } from '@genmount/core'
import { checkReport } from './check-report.ts'
import { findFaultCases } from './find-fault-cases.ts'
import {
  callbackUrlOf,
  now,
  runningTask,
  settledSoon,
  submit,
  taskOf,
  untroubled,
  type ProviderCases,
} from './task-run.ts'

/** The members that a provider may lack, and that cases are about. */
export type OptionalMember = 'cancel' | 'dedupesSubmits' | 'find' | 'list' | 'readCallback'

/** The cases of each member that a provider may lack. They run only for a provider that has it. */
export const capabilityCases: Readonly<Record<OptionalMember, ProviderCases>> = {
  dedupesSubmits: {
    'one client token is one task, where the provider dedupes': async (trial) => {
      const task = await taskOf(trial)
      const first = await submit(trial, task)
      const second = await submit(trial, task, { provider: await trial.reconnect?.() })
      if (first.state === 'running' && second.state === 'running')
        assert.deepEqual(second.handle, first.handle)
    },
  },

  find: {
    'a task is found by its client token or callback URL, and no other is': async (trial) => {
      const { find } = trial.provider
      const submittedAt = now(trial)
      const findBy = async (sought: ProviderTask, search = find!) => {
        const call = { ...untroubled(), callbackUrl: callbackUrlOf(sought), submittedAt }
        const report = await search(sought, call)
        return report && checkReport(report).state
      }
      const isFound = (state: string | undefined) => state !== undefined && state !== 'unknown'
      const [task, other] = [await taskOf(trial), await taskOf(trial)]
      assert.ok(!isFound(await findBy(task)), 'a task is found that was not submitted yet')
      await submit(trial, task, { callbackUrl: callbackUrlOf(task) })
      const state = await findBy(task, (await trial.reconnect?.())?.find)
      assert.ok(isFound(state) && state !== 'refused', `a task that was submitted is not found: ${state}`)
      assert.ok(!isFound(await findBy(other)), 'another task is found that was never submitted')
    },

    ...findFaultCases,
  },

  list: {
    'a task that was submitted is in the list, where the provider lists tasks': async (trial) => {
      const task = await taskOf(trial)
      const running = runningTask(task, await submit(trial, task))
      if (!running) return
      const handles: unknown[] = []
      for await (const { handle, clientToken } of trial.provider.list!(0, untroubled().signal))
        handles.push(clientToken === task.clientToken ? running.handle : handle)
      assert.ok(
        handles.some((handle) => isDeepStrictEqual(handle, running.handle)),
        `the task ${JSON.stringify(running.handle)} is not in the list: genmount reconcile would not know it`,
      )
    },
  },

  cancel: {
    'a running task can be canceled, once and twice': async (trial) => {
      const task = await taskOf(trial)
      const running = runningTask(task, await submit(trial, task))
      if (!running) return
      await trial.provider.cancel!(running, untroubled())
      await settledSoon(trial, trial.provider.cancel!(running, untroubled()))
    },
  },

  readCallback: {
    'a callback that nobody signed is refused': async ({ provider }) => {
      const body = (text: string) => new TextEncoder().encode(text)
      const forged: CallbackRequest[] = [
        { headers: {}, body: body('') },
        { headers: {}, body: body('{}') },
        { headers: { 'content-type': 'application/json' }, body: body('{"id":"1","status":"succeeded"}') },
      ]
      for (const request of forged)
        await assert.rejects(provider.readCallback!(request), 'a forged callback is taken')
    },
  },
}

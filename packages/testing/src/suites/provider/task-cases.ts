import assert from 'node:assert/strict'
import { taskIdOf } from '@genmount/core'
import { checkReport } from './check-report.ts'
import {
  finish,
  modelOf,
  runningTask,
  settledSoon,
  submit,
  taskOf,
  untroubled,
  type ProviderCases,
} from './task-run.ts'

export const taskCases: ProviderCases = {
  'a sample ends in outputs that can be had, of the kind the model makes': async (trial) => {
    const { fetch = globalThis.fetch } = trial
    const task = await taskOf(trial)
    const first = await submit(trial, task)
    const running = runningTask(task, first)
    const last = running ? await finish(trial, running) : first
    assert.equal(last.state, 'succeeded', JSON.stringify(last))
    if (last.state !== 'succeeded') return
    for (const output of last.outputs) {
      const { contentType = modelOf(trial).outputKind } = output
      assert.ok(contentType.startsWith(modelOf(trial).outputKind), `the output is ${contentType}`)
      if ('bytes' in output) continue
      const reply = await fetch(output.url)
      assert.ok(reply.ok, `${output.url} answers ${reply.status}`)
      assert.ok((await reply.arrayBuffer()).byteLength > 0, `${output.url} is empty`)
    }
  },

  'a task is found again by its handle, by another instance and after a trip through JSON': async (trial) => {
    const task = await taskOf(trial)
    const first = await submit(trial, task)
    const running = runningTask(task, first)
    if (!running) return
    const another = await trial.reconnect?.()
    const last = await finish(trial, running, another)
    assert.equal(last.state, 'succeeded', JSON.stringify(last))
  },

  'a task of a vendor has the vendor’s id as its handle, or in its handle as the text `id`': async (
    trial,
  ) => {
    // A provider that works in this process has no vendor whose dashboard shows an id.
    if (!trial.hosted) return
    const task = await taskOf(trial)
    const running = runningTask(task, await submit(trial, task))
    if (!running) return
    const { handle } = running
    assert.ok(
      taskIdOf({ handle }),
      `operators can not find the job of the task with the handle ${JSON.stringify(handle)}`,
    )
  },

  'a poll can be made again, also of a task that has finished': async (trial) => {
    const task = await taskOf(trial)
    const running = runningTask(task, await submit(trial, task))
    if (!running) return
    for (let round = 0; round < 3; round++) checkReport(await trial.provider.poll(running, untroubled()))
    const last = await finish(trial, running)
    const again = checkReport(await trial.provider.poll(running, untroubled()))
    assert.equal(again.state, last.state)
    if (again.state !== 'succeeded' || last.state !== 'succeeded') return
    assert.equal(again.outputs.length, last.outputs.length)
    assert.deepEqual([again.costUsd, again.inferenceMs], [last.costUsd, last.inferenceMs])
  },

  'two tasks at a time are two tasks': async (trial) => {
    const reports = [await submit(trial, await taskOf(trial)), await submit(trial, await taskOf(trial))]
    const handles = reports.flatMap((report) =>
      report.state === 'running' ? [JSON.stringify(report.handle)] : [],
    )
    assert.equal(new Set(handles).size, handles.length, 'two tasks have one handle')
  },

  'a submit whose signal has aborted returns promptly': async (trial) => {
    await settledSoon(trial, trial.provider.submit(await taskOf(trial), { signal: AbortSignal.abort() }))
  },

  'a submit whose signal aborts on the way returns promptly': async (trial) => {
    const aborting = new AbortController()
    const answer = trial.provider.submit(await taskOf(trial), { signal: aborting.signal })
    aborting.abort()
    await settledSoon(trial, answer)
  },

  'a poll whose signal aborts returns promptly': async (trial) => {
    const task = await taskOf(trial)
    const running = runningTask(task, await submit(trial, task))
    if (!running) return
    await settledSoon(trial, trial.provider.poll(running, { signal: AbortSignal.abort() }))
    const aborting = new AbortController()
    const answer = trial.provider.poll(running, { signal: aborting.signal })
    aborting.abort()
    await settledSoon(trial, answer)
  },

  'a task that the vendor does not know is unknown now, and not failed for one such answer': async (
    trial,
  ) => {
    const { provider, unknownHandle } = trial
    if (unknownHandle === undefined) return
    const task = await taskOf(trial)
    const report = checkReport(await provider.poll({ ...task, handle: unknownHandle }, untroubled()))
    assert.equal(report.state, 'unknown', JSON.stringify(report))
  },

  'a handle that was never given neither succeeds nor fails at the first answer': async (trial) => {
    const task = await taskOf(trial)
    for (const handle of [null, 'no such task', { id: 'no such task' }]) {
      const outcome = await settledSoon(trial, trial.provider.poll({ ...task, handle }, untroubled()))
      if (outcome.status === 'rejected') continue
      const { state } = checkReport(outcome.value)
      assert.ok(state !== 'succeeded' && state !== 'failed', `handle ${JSON.stringify(handle)} has ${state}`)
    }
  },
}

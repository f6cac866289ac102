import type { ProviderReport, ProviderTask } from '@genmount/core'
import { afterEach, expect, test } from 'vitest'
import { type WorkerPool, workerPool } from '../pool/worker-pool.ts'
import { type FinishedReport, localTasks, type LocalTasks, type LocalTasksOptions } from './local-tasks.ts'

const call = { signal: new AbortController().signal }
const unhurried = { signal: AbortSignal.abort() }
const closed: LocalTasks[] = []

/** The script of a worker thread: it doubles the number in the input of a task. */
const script = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ number }) => {
    if (number === 0) throw new Error('no such file: /srv/secret/0')
    if (number < 0) for (;;);
    parentPort.postMessage(Uint8Array.of(number * 2))
  })`

/** Tasks made by one thread, and the orders that the thread has received. */
function tasksBy(options: Partial<LocalTasksOptions> = {}) {
  const pool: WorkerPool<unknown, Uint8Array> = workerPool(
    new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    1,
  )
  const orders: unknown[] = []
  const tasks = localTasks({
    async make({ input }, signal): Promise<FinishedReport> {
      orders.push(input)
      return { state: 'succeeded', outputs: [{ bytes: await pool.run(input, signal) }] }
    },
    close: () => pool.close(),
    ...options,
  })
  closed.push(tasks)
  return { tasks, orders }
}

afterEach(async () => {
  await Promise.all(closed.splice(0).map((tasks) => tasks.close()))
})

const task = (number: number, clientToken = `token ${number}`): ProviderTask => ({
  jobId: 'job',
  model: 'model',
  input: { number },
  clientToken,
})

const made = (number: number): ProviderReport => ({
  state: 'succeeded',
  outputs: [{ bytes: Uint8Array.of(number) }],
})

async function finished(
  tasks: LocalTasks,
  task: ProviderTask,
  first?: ProviderReport,
): Promise<ProviderReport> {
  let report = first ?? (await tasks.submit(task, call))
  while (report.state === 'running') {
    const { handle, pollAfterMs } = report
    await new Promise((resolve) => setTimeout(resolve, pollAfterMs))
    report = await tasks.poll({ ...task, handle }, call)
  }
  return report
}

test('two submits with the same client token run one task', async () => {
  const { tasks, orders } = tasksBy()
  await Promise.all([tasks.submit(task(4), call), tasks.submit(task(4), call)])
  expect(await finished(tasks, task(4))).toEqual(made(8))
  expect(orders).toHaveLength(1)
  expect(tasks.dedupesSubmits).toBe(true)
})

test('a task whose process has ended is run again by the process that polls it', async () => {
  const [before, after] = [tasksBy(), tasksBy()]
  const begun = await before.tasks.submit(task(4), unhurried)
  if (begun.state !== 'running') throw new Error('An aborted submit is expected not to wait.')
  await before.tasks.close()
  expect(await after.tasks.poll({ ...task(4), handle: begun.handle }, call)).toEqual(begun)
  expect(await finished(after.tasks, task(4), begun)).toEqual(made(8))
})

test('reports that nobody polls take at most keptBytes, and a task whose report was dropped is run again', async () => {
  const { tasks, orders } = tasksBy({ keptBytes: 100 })
  await finished(tasks, task(1))
  await finished(tasks, task(2))
  expect(await tasks.poll({ ...task(2), handle: null }, call)).toEqual(made(4))
  expect(orders).toHaveLength(2)
  expect(await finished(tasks, task(1))).toEqual(made(2))
  expect(orders).toHaveLength(3)
})

test('a canceled task frees its thread for the next task', async () => {
  const { tasks } = tasksBy()
  await tasks.submit(task(-1), unhurried)
  await tasks.cancel({ ...task(-1), handle: null }, call)
  expect(await finished(tasks, task(4))).toEqual(made(8))
})

test('a poll of a canceled task does not start the task again', async () => {
  const { tasks, orders } = tasksBy()
  await tasks.submit(task(-1), unhurried)
  const running = { ...task(-1), handle: null }
  await tasks.cancel(running, call)
  expect(await tasks.poll(running, call)).toMatchObject({ state: 'failed', costUsd: 0 })
  expect(orders).toHaveLength(1)
})

test('a task that is canceled after it has finished keeps its outputs', async () => {
  const { tasks } = tasksBy()
  await finished(tasks, task(4))
  const ended = { ...task(4), handle: null }
  await tasks.cancel(ended, call)
  expect(await tasks.poll(ended, call)).toEqual(made(8))
})

test('a task that close() cuts short is running, and has not failed', async () => {
  const { tasks } = tasksBy()
  await tasks.submit(task(-1), unhurried)
  await tasks.close()
  expect(await tasks.submit(task(-1), call)).toMatchObject({ state: 'running' })
})

test('a submit is refused for a while when the tasks of its owner hold maxInputLength, and all other tasks go on', async () => {
  const { tasks } = tasksBy({ maxInputLength: 100_000 })
  const large = (token: string, owner: string, number = -1): ProviderTask => ({
    ...task(number, token),
    input: { number, pictures: ['x'.repeat(20_000)] },
    owner,
  })
  const stateOf = async (task: ProviderTask) => (await tasks.submit(task, unhurried)).state
  expect([await stateOf(large('a1', 'alice')), await stateOf(large('a2', 'alice'))]).toEqual([
    'running',
    'running',
  ])
  expect(await tasks.submit(large('a3', 'alice'), call)).toEqual({
    state: 'refused',
    message: 'Too many tasks are waiting for a worker at present.',
    retryAfterMs: 2000,
  })
  expect(await stateOf(large('a1', 'alice'))).toBe('running')
  expect(await stateOf(large('b1', 'bob'))).toBe('running')
  // A task that belonged to another process.
  const lost = { ...large('a4', 'alice'), handle: 'a4' }
  expect((await tasks.poll(lost, call)).state).toBe('refused')
  for (const clientToken of ['a1', 'a2', 'b1'])
    await tasks.cancel({ ...large(clientToken, 'alice'), handle: null }, call)
  expect(await finished(tasks, large('a3', 'alice', 4))).toEqual(made(8))
  for (let i = 0; i < 10; i++)
    expect(await finished(tasks, large(`c${i}`, 'alice', 4))).toMatchObject({ state: 'succeeded' })
  // A task that is larger than the whole room is accepted when it is the only one.
  const huge = { ...large('d', 'alice', 4), input: { number: 4, picture: 'x'.repeat(200_000) } }
  expect(await finished(tasks, huge)).toEqual(made(8))
})

test.each([
  [{ maxInputLength: 0 }, 'localTasks: maxInputLength must be a whole number of at least 1, not 0.'],
  [{ keptBytes: -1 }, 'localTasks: keptBytes must be a whole number of at least 0, not -1.'],
])('localTasks throws a TypeError for the option %j', (options, message) => {
  expect(() => tasksBy(options)).toThrow(new TypeError(message))
})

test('a task that breaks its thread fails with the reason as its cause, and without the reason in its message', async () => {
  const report = await finished(tasksBy().tasks, task(0))
  expect(report).toMatchObject({
    state: 'failed',
    code: 'provider_failed',
    cause: { message: expect.stringContaining('/srv/secret/0') },
  })
  expect('message' in report && report.message).toBe('The work on this job failed unexpectedly.')
})

/** Tasks that never end, and a function that tells how far they are. */
function tellingTasks() {
  let tell: Parameters<LocalTasksOptions['make']>[2] = () => {}
  const make: LocalTasksOptions['make'] = (_task, _signal, told) => {
    tell = told
    return new Promise(() => {})
  }
  return { ...tasksBy({ make }), tell: (...news: Parameters<typeof tell>) => tell(...news) }
}

test('a preview of a task is in one report', async () => {
  const { tasks, tell } = tellingTasks()
  const preview = { bytes: new Uint8Array([1]), contentType: 'image/jpeg' }
  await tasks.submit(task(1), unhurried)
  tell(0.25, preview)
  tell(0.5)
  const poll = () => tasks.poll({ ...task(1), handle: 'token 1' }, call)
  expect(await poll()).toMatchObject({ progress: 0.5, preview })
  expect(await poll()).not.toHaveProperty('preview')
})

test('the progress of a task is in the report of each poll as soon as the work has posted it', async () => {
  const { tasks, tell } = tellingTasks()
  expect(await tasks.submit(task(1), unhurried)).not.toHaveProperty('progress')
  for (const progress of [0, 0.5, 1]) {
    tell(progress)
    expect(await tasks.poll({ ...task(1), handle: 'token 1' }, call)).toMatchObject({
      state: 'running',
      progress,
    })
  }
})

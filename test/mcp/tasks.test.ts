import { expect, onTestFinished, test, vi } from 'vitest'
import { modernRequest } from './modern-request.ts'
import { keys, mcpService } from './servers/mcp-service.ts'

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

function start() {
  const { service, handle, provider } = mcpService()
  service.start()
  onTestFinished(async () => void (await service.close()))
  const ask = async (
    method: string,
    params: Readonly<Record<string, unknown>>,
    capabilities: object = tasks,
  ) => {
    const headers = { authorization: `Bearer ${keys.alice}` }
    const response = await handle(modernRequest(method, params, headers, undefined, capabilities))
    return (await response.json()) as Answer
  }
  const film = async (args: object, capabilities?: object) =>
    (
      await ask(
        'tools/call',
        { name: 'generate_video', arguments: { prompt: 'a kite', ...args } },
        capabilities,
      )
    ).result!
  return { ask, film, provider }
}

test('generate_video returns a task, whose id is the id of its job, to clients that support tasks', async () => {
  const { ask, film } = start()
  const task = await film({ delay_ms: 2000, cost_usd: 1.5 })
  expect(task).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 3000 })
  const { taskId } = task as { taskId: string }
  expect((await ask('tools/call', { name: 'get_job', arguments: { job_id: taskId } })).result).toMatchObject({
    structuredContent: { job_id: taskId },
  })
  await vi.waitFor(
    async () => expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' }),
    { timeout: 60_000, interval: 300 },
  )
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({
    resultType: 'complete',
    taskId,
    result: { structuredContent: { job_id: taskId, status: 'completed', cost_usd: 1.5 } },
  })
})

test('tasks/cancel cancels the job of a task', async () => {
  const { ask, film } = start()
  const { taskId } = await film({ delay_ms: 600_000 })
  expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' })
  await vi.waitFor(
    async () => expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' }),
    { timeout: 60_000, interval: 300 },
  )
  expect((await ask('tasks/cancel', { taskId })).error).toBeUndefined()
})

test('the task of a job that fails is completed, and its result is the error', async () => {
  const { ask, film } = start()
  const { taskId } = await film({ delay_ms: 500, fail: 'content_policy' })
  await vi.waitFor(
    async () =>
      expect((await ask('tasks/get', { taskId })).result).toMatchObject({
        status: 'completed',
        result: { isError: true, structuredContent: { status: 'failed' } },
      }),
    { timeout: 60_000, interval: 300 },
  )
})

test('generate_video returns no task to a client that does not support tasks or calls with wait: false', async () => {
  const { film } = start()
  expect(await film({ delay_ms: 500 }, {})).toMatchObject({
    resultType: 'complete',
    structuredContent: { status: 'completed' },
  })
  const unwaited = await film({ delay_ms: 500, wait: false })
  expect(unwaited).toMatchObject({ resultType: 'complete', structuredContent: { status: 'processing' } })
})

test('tasks/get, tasks/update and tasks/cancel answer with an error for an unknown task', async () => {
  const { ask } = start()
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await ask(method, { taskId: 'gen_none' })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('job_not_found'),
    })
    expect((await ask(method, {})).error?.code).toBe(-32602)
  }
})

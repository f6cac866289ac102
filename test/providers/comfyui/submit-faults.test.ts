import { expect, test } from 'vitest'
import { comfyuiWorld, nonsense } from './comfyui-world.ts'
import { knownId } from './fake-comfyui.ts'
import type { Trouble } from '../vendor-server.ts'

/** Runs one job whose submit meets the faults and whose later requests succeed. Returns the outcome. */
async function outcomeOf(
  troubles: Trouble[],
  input: object = {},
  options: { ignoresPromptIds?: boolean } = {},
) {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5, ...options })
  comfyui.trouble('POST /prompt', ...troubles)
  const job = await finished(await create(input))
  const submits = comfyui.requests.filter(({ url }) => url.pathname === '/prompt').length
  return {
    verdict: job.error?.code ?? job.phase,
    message: job.error?.message,
    ran: comfyui.ledger.length,
    submits,
  }
}

test.each([
  [
    'a wrong model file',
    { checkpoint: 'gone.safetensors' },
    "CheckpointLoaderSimple (node 4): Value not in list: ckpt_name: 'gone.safetensors' not in",
  ],
  ['a number that is too small', { steps: 0 }, 'KSampler (node 3): Value 0 smaller than min of 1: steps'],
])(
  'a ComfyUI job with %s fails as provider_rejected with the words of the node',
  async (_what, input, words) => {
    const { verdict, message, ran } = await outcomeOf([], input)
    expect([verdict, ran]).toEqual(['provider_rejected', 0])
    expect(message).toContain(words)
  },
)

test('the error of a job contains the reason for which ComfyUI refuses the whole workflow', async () => {
  const error = {
    type: 'invalid_prompt',
    message: 'Cannot execute because node UnknownNode does not exist.',
    details: "Node ID '#12'",
    extra_info: {},
  }
  const { message } = await outcomeOf([{ instead: { status: 400, json: { error, node_errors: {} } } }])
  expect(message).toBe("Cannot execute because node UnknownNode does not exist.: Node ID '#12'")
})

test.each(Object.entries(nonsense))(
  'a task that ComfyUI has accepted with the answer %s is found again and runs once',
  async (_what, reply) => {
    const { verdict, ran, submits } = await outcomeOf([{ after: () => reply }])
    expect([verdict, ran, submits]).toEqual(['completed', 1, 1])
  },
)

test.each(Object.entries(nonsense))(
  'a task that never came to ComfyUI, for %s, is submitted again and runs once',
  async (_what, instead) => {
    const { verdict, ran, submits } = await outcomeOf([{ instead }])
    expect([verdict, ran, submits]).toEqual(['completed', 1, 2])
  },
)

test('a job fails at once if ComfyUI is too old to accept prompt ids', async () => {
  const { verdict, message } = await outcomeOf([], {}, { ignoresPromptIds: true })
  expect([verdict, message]).toEqual(['provider_rejected', expect.stringContaining('Update it')])
})

test('a prompt that ComfyUI has taken under an id of its own is taken out of its queue, waiting or running', async () => {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 600_000, ignoresPromptIds: true })
  const queue = async () =>
    (await (await fetch(`${comfyui.origin}/queue`)).json()) as {
      queue_running: unknown[][]
      queue_pending: unknown[]
    }
  await finished(await create({}))
  expect([comfyui.ledger.length, comfyui.interrupts, await queue()]).toEqual([
    1,
    1,
    { queue_running: [], queue_pending: [] },
  ])
  const [id] = comfyui.ledger
  const prompt = comfyui.workflows.get(id!)
  await fetch(`${comfyui.origin}/prompt`, { method: 'POST', body: JSON.stringify({ prompt }) })
  await finished(await create({}))
  expect([comfyui.ledger.length, comfyui.interrupts]).toEqual([3, 1])
  const { queue_running, queue_pending } = await queue()
  expect([queue_running.map((entry) => entry[1]), queue_pending]).toEqual([[comfyui.ledger[1]], []])
})

test('a task that a proxy has sent to ComfyUI twice runs once and completes', async () => {
  const { verdict, ran, submits } = await outcomeOf([{ after: () => knownId }])
  expect([verdict, ran, submits]).toEqual(['completed', 1, 1])
})

test('a submit that ComfyUI answers with 409 for another reason than the prompt id fails as provider_rejected', async () => {
  const { verdict, message, ran } = await outcomeOf([
    { instead: { status: 409, json: { error: 'The GPU is reserved.' } } },
  ])
  expect([verdict, message, ran]).toEqual(['provider_rejected', 'The GPU is reserved.', 0])
})

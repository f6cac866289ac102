import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { launchServer, scriptCommand } from '../processes/start-server.ts'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'

/** A vendor that takes a task on and writes it into its ledger, which is what it is paid for. */
async function vendor({ answersSubmits = true } = {}) {
  const ledger: string[] = []
  const state = { polls: 0, isDone: false }
  const address = await served((req, res) => {
    const token = req.url!.slice(1)
    if (req.method !== 'POST') return res.end((state.polls++, state.isDone) ? 'succeeded' : 'running')
    ledger.push(token)
    if (answersSubmits) res.end(token)
  })
  return { address, ledger, state }
}

/** A server that is killed in the middle of a request of OpenAI's SDK, and one that comes after it on the same port. */
async function killing(address: string, isKilledWhen: () => boolean, ...more: readonly string[]) {
  const port = String(await freePort())
  const file = join(temporaryFolder(), 'jobs.db')
  const script = new URL('servers/killed-server.ts', import.meta.url)
  const command = scriptCommand('node', script, port, file, address, ...more)
  const first = await launchServer(command)
  const baseURL = `http://127.0.0.1:${port}/openai/v1`
  const sdk = new OpenAI({ apiKey: 'alice-key', baseURL, maxRetries: 20 })
  const answer = sdk.images.generate({ model: 'painter', prompt: 'a fox' })
  await until(isKilledWhen)
  await first.process.kill()
  const second = await launchServer(command)
  return { answer, stop: () => second.process.kill() }
}

test("after kill -9 while the vendor works, the SDK's own retry gets the picture from the next process, and one submit is paid", async () => {
  const taking = await vendor()
  await expectOnePicture(taking, await killing(taking.address, () => taking.state.polls > 0))
}, 120_000)

test("after kill -9 between the vendor's submit and its answer, the SDK's own retry gets the picture of that submit", async () => {
  const silent = await vendor({ answersSubmits: false })
  await expectOnePicture(silent, await killing(silent.address, () => silent.ledger.length > 0, 'lists'))
}, 120_000)

/** Lets the vendor finish, and expects that the SDK gets one picture, for which the vendor was paid once. */
async function expectOnePicture(
  { ledger, state }: Awaited<ReturnType<typeof vendor>>,
  { answer, stop }: Awaited<ReturnType<typeof killing>>,
): Promise<void> {
  state.isDone = true
  try {
    expect((await answer).data).toHaveLength(1)
    expect(ledger).toHaveLength(1)
  } finally {
    await stop()
  }
}

test('after such a kill -9, a vendor whose tasks can not be found is not paid again: the SDK gets an error that it does not repeat', async () => {
  const { address, ledger } = await vendor({ answersSubmits: false })
  const { answer, stop } = await killing(address, () => ledger.length > 0)
  try {
    await expect(answer).rejects.toMatchObject({ status: 500, code: 'submit_ambiguous' })
    expect(ledger).toHaveLength(1)
  } finally {
    await stop()
  }
}, 120_000)

import { expect, onTestFinished } from 'vitest'
import { launch } from '../processes/launch.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { redisOfTest } from './redis-server.ts'
import { startMuteRedis } from './start-mute-redis.ts'

/**
 * How the port of a Redis in a state is made, with what happens to the Redis before the node stops, and how long the
 * process of the node may take to end, in milliseconds from when the node has stopped.
 */
interface RedisState {
  open(onFinished: typeof onTestFinished): Promise<{ readonly port: number; spoil?(): unknown }>
  readonly endsWithinMs: number
}

const mute = (infos: number) => async (onFinished: typeof onTestFinished) => ({
  port: await startMuteRedis(infos, onFinished),
})
const troubled = (trouble?: 'freeze' | 'kill') => async (onFinished: typeof onTestFinished) => {
  const redis = await redisOfTest(onFinished)
  return { port: redis.port, ...(trouble && { spoil: redis[trouble] }) }
}

// Timers inside BullMQ, which no other code can cancel, wait for 11 seconds at the most. A loaded machine takes longer.
export const redisStates: Readonly<Record<string, RedisState>> = {
  'is well': { open: troubled(), endsWithinMs: 8000 },
  'was never there': { open: async () => ({ port: 1 }), endsWithinMs: 8000 },
  'has answered nothing since it was ready': { open: mute(1), endsWithinMs: 6000 },
  'has answered only the connection that waits for jobs': { open: mute(2), endsWithinMs: 6000 },
  'is frozen': { open: troubled('freeze'), endsWithinMs: 10_000 },
  'has died': { open: troubled('kill'), endsWithinMs: 20_000 },
}

/** Checks that a node stops and its process ends when a Redis of its own is in this state. */
export async function endsAfterStop(state: string, onFinished: typeof onTestFinished): Promise<void> {
  const { open, endsWithinMs } = redisStates[state]!
  const { port, spoil } = await open(onFinished)
  await endsInTime([String(port)], endsWithinMs, onFinished, spoil)
}

/**
 * Tells a started `stop-and-end.ts` to stop. Checks that its scheduler stops within 3 seconds, and that the process then
 * ends by itself in time.
 * @param spoil is called before the stop
 */
export async function endsInTime(
  args: readonly string[],
  endsWithinMs: number,
  onFinished = onTestFinished,
  spoil?: () => unknown,
): Promise<void> {
  const node = launch(scriptCommand('node', new URL('processes/stop-and-end.ts', import.meta.url), ...args))
  onFinished(async () => void (await node.kill()))
  await node.heard(/started/)
  await spoil?.()
  node.tell('stop')
  const [stoppedAfterMs] = await node.heard(/^\d+$/m)
  const stoppedAt = performance.now()
  expect(Number(stoppedAfterMs)).toBeLessThan(3000)
  expect(await node.ended).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(endsWithinMs)
}

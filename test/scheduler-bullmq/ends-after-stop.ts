import { expect, onTestFinished } from 'vitest'
import { launch } from '../processes/launch.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { startRedis } from './redis-server.ts'
import { startMuteRedis } from './start-mute-redis.ts'

interface RedisState {
  /** @returns the port of a Redis in this state. @default a Redis that is well */
  start?(onFinished: typeof onTestFinished): number | Promise<number>
  /** What happens to the Redis before the node stops. */
  readonly trouble?: 'freeze' | 'kill'
  /** How long the process of the node may take to end, in milliseconds from when the node has stopped. */
  readonly endsWithinMs: number
}

// Timers inside BullMQ, which no other code can cancel, wait for 11 seconds at the most. A loaded machine takes longer.
export const redisStates: Readonly<Record<string, RedisState>> = {
  'is well': { endsWithinMs: 8000 },
  'was never there': { start: () => 1, endsWithinMs: 8000 },
  'has answered nothing since it was ready': {
    start: (onFinished) => startMuteRedis(1, onFinished),
    endsWithinMs: 6000,
  },
  'has answered only the connection that waits for jobs': {
    start: (onFinished) => startMuteRedis(2, onFinished),
    endsWithinMs: 6000,
  },
  'is frozen': { trouble: 'freeze', endsWithinMs: 10_000 },
  'has died': { trouble: 'kill', endsWithinMs: 20_000 },
}

/** Checks that a node stops and its process ends when a Redis of its own is in this state. */
export async function endsAfterStop(state: string, onFinished: typeof onTestFinished): Promise<void> {
  const { start, trouble, endsWithinMs } = redisStates[state]!
  if (start) return endsInTime([String(await start(onFinished))], endsWithinMs, onFinished)
  const redis = await startRedis()
  onFinished(async () => void (await redis.stop()))
  const spoil = async () => trouble && (await redis[trouble]())
  await endsInTime([String(redis.port)], endsWithinMs, onFinished, spoil)
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
  spoil: () => unknown = () => {},
): Promise<void> {
  const script = new URL('processes/stop-and-end.ts', import.meta.url)
  const node = launch(scriptCommand('node', script, ...args))
  onFinished(async () => void (await node.kill()))
  await node.heard(/started/)
  await spoil()
  node.tell('stop')
  const [stoppedAfterMs] = await node.heard(/^\d+$/m)
  const stoppedAt = performance.now()
  expect(Number(stoppedAfterMs)).toBeLessThan(3000)
  expect(await node.ended).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(endsWithinMs)
}

export { bullmqScheduler, type BullmqSchedulerOptions } from './redis/bullmq-scheduler.ts'
export type { RedisClusterClient } from './redis/redis-connection.ts'
export {
  redisSignals,
  type RedisPublisher,
  type RedisSignalsOptions,
  type RedisSubscriber,
} from './redis/redis-signals.ts'

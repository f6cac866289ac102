import { type Check, checkObject, text } from '@genmount/core'
import type { ConnectionOptions, RedisOptions } from 'bullmq'

/** The part of a Redis Cluster's client that `bullmqScheduler` uses. A `Cluster` of ioredis fits. */
export interface RedisClusterClient {
  /** `true` for the client of a cluster. */
  readonly isCluster: boolean
  /** The options of the client. */
  readonly options: {
    /** Must be absent, because BullMQ does not work with one. */
    readonly keyPrefix?: string | undefined
    /** The options of the client's connections to the servers. */
    readonly redisOptions?: object | undefined
  }
  /** Makes a client of the same cluster with connections of its own. */
  duplicate(startupNodes: [], options: object): unknown
}

/** How BullMQ connects, and where it keeps the keys of a queue. */
export interface BullmqConnection {
  readonly connection: ConnectionOptions
  /** What all keys of the queue begin with. */
  readonly prefix: string
  /** Ends what BullMQ leaves open when it closes. */
  end(): void
}

/** The part of a duplicated client that is used here. */
interface OwnCluster {
  on(event: 'error', listener: () => void): unknown
  disconnect(): void
}

const examples = '{ host, port }, or a Cluster of ioredis'
/** How long a connection may take to end, in milliseconds. */
const disconnectTimeout = 500

/** Checks how to connect. @throws TypeError that names the option */
export const checkConnection: Check<RedisOptions | RedisClusterClient> = (name, value) => {
  const connection = checkObject(name, value, ` such as { url: 'redis://host:6379' } or ${examples}`)
  const isClient = typeof connection['duplicate'] === 'function'
  if (isClient && connection['isCluster'] !== true)
    throw new TypeError(`${name} must be the options of a client, such as ${examples}, not another client.`)
  const { keyPrefix } = ((isClient && connection['options']) || connection) as RedisOptions
  if (keyPrefix) throw new TypeError(`${name} must have no keyPrefix, because BullMQ does not work with one.`)
  if ('url' in connection)
    text('the URL of a Redis server', /^rediss?:\/\//)(`${name}.url`, connection['url'])
  return connection as RedisOptions | RedisClusterClient
}

/** Prepares the connection for BullMQ. The client of a cluster is duplicated, so that the app's own client stays open. */
export function bullmqConnection(
  connection: RedisOptions | RedisClusterClient,
  queue: string,
): BullmqConnection {
  return isCluster(connection) ? ofCluster(connection, queue) : ofServer(connection)
}

function ofServer(connectionOption: RedisOptions): BullmqConnection {
  const connection = {
    // BullMQ's own strategy pauses for up to 20 seconds, so jobs would still be late long after Redis is back.
    retryStrategy: (times: number) => Math.min(times * 50, 2000),
    disconnectTimeout,
    ...connectionOption,
    // Every sent command is answered sooner or later, because ioredis sends it again after it has reconnected.
    maxRetriesPerRequest: null,
    autoResendUnfulfilledCommands: true,
    enableOfflineQueue: true,
  }
  return { connection, prefix: 'bull', end() {} }
}

function ofCluster(connection: RedisClusterClient, queue: string): BullmqConnection {
  const redisOptions = { disconnectTimeout, ...connection.options.redisOptions, maxRetriesPerRequest: null }
  const options = { redisOptions, enableOfflineQueue: true, scaleReads: 'master' }
  const cluster = connection.duplicate([], options) as OwnCluster
  // BullMQ stops listening when it closes. Later errors would be printed on the console.
  cluster.on('error', () => {})
  return {
    connection: cluster as ConnectionOptions,
    // BullMQ changes several keys at once, so all of them must be at one server. The text in the first braces of a key
    // decides which server that is: https://docs.bullmq.io/patterns/redis-cluster
    prefix: `{${queue}}`,
    end: () => cluster.disconnect(),
  }
}

function isCluster(connection: RedisOptions | RedisClusterClient): connection is RedisClusterClient {
  return 'isCluster' in connection
}

import pg from 'pg'
import { onTestFinished } from 'vitest'
import { sharedServer } from '../suite/shared-server.ts'

let count = 0

/** The URL of a database on the server of this run that only this test file uses. Nothing drops it: the server goes. */
export async function databaseOfFile(): Promise<string> {
  const url = await sharedServer('postgres')
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return url.replace(/postgres$/, name)
}

/** The name of a schema that nobody has used yet. */
export function newSchema(): string {
  return `jobs_${process.pid}_${count++}`
}

/** A pool that ends with the test. @param onFinished that of the context, in `test.concurrent` */
export function poolOf(url: string, options: pg.PoolConfig = {}, onFinished = onTestFinished): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, ...options })
  // The server may end connections after the backend of a test has closed.
  pool.on('error', () => {})
  onFinished(() => pool.end())
  return pool
}

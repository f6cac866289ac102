import { test } from 'vitest'
import { databaseOfFile } from '../../postgres/temporary-database.ts'
import { expectAllDelivered, onPostgres } from './store-away.ts'

test('no paid job fails while Postgres refuses the connections of the node that waits for the answers, although another node counts that node as ended', async ({
  onTestFinished,
}) => {
  const database = await databaseOfFile()
  const open = () => onPostgres['refuses and resets the connections of one node'](database, onTestFinished)
  await expectAllDelivered(open, 9000, onTestFinished)
})
